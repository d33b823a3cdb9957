module r3 (
    input clk,
    input cargo,
    input fwdlimit,
    input movefwd,
    output error
);
    reg [0:0] state = 0;
    assign error = state == 1;
    always @(posedge clk)
        case (state)
            0: // always
                if (!cargo || !fwdlimit || !movefwd) state <= 0;
                else state <= 1;
            default: state <= 1;
        endcase
endmodule
