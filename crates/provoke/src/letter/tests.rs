//! A kind of field that only tests have goes through everything that reads, writes, judges and shrinks: none of it
//! knows more of a field than the field itself says.

use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::automaton::{read_hoa, show_guard, write_hoa};
use crate::bdd::Space;
use crate::campaign::{Budget, Oracle, Told, shortest_story};
use crate::diagnostic::Source;
use crate::format::recording::{self, Format};
use crate::ltl;
use crate::monitor::holds;
use crate::system::{Protocol, SystemError, WordReset};
use crate::trace::{Step, read_trace, write_trace};

/// A level from 1 to 3, in two bits of which one code stands for nothing, between two Boolean signals.
fn interface() -> Interface {
    let level = || Kind::Number { low: 1, high: 3 };
    let inputs = [("a", Kind::Boolean), ("level", level()), ("b", Kind::Boolean)];
    let outputs = [("x", Kind::Boolean), ("depth", level())];
    Interface::new(Alphabet::of_fields(inputs).unwrap(), Alphabet::of_fields(outputs).unwrap()).unwrap()
}

fn step(input: &str, output: &str) -> Step {
    let Interface { inputs, outputs } = interface();
    Step { input: inputs.parse(input).unwrap(), output: outputs.parse(output).unwrap() }
}

fn trace() -> Vec<Step> {
    vec![step("a=1 level=3 b=0", "x=0 depth=1"), step("a=0 level=1 b=1", "x=1 depth=2")]
}

#[test]
fn values_are_written_and_read() {
    let Interface { inputs, .. } = interface();
    assert_eq!(inputs.bits(), 4);
    let letters = inputs.letters(12).unwrap();
    assert_eq!(letters.len(), 12);
    for letter in letters {
        assert_eq!(inputs.parse(&inputs.show(letter).to_string()), Ok(letter));
    }
    let error = inputs.parse("a=1 level=4 b=0").unwrap_err();
    assert_eq!(error.to_string(), "`level=4`: a signal is a number from 1 to 3");
    let text = write_trace(&interface(), &trace(), &[]);
    assert_eq!(text, "# provoke trace 1\na=1 level=3 b=0 / x=0 depth=1\na=0 level=1 b=1 / x=1 depth=2\n");
    assert_eq!(read_trace(&interface(), &Source::new("t", text)).unwrap(), trace());
}

#[test]
fn a_space_has_the_valid_codes_alone() {
    let space = Space::new(interface());
    let all = space.input_letters(&space.bdds().all());
    assert_eq!(all.count().to_u64(), Some(12));
    let [a, high] = ["a", "level=3"].map(|name| space.proposition(name).unwrap());
    let set = space.input_letters(&(&high & &a));
    let shown: Vec<String> = set.iter().map(|one| space.interface().inputs.show(one).to_string()).collect();
    assert_eq!(shown, ["a=1 level=3 b=0", "a=1 level=3 b=1"]);
    let ordered: Vec<String> =
        all.iter().take(3).map(|one| space.interface().inputs.show(one).to_string()).collect();
    assert_eq!(ordered, ["a=0 level=1 b=0", "a=0 level=1 b=1", "a=0 level=2 b=0"]);
    assert_eq!(show_guard(&space, &(&(&high & &a) & &space.exchanges())), "level = 3 & a");
    let depth = space.proposition("depth=2").unwrap();
    assert_eq!(show_guard(&space, &(&(&!&high & &depth) & &space.exchanges())), "level <= 2 & depth = 2");
    assert_eq!(show_guard(&space, &space.exchanges()), "true");
}

#[test]
fn automata_are_written_with_a_proposition_a_bit() {
    let space = Arc::new(Space::new(interface()));
    let text = "HOA: v1 States: 2 Start: 0 AP: 2 \"level=3\" \"depth=2\" acc-name: all Acceptance: 0 t \
        --BODY-- State: 0 [!0] 0 [0] 1 State: 1 [1] 0 --END--";
    let (automaton, _) = read_hoa(&Source::new("t", text), Some(&space)).unwrap();
    let written = write_hoa(&automaton).unwrap();
    assert!(
        written.contains("AP: 7 \"a\" \"level.1\" \"level.0\" \"b\" \"x\" \"depth.1\" \"depth.0\""),
        "{written}"
    );
    let (again, _) = read_hoa(&Source::new("t", written), Some(&space)).unwrap();
    let guards = |of: &crate::automaton::Automaton| -> Vec<crate::bdd::Bdd> {
        let edges = of.states.iter().flat_map(|state| &state.edges);
        edges.map(|edge| &edge.guard & &space.exchanges()).collect()
    };
    assert!(guards(&automaton) == guards(&again));
}

