/* A thermostat. With the argument `faulty`, its alarm comes one step late. */
#include <stdio.h>
#include <string.h>

int main(int count, char **words) {
    int late = count > 1 && strcmp(words[1], "faulty") == 0;
    int open_for = 0, cold, hot, window;
    char line[256];
    setvbuf(stdout, NULL, _IOLBF, 0); /* answers must not wait in a buffer */
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "reset", 5) == 0) {
            open_for = 0;
            continue;
        }
        if (sscanf(line, "cold=%d hot=%d window=%d", &cold, &hot, &window) != 3)
            return 1;
        open_for = window ? open_for + 1 : 0;
        printf("heating=%d alarm=%d\n", cold && !window, open_for >= 3 + late);
    }
    return 0;
}
