use proptest::prelude::*;

use super::*;
use crate::format::machine::{parse_dot, parse_kiss2};

fn dot(edges: &str) -> Source {
    Source::new("m.dot", format!("digraph g {{\n__start0 -> s;\n{edges}\n}}\n"))
}

fn simulate(source: &Source, interface: &Interface) -> Result<Simulated, String> {
    let machine = parse_dot(source).map_err(|error| error.to_string())?;
    Simulated::new(&machine, interface).map_err(|error| located(source, &error).to_string())
}

fn carriage() -> Interface {
    Interface::signals(["bwdlimit", "fwdlimit", "cargo"], ["movefwd", "movebwd"]).unwrap()
}

const GOOD: &str = r#"
    s -> moving [label="bwdlimit & cargo & !fwdlimit / movefwd"];
    s -> s [label="!(bwdlimit & cargo & !fwdlimit) / -"];
    moving -> moving [label="!fwdlimit / movefwd"];
    moving -> s [label="fwdlimit / -"];
"#;

fn outputs(system: &mut Simulated, inputs: &[u64]) -> Vec<u64> {
    system.reset().unwrap();
    inputs.iter().map(|&input| system.step(Letter::from_index(input)).unwrap().index()).collect()
}

#[test]
fn a_controller_with_guards_runs() {
    let mut system = simulate(&dot(GOOD), &carriage()).unwrap();
    assert!(matches!(system.moves, Moves::Dense { inputs: 8, .. }));
    for _ in 0..2 {
        assert_eq!(outputs(&mut system, &[0b000, 0b101, 0b100, 0b000, 0b110, 0b100]), [0, 1, 1, 1, 0, 0]);
    }
}

#[test]
fn a_wide_controller_walks_a_diagram() {
    let names = |side: &str| (0..100).map(|at| format!("{side}{at}")).collect::<Vec<_>>();
    let interface = Interface::signals(names("a"), names("x")).unwrap();
    let edges = "s -> t [label=\"a0 & a99 / x99\"]; s -> s [label=\"!(a0 & a99) / -\"]; t -> t [label=\"true / x0\"];";
    let mut system = simulate(&dot(edges), &interface).unwrap();
    assert!(matches!(system.moves, Moves::Symbolic { .. }));
    system.reset().unwrap();
    let both = Letter::default().with(0, true).with(99, true);
    assert_eq!(system.step(both.with(0, false)).unwrap(), Letter::default());
    assert_eq!(system.step(both).unwrap(), Letter::default().with(99, true));
    assert_eq!(system.step(both).unwrap(), Letter::default().with(0, true));
}

#[test]
fn a_machine_with_labels_runs() {
    let interface = Interface::labels(["b", "a"], ["1", "0"]).unwrap();
    let edges =
        "s -> t [label=\"a/0\"]; s -> s [label=\"b/0\"]; t -> s [label=\"a/1\"]; t -> t [label=\"b / 1\"];";
    let mut system = simulate(&dot(edges), &interface).unwrap();
    assert_eq!(outputs(&mut system, &[0, 1, 0, 1, 0]), [1, 1, 0, 0, 1]);
    assert!(system.step(Letter::from_index(2)).is_err());
}

#[test]
fn a_state_table_runs_by_name_or_in_order() {
    let table = ".i 2\n.o 2\n.r s\n10 s t 01\n0- s s 00\n11 s s 00\n-- t s 1-\n.e\n";
    let machine = |text: &str| parse_kiss2(&Source::new("m.kiss2", text)).unwrap();
    let plain = machine(table);
    let interface = Interface::signals(["p", "q"], ["u", "v"]).unwrap();
    let mut system = Simulated::new(&plain, &interface).unwrap();
    // Signal 0 is the first character: `10` is the letter with bit 0 set.
    assert_eq!(outputs(&mut system, &[2, 3, 1, 0, 0]), [0, 0, 2, 1, 0]);
    let named = machine(&format!(".ilb q p\n.ob u v\n{table}"));
    let mut system = Simulated::new(&named, &interface).unwrap();
    assert_eq!(outputs(&mut system, &[1, 3, 2, 0, 0]), [0, 0, 2, 1, 0]);
    let other = machine(&format!(".ilb q r\n.ob u v\n{table}"));
    assert_eq!(Simulated::new(&other, &interface).unwrap_err().message, "unknown input signal `r`");
    let wider = Interface::signals(["p", "q", "r"], ["u", "v"]).unwrap();
    assert!(Simulated::new(&plain, &wider).is_err());
}

