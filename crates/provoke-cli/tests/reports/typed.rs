//! Signals with types in every report: what is written is read back, and says values as people do.

use super::{data, folder, provoke, read, text};

const SPEC: &str = "[signals.inputs]\ncall = '0..6'\nopen = 'bool'\n[signals.outputs]\nfloor = '-3..9'\nmotor = ['off', 'up', 'down']\n\
    [system]\nmodel = 'model.dot'\n[[requirement]]\nid = 'R'\ntext = 'Not above 6.'\nltl = 'G (motor = up -> floor <= 6)'\n";
/// Called above 3 it goes too high in the next step.
const MODEL: &str = "digraph { __start0 -> p; p -> q [label=\"call > 3 / floor=-2 motor=off\"]; \
    p -> p [label=\"call <= 3 / floor=-2 motor=down\"]; q -> q [label=\"call >= 0 / floor=8 motor=up\"]; }";

#[test]
fn recordings_of_typed_signals_are_read_back() {
    let folder = folder(SPEC, MODEL);
    let path = folder.path();
    let files =
        ["--vcd", "r.vcd", "--csv", "r.csv", "--html", "r.html", "--log", "r.jsonl", "--junit", "r.xml"];
    let output = provoke(path, &[&["test", "spec.toml", "--hunt"][..], &files].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("R forbids floor=8 motor=up in answer to"), "{said}");
    assert!(said.contains("it would have allowed ") && said.contains("floor"), "{said}");
    // Values stand below one another.
    let steps: Vec<&str> = said.lines().filter(|line| line.contains("motor=")).take(2).collect();
    let column = |line: &str, of: &str| line.find(of);
    assert_eq!(column(steps[0], "motor="), column(steps[1], "motor="), "{said}");
    let vcd = read(path, "r.vcd");
    for line in
        ["$var wire 3 \" call [2:0] $end", "$var wire 5 $ floor [4:0] $end", "$var string 1 % motor $end"]
    {
        assert!(vcd.contains(line), "{line}: {vcd}");
    }
    assert!(vcd.contains("b11110 $\n") && vcd.contains("sup %\n"), "{vcd}");
    assert!(read(path, "r.csv").starts_with("call,open,floor,motor,verdict:R\n"));
    // All of them are the same run, violated at the same step.
    for file in ["r.vcd", "r.csv", "spec.traces/R.trace"] {
        let output =
            provoke(path, &["monitor", "spec.toml", file, "--csv", "again.csv", "--vcd", "again.vcd"]);
        assert_eq!(output.status.code(), Some(1), "{file}: {}", text(&output.stderr));
        assert_eq!(read(path, "again.csv"), read(path, "r.csv"), "{file}");
        assert_eq!(read(path, "again.vcd"), vcd, "{file}");
        let explained = text(&provoke(path, &["explain", "spec.toml", file]).stdout);
        assert!(explained.contains("floor=8 motor=up"), "{explained}");
    }
    let waves = data(&read(path, "r.html"))["findings"][0]["waves"].clone();
    let kinds: Vec<&str> =
        waves.as_array().unwrap().iter().map(|wave| wave["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["number", "bool", "number", "name"]);
    let output = provoke(path, &["report", "r.jsonl", "--html", "again.html", "--vcd", "later.vcd"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(read(path, "again.html") == read(path, "r.html") && read(path, "later.vcd") == vcd);
}

#[test]
fn automata_in_bits_say_how_to_read_them_and_are_read_back() {
    let folder = folder(SPEC, MODEL);
    let path = folder.path();
    let shown = provoke(path, &["show", "spec.toml", "--automaton", "R", "-o", "r.hoa"]);
    let note = text(&shown.stderr);
    assert!(
        note.contains(
            "note: `floor.3` is the bit of `floor` that counts 8; together they say how far it is above -3\n"
        ),
        "{note}"
    );
    assert!(note.contains("`motor.1` is the bit of `motor` that counts 2; together they say the place of its name, from 0: off, up, down\n"), "{note}");
    assert!(read(path, "r.hoa").contains("\"floor.3\""));
    let spec = SPEC.replace("ltl = 'G (motor = up -> floor <= 6)'", "automaton = 'r.hoa'");
    assert_ne!(spec, SPEC);
    std::fs::write(path.join("back.toml"), spec).unwrap();
    let again = provoke(path, &["show", "back.toml", "--automaton", "R", "-o", "again.hoa"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
    assert_eq!(read(path, "again.hoa"), read(path, "r.hoa"));
    // In pictures guards are in words.
    let picture = text(&provoke(path, &["show", "back.toml", "--automaton", "R"]).stdout);
    assert!(picture.contains("floor <= 6") && !picture.contains("floor.3"), "{picture}");
}