#[test]
fn recorded_runs_are_read_in_every_form() {
    let read = |format, text: &str| {
        let source = Source::new("t", text);
        recording::parse(&source, format, &interface(), &recording::Options::default())
    };
    assert_eq!(read(Format::Csv, "a,level,b,x,depth\n1,3,0,0,1\nfalse,1,true,1,2\n").unwrap(), trace());
    let error = read(Format::Csv, "a,level,b,x,depth\n1,7,0,0,1\n").unwrap_err().to_string();
    assert!(error.contains("`7` is not a value") && error.contains("write a number from 1 to 3"), "{error}");
    let json = "{\"a\":true,\"level\":3,\"b\":0,\"x\":0,\"depth\":1}\n\
                {\"inputs\":{\"a\":0,\"level\":1,\"b\":1},\"outputs\":{\"x\":1,\"depth\":2}}\n";
    assert_eq!(read(Format::JsonLines, json).unwrap(), trace());
    assert!(read(Format::JsonLines, &json.replace('3', "true")).is_err());
    let vcd = "$var wire 1 a a $end $var wire 2 l level $end $var wire 1 b b $end $var wire 1 x x $end \
               $var wire 2 d depth $end $enddefinitions $end\n\
               #0 1a b11 l 0b 0x b1 d #1 0a b01 l 1b 1x b10 d #2\n";
    assert_eq!(read(Format::Vcd, vcd).unwrap(), trace());
    let error = read(Format::Vcd, &vcd.replace("b11 l", "b00 l")).unwrap_err().to_string();
    assert!(error.contains("`level` is `00` here, and not a number from 1 to 3"), "{error}");
}

#[test]
fn recorded_runs_are_written_and_read_again() {
    let fields = [
        ("a", Kind::Boolean),
        ("t", Kind::Number { low: -40, high: 85 }),
        ("motor", Kind::enumeration(["up", "down", "off"])),
        ("n", Kind::Number { low: 3, high: 1000 }),
        ("only", Kind::enumeration(["one"])),
    ];
    let outputs = Alphabet::of_fields(fields).unwrap();
    let interface = Interface::new(Alphabet::signals(["go"]).unwrap(), outputs.clone()).unwrap();
    let lines = [
        "a=0 t=-40 motor=off n=1000 only=one",
        "a=1 t=85 motor=up n=3 only=one",
        "a=1 t=-1 motor=down n=512 only=one",
    ];
    let output = |line: &&str| outputs.parse(line).unwrap();
    let trace: Vec<Step> =
        lines.iter().map(output).map(|output| Step { input: Letter::default(), output }).collect();
    for format in [Format::Text, Format::Csv, Format::JsonLines, Format::Vcd] {
        let written = recording::write(&interface, &trace, format, &[]);
        let read = recording::parse(
            &Source::new("t", written.clone()),
            format,
            &interface,
            &recording::Options::default(),
        );
        assert_eq!(read.unwrap_or_else(|error| panic!("{error}\n{written}")), trace);
    }
}

#[test]
fn formulas_speak_of_values_on_recorded_runs() {
    let formula = ltl::Formula::proposition("level=3").globally();
    assert!(holds(&formula, &interface(), &trace()[..1]));
    assert!(!holds(&formula, &interface(), &trace()));
}

#[test]
fn models_and_protocols_take_values_or_say_why_not() {
    let Interface { inputs, .. } = interface();
    assert_eq!(WordReset::letter(&inputs, "b level=2"), Ok(inputs.parse("a=0 level=2 b=1").unwrap()));
    assert_eq!(WordReset::letter(&inputs, "-"), Ok(inputs.parse("a=0 level=1 b=0").unwrap()));
    let error = WordReset::letter(&inputs, "!level").unwrap_err();
    assert_eq!(error.to_string(), "signal `level` is a number from 1 to 3: write `level=...`");
    let check = |options: &str| toml::from_str::<Protocol>(options).unwrap().check(&interface());
    assert_eq!(check(""), Ok(()));
    assert_eq!(check("form = \"json\""), Ok(()));
    assert!(check("form = \"names\"").unwrap_err().to_string().starts_with("form: "));
    assert!(check("form = \"values\"\nseparator = \"\"").unwrap_err().to_string().starts_with("separator: "));
}

/// Violated by a level of at least 2 with `b`, at once.
struct Faulty;

impl Oracle for Faulty {
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Told, SystemError> {
        let Interface { inputs: alphabet, .. } = interface();
        let says = |letter: &Letter, name: &str| alphabet.proposition(name).unwrap().contain(*letter);
        let bad = |letter: &Letter| says(letter, "b") && !says(letter, "level=1");
        let end = inputs.iter().position(bad);
        let told = &inputs[..end.map_or(inputs.len(), |end| end + 1)];
        let trace = told.iter().map(|&input| Step { input, output: Letter::default() }).collect();
        Ok(Told { trace, violated: end.is_some() })
    }
}

#[test]
fn stories_become_simpler_value_by_value() {
    let original = Faulty.try_inputs(&[trace()[0].input, step("a=1 level=3 b=1", "x=0 depth=1").input]);
    let budget = Budget { runs: 1000, steps: 10_000, time: Duration::from_secs(600) };
    let Interface { inputs, .. } = interface();
    let story = shortest_story(&original.unwrap().trace, &inputs, &[], budget, &mut Faulty);
    let best: Vec<String> =
        story.stories.last().unwrap().iter().map(|step| inputs.show(step.input).to_string()).collect();
    assert_eq!(best, ["a=0 level=2 b=1"]);
}

#[test]
fn signals_of_a_wide_letter_are_independent() {
    let letter = Letter::default().with(0, true).with(191, true).with(255, true);
    let set: Vec<usize> = (0..MAX_SIGNALS).filter(|&at| letter.get(at)).collect();
    assert_eq!(set, [0, 191, 255]);
    assert_eq!(letter.with(191, false).with(255, false), Letter::from_index(1));
}
