module passageway (
    input clk,
    input right,
    input up,
    input room_1,
    input room_2,
    input room_3,
    input room_4,
    input room_5,
    input room_6,
    input room_7,
    input room_8,
    input room_9,
    input room_10,
    input open,
    input doorstep,
    input collision,
    output error,
    output objective
);
    reg [4:0] state = 0;
    assign error = state == 31;
    assign objective = state == 27 || state == 28 || state == 29;
    always @(posedge clk)
        case (state)
            0: // room 1, m0
                if (collision) state <= 30;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 0;
                else                if (!up && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 1;
                else                if (!up && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 2;
                else state <= 31;
            1: // room 1, m1
                if (collision) state <= 30;
                else                if (right && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 0;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 1;
                else                if (right && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 2;
                else state <= 31;
            2: // room 1, m2
                if (collision) state <= 30;
                else                if (!right && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 0;
                else                if (right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 3;
                else                if (!right && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 1;
                else                if (right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (!right && room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 2;
                else                if (right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else state <= 31;
            3: // room 2, m0
                if (collision) state <= 30;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 0;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 3;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 1;
                else                if (up && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 2;
                else                if (up && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else state <= 31;
            4: // room 2, m1
                if (collision) state <= 30;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 0;
                else                if (right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 3;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 1;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 2;
                else                if (right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else state <= 31;
            5: // room 2, m2
                if (collision) state <= 30;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 0;
                else                if (!right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 3;
                else                if (right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 6;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 1;
                else                if (!right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 2;
                else                if (!right && !room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else                if (right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else state <= 31;
            6: // room 3, m0
                if (collision) state <= 30;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 3;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 6;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (!up && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else                if (!up && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else state <= 31;
            7: // room 3, m1
                if (collision) state <= 30;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 3;
                else                if (right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 6;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else                if (right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else state <= 31;
            8: // room 3, m2
                if (collision) state <= 30;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 3;
                else                if (!right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 6;
                else                if (right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 9;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 4;
                else                if (!right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (!room_1 && room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 5;
                else                if (!right && !room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else                if (right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else state <= 31;
            9: // room 4, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 6;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 9;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (up && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else                if (up && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else state <= 31;
            10: // room 4, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 6;
                else                if (right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 9;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else                if (right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else state <= 31;
            11: // room 4, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 6;
                else                if (!right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 9;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 12;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 7;
                else                if (!right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (!room_1 && !room_2 && room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 8;
                else                if (!right && !room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else state <= 31;
            12: // room 5, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 9;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 12;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (!up && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else                if (!up && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else state <= 31;
            13: // room 5, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 9;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 12;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else state <= 31;
            14: // room 5, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 9;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 12;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 15;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 10;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (!room_1 && !room_2 && !room_3 && room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 11;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else state <= 31;
            15: // room 6, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 12;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 15;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else                if (up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else state <= 31;
            16: // room 6, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 12;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 15;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else state <= 31;
            17: // room 6, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 12;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 15;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 18;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 13;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && room_5 && !room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 14;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else state <= 31;
            18: // room 7, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 15;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 18;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (!up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else                if (!up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else state <= 31;
            19: // room 7, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 15;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 18;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else state <= 31;
            20: // room 7, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 15;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 18;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision) state <= 21;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 16;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && room_6 && !room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 17;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else state <= 31;
            21: // room 8, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 18;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision) state <= 21;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else                if (up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else state <= 31;
            22: // room 8, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 18;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !doorstep && !collision) state <= 21;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else state <= 31;
            23: // room 8, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && !open && !collision) state <= 18;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision) state <= 21;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision) state <= 24;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 19;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && room_7 && !room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 20;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else state <= 31;
            24: // room 9, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision) state <= 21;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision) state <= 24;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (!up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else                if (!up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else state <= 31;
            25: // room 9, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision) state <= 21;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !doorstep && !collision) state <= 24;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else state <= 31;
            26: // room 9, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && !open && !collision) state <= 21;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision) state <= 24;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && !open && !collision) state <= 27;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && !doorstep && !collision) state <= 22;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && !doorstep && !collision) state <= 28;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && room_8 && !room_9 && !room_10 && open && doorstep && !collision) state <= 23;
                else                if (!right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && doorstep && !collision) state <= 29;
                else state <= 31;
            27: // room 10, m0
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision) state <= 24;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && !open && !collision) state <= 27;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && !doorstep && !collision) state <= 28;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else                if (up && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && doorstep && !collision) state <= 29;
                else state <= 31;
            28: // room 10, m1
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision) state <= 24;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && !open && !collision || !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && !open && !doorstep && !collision) state <= 27;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && !doorstep && !collision) state <= 28;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else                if (right && !room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && doorstep && !collision) state <= 29;
                else state <= 31;
            29: // room 10, m2
                if (collision) state <= 30;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && !open && !collision) state <= 24;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && !open && !collision) state <= 27;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && !doorstep && !collision) state <= 25;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && !doorstep && !collision) state <= 28;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && room_9 && !room_10 && open && doorstep && !collision) state <= 26;
                else                if (!room_1 && !room_2 && !room_3 && !room_4 && !room_5 && !room_6 && !room_7 && !room_8 && !room_9 && room_10 && open && doorstep && !collision) state <= 29;
                else state <= 31;
            30: // collision
                if (1) state <= 30;
                else state <= 31;
            default: state <= 31;
        endcase
endmodule
