#!/bin/sh
# A thermostat. With the argument `faulty`, its alarm comes one step late.
late=0
[ "$1" = faulty ] && late=1
open_for=0
while read -r line; do
    case "$line" in
        reset) open_for=0; continue ;;
    esac
    case "$line" in
        *window=1*) open_for=$((open_for + 1)) ;;
        *) open_for=0 ;;
    esac
    heating=0
    case "$line" in
        *cold=1*window=0*) heating=1 ;;
    esac
    alarm=0
    [ "$open_for" -ge $((3 + late)) ] && alarm=1
    echo "heating=$heating alarm=$alarm"
done
