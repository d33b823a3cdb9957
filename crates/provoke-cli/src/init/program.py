"""A thermostat. With the argument `faulty`, its alarm comes one step late."""
import sys

late = 1 if "faulty" in sys.argv[1:] else 0
open_for = 0
for line in sys.stdin:
    if line.strip() == "reset":
        open_for = 0
        continue
    signal = dict(pair.split("=") for pair in line.split())
    window = signal["window"] == "1"
    open_for = open_for + 1 if window else 0
    heating = signal["cold"] == "1" and not window
    alarm = open_for >= 3 + late
    print(f"heating={int(heating)} alarm={int(alarm)}", flush=True)
