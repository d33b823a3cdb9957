use super::*;

fn read(text: &str) -> Lts {
    Lts::read(&Source::new("m", text), &Words::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn shown(lts: &Lts) -> Vec<(String, String, String)> {
    let name = |at: u32| lts.states[at as usize].clone();
    lts.transitions.iter().map(|one| (name(one.from), lts.show(one.label), name(one.to))).collect()
}

fn triples(list: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    list.iter().map(|(from, label, to)| (from.to_string(), label.to_string(), to.to_string())).collect()
}

#[test]
fn aldebaran_as_the_usual_tools_write_it() {
    // CADP, mCRL2, TorX, and something odd.
    for text in [
        "des (0, 4, 3)\n(0, \"?coin\", 1)\n(1, i, 2)\n(2, \"!tea\", 0)\n(2, \"!tea( 1, 2 )\", 0)\n",
        "des (0,4,3)\n(0,\"?coin\",1)\n(1,\"tau\",2)\n(2,\"!tea\",0)\n(2,\"!tea(1,2)\",0)",
        "des(0,4,3)\r\n(0,?coin,1)\r\n(1,tau,2)\r\n(2,!tea,0)\r\n(2,!tea(1,2),0)\r\n",
        "\u{feff}# a comment\n\n  des  ( 0 , 4,3 )\n% more\n\t( 0 , coin? , 1 )\n(1,\"i\",2)\n// x\n(2, tea!, 0)\n(2, \"tea(1, 2)!\", 0)\n",
    ] {
        let lts = read(text);
        assert_eq!((lts.initial, lts.states.len()), (0, 3), "{text}");
        let expected = [("0", "?coin", "1"), ("1", "tau", "2"), ("2", "!tea", "0"), ("2", "!tea(1,2)", "0")];
        assert_eq!(shown(&lts), triples(&expected), "{text}");
        assert_eq!(
            (&lts.inputs[..], &lts.outputs[..]),
            (&["coin".into()][..], &["tea".into(), "tea(1,2)".into()][..])
        );
    }
}

#[test]
fn a_graph() {
    let lts = read(
        "digraph coffee { start [shape=point]; start -> idle; idle -> \"a b\" [label=\"?coin\"]\n \"a b\" -> idle [label=<!tea<br/>>]; idle -> idle [label=delta]; idle -> idle [label=mu] }",
    );
    assert_eq!(
        shown(&lts),
        triples(&[("idle", "?coin", "a b"), ("a b", "!tea", "idle"), ("idle", "delta", "idle")])
    );
    assert_eq!(lts.states[lts.initial as usize], "idle");
}

#[test]
fn what_is_written_is_read_again() {
    let text = "des (1, 5, 2)\n(0, \"?a\\\"b\", 1)\n(1, i, 0)\n(1, \"!x\\\\y\", 0)\n(1, delta, 1)\n(0, \"!z(1)\", 0)";
    let lts = read(text);
    let (mut aut, mut dot) = (Vec::new(), Vec::new());
    write_aut(&lts, &mut aut).unwrap();
    write_dot(&lts, &mut dot).unwrap();
    for again in [aut, dot] {
        let again = read(&String::from_utf8(again).unwrap());
        assert_eq!((shown(&again), again.initial), (shown(&lts), lts.initial));
    }
}

#[test]
fn errors_point_at_the_word() {
    for (text, place, message) in [
        ("", (1, 1), "this is not a labelled transition system"),
        ("states 3", (1, 1), "this is not a labelled transition system"),
        ("des (0, 0, 0)", (1, 1), "a transition system has at least one state"),
        ("des (0, 1, 2)\n(0, tea, 1)", (2, 5), "`tea` is neither an input nor an output"),
        ("des (0, 1, 2)\n(0, \"?\", 1)", (2, 5), "this label has no name"),
        (
            "des (0, 1, 2)\n(0, \"?mu\", 1)",
            (2, 5),
            "waiting changes nothing, so this must lead back to where it begins",
        ),
        ("des (0, 1, 2)\n(0, ?a, 2)", (2, 9), "state 2 does not exist"),
        ("# x\ndes (0, 2, 2)\n(0, ?a, 1)", (2, 1), "the first line announces 2 transitions, but 1 follow"),
        ("digraph { s [shape=point]; s -> a;\na -> b }", (2, 1), "this transition has no label"),
    ] {
        let error = Lts::read(&Source::new("m", text), &Words::default()).unwrap_err();
        assert_eq!((error.line_column(), error.message()), (Some(place), message), "{text}\n{error}");
    }
    let error = Lts::read(&Source::new("m.dot", "digraph { a -> b [label=\"?x\"] }"), &Words::default());
    assert_eq!(error.unwrap_err().message(), "m.dot: no state is the initial one");
}
