module r2 (
    input clk,
    input bwdlimit,
    input cargo,
    input movefwd,
    input movebwd,
    output error
);
    reg [1:0] state = 0;
    assign error = state == 2;
    always @(posedge clk)
        case (state)
            0: // still
                if (!movefwd) state <= 0;
                else                if (bwdlimit && cargo && movefwd && !movebwd) state <= 1;
                else state <= 2;
            1: // forward
                if (!movefwd) state <= 0;
                else                if (movefwd && !movebwd) state <= 1;
                else state <= 2;
            default: state <= 2;
        endcase
endmodule