#[test]
fn faults_are_shown_where_they_are() {
    let fault = |edges: &str| simulate(&dot(edges), &carriage()).unwrap_err();
    let unknown = fault("s -> s [label=\"cargo & bwdlimt / -\"];");
    assert!(unknown.contains("unknown signal `bwdlimt` (did you mean `bwdlimit`?)"), "{unknown}");
    assert!(unknown.contains("m.dot:3:16"), "{unknown}");
    let output = fault("s -> s [label=\"true / movefwdd\"];");
    assert!(output.contains("unknown signal `movefwdd`") && output.contains("m.dot:3:23"), "{output}");
    let overlap = fault("s -> s [label=\"cargo / -\"];\ns -> s [label=\"bwdlimit / movefwd\"];");
    let message = "`cargo` and `bwdlimit` both take the input `bwdlimit=1 fwdlimit=0 cargo=1` in state `s`";
    assert!(overlap.contains(message) && overlap.contains("m.dot:4:16"), "{overlap}");
    let gap = fault("s -> s [label=\"cargo / -\"];");
    let message = "state `s` has no transition for the input `bwdlimit=0 fwdlimit=0 cargo=0`";
    assert!(gap.contains(message) && gap.contains("help: every input needs one"), "{gap}");
    let silent = fault("s -> s [label=\"true\"];");
    assert!(silent.contains("the transition for `true` from state `s` has no output"), "{silent}");
    let labels = Interface::labels(["a", "b"], ["x"]).unwrap();
    let partial = simulate(&dot("s -> s [label=\"a/x\"];"), &labels).unwrap_err();
    assert!(partial.contains("no transition is labelled with the input `b`"), "{partial}");
    let partial = simulate(&dot("s -> t [label=\"a/x\"];\nt -> s [label=\"b/x\"];"), &labels).unwrap_err();
    assert!(partial.contains("state `s` has no transition for the input `b`"), "{partial}");
    let machine = parse_dot(&Source::new("m.dot", "digraph g { s -> s [label=\"a/x\"] }")).unwrap();
    let nowhere = Simulated::new(&machine, &labels).unwrap_err();
    assert_eq!(nowhere.message, "the machine has no initial state");
}

#[test]
fn what_is_sent_where_the_model_says_nothing_is_an_error_of_the_caller() {
    let labels = Interface::labels(["a", "b"], ["x"]).unwrap();
    let machine = parse_dot(&dot("s -> t [label=\"a/x\"];\nt -> s [label=\"b/x\"];")).unwrap();
    let mut system = Simulated::made(&machine, &labels, None, Lacking::Anything).unwrap();
    assert_eq!(outputs(&mut system, &[0, 1, 0]), [0, 0, 0]);
    let error = system.step(Letter::from_index(0)).unwrap_err().to_string();
    assert!(error.starts_with("the model has no transition for the input `a` in state `t`"), "{error}");
}

#[test]
fn one_way_into_an_end_may_say_so_and_another_not() {
    let labels = Interface::labels(["a", "b"], ["x", "y", "end"]).unwrap();
    let edges = "s -> t [label=\"a/x\"];\ns -> z [label=\"b/y\"];\nt -> s [label=\"b/x\"];\nt -> z [label=\"a/end\"];";
    let machine = parse_dot(&dot(edges)).unwrap();
    let ends: Ends =
        toml::from_str::<toml::Table>("ends = 'end'").unwrap()["ends"].clone().try_into().unwrap();
    let mut system = Simulated::made(&machine, &labels, Some(&ends), Lacking::Ended).unwrap();
    for _ in 0..2 {
        // `y` does not say that it has ended: the next answer does.
        assert_eq!(outputs(&mut system, &[1, 0]), [1, 2]);
        assert_eq!(system.step(Letter::from_index(0)), Err(SystemError::Over));
        assert_eq!(outputs(&mut system, &[0, 0]), [0, 2]);
        assert_eq!(system.step(Letter::from_index(0)), Err(SystemError::Over));
    }
}

#[test]
fn overlaps_that_agree_and_states_that_cannot_be_reached_are_no_fault() {
    let edges = "s -> s [label=\"cargo / -\"]; s -> s [label=\"true / -\"]; lost -> s [label=\"cargo / -\"];";
    simulate(&dot(edges), &carriage()).unwrap();
}

proptest! {
    /// A machine of minterms, written in random spellings, against the table it was written from.
    #[test]
    fn spellings_do_not_matter(
        moves in proptest::collection::vec((0usize..3, 0u64..4), 12),
        spelling in proptest::collection::vec(0usize..5, 12),
        inputs in proptest::collection::vec(0u64..4, 0..30),
    ) {
        let interface = Interface::signals(["a", "b"], ["x", "y"]).unwrap();
        let write = |names: [&str; 2], letter: u64, spelling: usize| {
            let bits = [letter & 1, letter >> 1 & 1];
            let signed = |at: usize| format!("{}{}", if bits[at] == 1 { "" } else { "!" }, names[at]);
            let listed: Vec<&str> = (0..2).filter(|&at| bits[at] == 1).map(|at| names[at]).collect();
            match spelling {
                0 => format!("{}{}", bits[0], bits[1]),
                1 => format!("{}={} {}={}", names[1], bits[1], names[0], bits[0]),
                2 => format!("{} & {}", signed(0), signed(1)),
                3 => format!("{} {}", signed(1), signed(0)),
                _ => format!("{{{}}}", listed.join(",")),
            }
        };
        let states = ["s", "t", "u"];
        let mut edges = String::new();
        for (number, &(to, output)) in moves.iter().enumerate() {
            let (from, input, spelling) = (number / 4, number as u64 % 4, spelling[number]);
            let label = format!("{} / {}", write(["a", "b"], input, spelling), write(["x", "y"], output, spelling));
            edges += &format!("{} -> {} [label=\"{label}\"];\n", states[from], states[to]);
        }
        let mut system = simulate(&dot(&edges), &interface).unwrap();
        let mut at = 0;
        let expected: Vec<u64> = inputs.iter().map(|&input| {
            let (to, output) = moves[at * 4 + input as usize];
            at = to;
            output
        }).collect();
        prop_assert_eq!(outputs(&mut system, &inputs), expected);
    }
}
