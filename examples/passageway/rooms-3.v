module passageway (
    input clk,
    input right,
    input up,
    input room_1,
    input room_2,
    input room_3,
    input open,
    input doorstep,
    input collision,
    output error,
    output objective
);
    reg [3:0] state = 0;
    assign error = state == 10;
    assign objective = state == 6 || state == 7 || state == 8;
    always @(posedge clk)
        case (state)
            0: // room 1, m0
                if (collision) state <= 9;
                else                if (room_1 && !room_2 && !room_3 && !open && !collision) state <= 0;
                else                if (!up && room_1 && !room_2 && !room_3 && open && !doorstep && !collision) state <= 1;
                else                if (!up && room_1 && !room_2 && !room_3 && open && doorstep && !collision) state <= 2;
                else state <= 10;
            1: // room 1, m1
                if (collision) state <= 9;
                else                if (right && room_1 && !room_2 && !room_3 && !open && !collision || room_1 && !room_2 && !room_3 && !open && !doorstep && !collision) state <= 0;
                else                if (room_1 && !room_2 && !room_3 && open && !doorstep && !collision) state <= 1;
                else                if (right && room_1 && !room_2 && !room_3 && open && doorstep && !collision) state <= 2;
                else state <= 10;
            2: // room 1, m2
                if (collision) state <= 9;
                else                if (!right && room_1 && !room_2 && !room_3 && !open && !collision) state <= 0;
                else                if (right && !room_1 && room_2 && !room_3 && !open && !collision) state <= 3;
                else                if (!right && room_1 && !room_2 && !room_3 && open && !doorstep && !collision) state <= 1;
                else                if (right && !room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (!right && room_1 && !room_2 && !room_3 && open && doorstep && !collision) state <= 2;
                else                if (right && !room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else state <= 10;
            3: // room 2, m0
                if (collision) state <= 9;
                else                if (room_1 && !room_2 && !room_3 && !open && !collision) state <= 0;
                else                if (!room_1 && room_2 && !room_3 && !open && !collision) state <= 3;
                else                if (room_1 && !room_2 && !room_3 && open && !doorstep && !collision) state <= 1;
                else                if (up && !room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (room_1 && !room_2 && !room_3 && open && doorstep && !collision) state <= 2;
                else                if (up && !room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else state <= 10;
            4: // room 2, m1
                if (collision) state <= 9;
                else                if (room_1 && !room_2 && !room_3 && !open && !collision) state <= 0;
                else                if (right && !room_1 && room_2 && !room_3 && !open && !collision || !room_1 && room_2 && !room_3 && !open && !doorstep && !collision) state <= 3;
                else                if (room_1 && !room_2 && !room_3 && open && !doorstep && !collision) state <= 1;
                else                if (!room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (room_1 && !room_2 && !room_3 && open && doorstep && !collision) state <= 2;
                else                if (right && !room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else state <= 10;
            5: // room 2, m2
                if (collision) state <= 9;
                else                if (room_1 && !room_2 && !room_3 && !open && !collision) state <= 0;
                else                if (!right && !room_1 && room_2 && !room_3 && !open && !collision) state <= 3;
                else                if (right && !room_1 && !room_2 && room_3 && !open && !collision) state <= 6;
                else                if (room_1 && !room_2 && !room_3 && open && !doorstep && !collision) state <= 1;
                else                if (!right && !room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (right && !room_1 && !room_2 && room_3 && open && !doorstep && !collision) state <= 7;
                else                if (room_1 && !room_2 && !room_3 && open && doorstep && !collision) state <= 2;
                else                if (!right && !room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else                if (right && !room_1 && !room_2 && room_3 && open && doorstep && !collision) state <= 8;
                else state <= 10;
            6: // room 3, m0
                if (collision) state <= 9;
                else                if (!room_1 && room_2 && !room_3 && !open && !collision) state <= 3;
                else                if (!room_1 && !room_2 && room_3 && !open && !collision) state <= 6;
                else                if (!room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (!up && !room_1 && !room_2 && room_3 && open && !doorstep && !collision) state <= 7;
                else                if (!room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else                if (!up && !room_1 && !room_2 && room_3 && open && doorstep && !collision) state <= 8;
                else state <= 10;
            7: // room 3, m1
                if (collision) state <= 9;
                else                if (!room_1 && room_2 && !room_3 && !open && !collision) state <= 3;
                else                if (right && !room_1 && !room_2 && room_3 && !open && !collision || !room_1 && !room_2 && room_3 && !open && !doorstep && !collision) state <= 6;
                else                if (!room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (!room_1 && !room_2 && room_3 && open && !doorstep && !collision) state <= 7;
                else                if (!room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else                if (right && !room_1 && !room_2 && room_3 && open && doorstep && !collision) state <= 8;
                else state <= 10;
            8: // room 3, m2
                if (collision) state <= 9;
                else                if (!room_1 && room_2 && !room_3 && !open && !collision) state <= 3;
                else                if (!room_1 && !room_2 && room_3 && !open && !collision) state <= 6;
                else                if (!room_1 && room_2 && !room_3 && open && !doorstep && !collision) state <= 4;
                else                if (!room_1 && !room_2 && room_3 && open && !doorstep && !collision) state <= 7;
                else                if (!room_1 && room_2 && !room_3 && open && doorstep && !collision) state <= 5;
                else                if (!room_1 && !room_2 && room_3 && open && doorstep && !collision) state <= 8;
                else state <= 10;
            9: // collision
                if (1) state <= 9;
                else state <= 10;
            default: state <= 10;
        endcase
endmodule
