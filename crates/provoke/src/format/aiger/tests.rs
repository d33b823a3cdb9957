use proptest::prelude::*;

use super::*;

const TOGGLE: &str =
    "aag 3 1 1 2 1\n2\n4 7\n4\n6\n6 4 2\ni0 enable\nl0 state\no0 shown\no1 both\nc\nmade by hand\n";

#[test]
fn a_file_is_read_with_its_names() {
    let (circuit, _) = read("toggle.aag", TOGGLE.as_bytes()).unwrap();
    assert_eq!(circuit.inputs, ["enable"]);
    assert_eq!(
        circuit.latches[0],
        Latch { name: Some("state".into()), next: !Literal::of(3), reset: Some(false) }
    );
    assert_eq!(circuit.outputs[1], Signal { name: Some("both".into()), value: Literal::of(3) });
    assert_eq!(circuit.gates, [[Literal::of(2), Literal::of(1)]]);
    assert_eq!(circuit.comment, "made by hand");
}

#[test]
fn faults_are_shown_where_they_are() {
    type Case = (&'static str, &'static str, Option<(usize, usize)>);
    let cases: [Case; 12] = [
        ("", "this is not an AIGER file", Some((1, 1))),
        ("aag 1 1 0 0", "", None),
        ("aag 1 1 0 0 0\n9\n", "", Some((2, 1))),
        ("aag 1 2 0 0 0\n2\n2\n", "the header says that variables go up to 1, and there are 2", Some((1, 1))),
        ("aag 2 2 0 0 0\n2\n2\n", "literal 2 is defined a second time", Some((3, 1))),
        (
            "aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n",
            "literal 4 depends on itself: the definitions are cyclic",
            Some((5, 1)),
        ),
        ("aag 3 1 0 1 1\n2\n4\n4 6 2\n", "this gate reads literal 6, which nothing defines", Some((4, 1))),
        ("aag 3 1 0 1 1\n2\n6\n4 2 2\n", "this output reads literal 6, which nothing defines", Some((3, 1))),
        ("aag 1 1 0 1 0\n2\n2\ni0 a\ni0 b\n", "`i0` has a second name", Some((5, 1))),
        ("aag 2 2 0 0 0\n2\n4\ni0 a\ni1 a\n", "`i0` is called `a` already", Some((5, 1))),
        ("aag 1 1 0 1 0\n2\n2\ni1 a\n", "there is no `i1` that could have a name", Some((4, 1))),
        (
            "aag 1000000000 999999999 0 0 0\n",
            "the header promises more than there is in the file",
            Some((1, 1)),
        ),
    ];
    for (text, message, place) in cases {
        let error = read("bad.aag", text.as_bytes()).unwrap_err();
        assert!(error.message().contains(message), "{text:?}: {error}");
        if place.is_some() {
            assert_eq!(error.line_column(), place, "{text:?}: {error}");
        }
    }
}

#[test]
fn version_1_9_is_read() {
    let text = "aag 4 2 1 1 1 1 1 1 1\n2\n4\n6 8 1\n6\n8\n2\n2\n2\n4\n4\n8 2 4\nb0 bad one\nc0 fine\n";
    let (circuit, _) = read("new.aag", text.as_bytes()).unwrap();
    assert_eq!(circuit.latches[0].reset, Some(true));
    assert_eq!(circuit.bad, [Signal { name: Some("bad one".into()), value: Literal::of(4) }]);
    assert_eq!(circuit.constraints, [Signal { name: Some("fine".into()), value: Literal::of(1) }]);
    assert_eq!(circuit.left_aside, 2);
}

#[test]
fn a_truncated_binary_is_no_circuit() {
    let (circuit, _) = read("toggle.aag", TOGGLE.as_bytes()).unwrap();
    let bytes = circuit.to_binary();
    assert_eq!(read("toggle.aig", &bytes).unwrap().0, circuit);
    let body = bytes.windows(7).position(|window| window == b"i0 enab").unwrap();
    for end in 0..body {
        let error = read("toggle.aig", &bytes[..end]).unwrap_err();
        assert!(!error.message().is_empty());
    }
}

/// A circuit made of numbers.
pub(crate) fn made(inputs: usize, latches: usize, picks: &[(u16, u16)]) -> Circuit {
    let names: Vec<String> = (0..inputs).map(|at| format!("x{at}")).collect();
    let states: Vec<String> = (0..latches).map(|at| format!("s{at}")).collect();
    let mut builder = CircuitBuilder::new(
        names.iter().map(String::as_str),
        states.iter().enumerate().map(|(at, name)| (name.as_str(), at % 2 == 1)),
    );
    let mut known = vec![Literal::TRUE];
    known.extend((0..inputs).map(|at| builder.input(at)).chain((0..latches).map(|at| builder.latch(at))));
    let pick =
        |known: &[Literal], number: u16| known[number as usize / 2 % known.len()].negated_if(number % 2 == 1);
    for &(left, right) in picks {
        let gate = builder.and(pick(&known, left), pick(&known, right));
        known.push(gate);
    }
    for at in 0..latches {
        let next = known[known.len() - 1 - at % known.len().min(latches + 2)];
        builder.next(at, next.negated_if(at % 3 == 1));
    }
    builder.output("last", known[known.len() - 1]);
    builder.finish()
}

proptest! {
    #[test]
    fn what_is_written_is_read(inputs in 0usize..4, latches in 0usize..4, picks in prop::collection::vec(any::<(u16, u16)>(), 0..12)) {
        let circuit = made(inputs, latches, &picks);
        let (ascii, _) = read("a.aag", circuit.to_ascii().as_bytes()).unwrap();
        prop_assert_eq!(&ascii, &circuit);
        let (binary, _) = read("a.aig", &circuit.to_binary()).unwrap();
        // The format orders the two sides of a gate.
        prop_assert_eq!(binary.to_ascii().lines().count(), circuit.to_ascii().lines().count());
        let mut values = vec![false; circuit.nodes()];
        for code in 0..1usize << (inputs + latches) {
            (0..inputs + latches).for_each(|at| values[1 + at] = code >> at & 1 == 1);
            let mut others = values.clone();
            circuit.evaluate(&mut values);
            binary.evaluate(&mut others);
            prop_assert_eq!(&values, &others);
        }
    }

    #[test]
    fn nothing_that_is_read_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0usize..80, value in any::<u8>()) {
        let _ = read("x.aag", &bytes);
        let mut text = TOGGLE.as_bytes().to_vec();
        let place = at % text.len();
        text[place] = value;
        let _ = read("x.aag", &text);
        let mut binary = read("toggle.aag", TOGGLE.as_bytes()).unwrap().0.to_binary();
        let place = at % binary.len();
        binary[place] = value;
        let _ = read("x.aig", &binary);
    }
}
