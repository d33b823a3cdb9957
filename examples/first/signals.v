module first (
    input clk,
    input a,
    input b,
    input one,
    output error,
    output objective
);
    reg [2:0] state = 0;
    assign error = state == 4;
    assign objective = state == 2;
    always @(posedge clk)
        case (state)
            0: // s0
                if (a && !one) state <= 1;
                else                if (a && one) state <= 3;
                else                if (!a) state <= 0;
                else state <= 4;
            1: // s1
                if (!a && one) state <= 2;
                else                if (!a && !one) state <= 0;
                else                if (a) state <= 1;
                else state <= 4;
            2: // o
                if (1) state <= 2;
                else state <= 4;
            3: // t
                if (1) state <= 3;
                else state <= 4;
            default: state <= 4;
        endcase
endmodule
