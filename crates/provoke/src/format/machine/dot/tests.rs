use super::*;

fn machine(text: &str) -> Machine {
    parse(&Source::new("m.dot", text)).unwrap()
}

fn error(text: &str) -> SpecError {
    parse(&Source::new("m.dot", text)).unwrap_err()
}

#[test]
fn a_mealy_machine_with_a_start_marker() {
    let lift = machine(
        r#"digraph lift { // a comment
            __start0 [label="" shape="none"];
            floor0 [shape="circle" label="ground"]
            floor0 -> floor1 [label="up / moving"];
            floor0 -> floor0 [label="down/idle"]; floor1 -> floor1 [label="up/idle"]
            __start0 -> floor0 [label=""];
        }"#,
    );
    assert_eq!(lift.states().iter().collect::<Vec<_>>(), ["floor0", "floor1"]);
    assert_eq!(lift.inputs().iter().collect::<Vec<_>>(), ["up", "down"]);
    assert_eq!(lift.outputs().iter().collect::<Vec<_>>(), ["moving", "idle"]);
    assert_eq!(lift.initial(), Some(0));
    assert_eq!((lift.next(0, 0), lift.output(0, 0)), (Some(1), Some(0)));
    assert_eq!((lift.next(1, 1), lift.output(1, 1)), (None, None));
}

#[test]
fn a_plain_machine_with_a_chain_and_quoted_names() {
    let plain =
        machine("digraph { \"a b\" -> c -> \"a b\" [label=x] subgraph g { c -> c [label=y] } rankdir=LR }");
    assert_eq!(plain.table(), [1, u32::MAX, 0, 1]);
    assert!(plain.outputs().is_empty() && plain.initial().is_none());
}

#[test]
fn identical_duplicates_are_one_and_conflicts_show_both_places() {
    let twice = machine("digraph { a -> b [label=x]; a -> b [label=x] }");
    assert_eq!(twice.table(), [1, u32::MAX]);
    let conflict = error("digraph {\n a -> b [label=\"x/0\"];\n a -> b [label=\"x/1\"];\n}");
    assert_eq!(conflict.line_column(), Some((3, 2)));
    assert_eq!(conflict.message(), "this transition contradicts the one on line 2");
}

#[test]
fn a_graph_without_states_is_an_empty_machine() {
    assert!(machine("digraph {}").states().is_empty());
    assert_eq!(machine("digraph { a }").states().len(), 1);
}

#[test]
fn errors_point_at_the_line() {
    for (text, line, message) in [
        ("digraph {\na -> [label=x]\n}", 2, "expected the state that this transition leads to"),
        ("digraph {\na -> b\n}", 2, "this transition has no input"),
        ("digraph {\na -> b [label=\"x\n}", 2, "this string is never closed"),
        ("digraph {\na -> b [label=x]\n", 2, "the file ends before the graph does"),
        ("graph { a -- b }", 1, "a machine's edges are directed"),
        ("graph {}", 1, "a machine is a directed graph"),
        ("digraph {\n\n? }", 3, "unexpected `?`"),
        ("digraph {\n} x", 2, "expected nothing after the graph's closing `}`"),
        ("digraph { __start0 -> a\n__start0 -> b }", 2, "a second initial state: a machine starts in one"),
        ("digraph { a [label=\n}", 2, "expected the value of `label`"),
        ("", 1, "expected `digraph`"),
    ] {
        let found = error(text);
        assert_eq!(
            (found.line_column().map(|place| place.0), found.message()),
            (Some(line), message),
            "{text}"
        );
    }
}

#[test]
fn whatever_a_label_is_it_is_read_back() {
    let odd = [
        "a / b",
        "x | y",
        "\"q\"",
        "back\\slash",
        "a\\nb",
        "two\nlines",
        "\r",
        " blank ",
        "\u{1f600}",
        "<b>",
        "#",
        "// c",
        "/",
        "|",
        "1 / 2 | 3",
        "(",
        "-",
        "{}",
        "'",
        ";",
        "\\",
        "\\\"",
        "tab\t",
    ];
    let mut builder = Builder::new();
    let state = builder.state("s");
    builder.initial(state);
    for (at, text) in odd.iter().enumerate() {
        let input = builder.input(text);
        let output = builder.output(odd[(at + 1) % odd.len()]);
        builder.add(state, input, Some(output), state);
    }
    let text =
        super::super::write_machine(&builder.build().unwrap(), super::super::MachineFormat::Dot).unwrap();
    let read = machine(&text);
    for (at, text) in odd.iter().enumerate() {
        let input = read.inputs().find(text).unwrap_or_else(|| panic!("{text:?}"));
        let output = read.output(0, input).unwrap();
        assert_eq!(read.outputs().name(output), odd[(at + 1) % odd.len()]);
    }
    assert!(error("digraph { a -> b [label=x provoke_input=y] }").message().contains("is no JSON string"));
}
