module r1 (
    input clk,
    input bwdlimit,
    input cargo,
    input fwdlimit,
    input movefwd,
    output error
);
    reg [1:0] state = 0;
    assign error = state == 2;
    always @(posedge clk)
        case (state)
            0: // waiting
                if (!bwdlimit || !cargo || fwdlimit) state <= 0;
                else                if (bwdlimit && cargo && !fwdlimit && movefwd) state <= 1;
                else state <= 2;
            1: // moving
                if (fwdlimit) state <= 0;
                else                if (!fwdlimit && movefwd) state <= 1;
                else state <= 2;
            default: state <= 2;
        endcase
endmodule
