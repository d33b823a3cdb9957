use super::*;

const SMALL: &str = "table 3 2 1 # comment\ninputs a b\n1 2\n1/7 -\n\n0 0\n";

fn parse_text(text: &str) -> Result<Machine, SpecError> {
    parse("m.table", text.as_bytes().to_vec())
}

#[test]
fn text_and_binary_hold_the_same_machine() {
    let machine = parse_text(SMALL).unwrap();
    assert_eq!(machine.table(), [1, 2, 1, UNDEFINED, 0, 0]);
    assert_eq!((machine.initial(), machine.output(1, 0), machine.output(0, 0)), (Some(1), Some(7), None));
    let (mut text, mut binary) = (Vec::new(), Vec::new());
    write_text(&machine, &mut text).unwrap();
    assert_eq!(parse("m.table", text).unwrap(), machine);
    write_binary(&machine, &mut binary).unwrap();
    let back = parse("m.table", binary).unwrap();
    assert_eq!(
        (back.table(), back.output_table(), back.initial()),
        (machine.table(), machine.output_table(), Some(1))
    );
}

#[test]
fn the_smallest_tables() {
    assert_eq!(parse_text("table 0 0").unwrap().states().len(), 0);
    assert_eq!(parse_text("table 0 2").unwrap().states().len(), 0);
    assert_eq!(parse_text("table 1 0").unwrap().states().len(), 1);
    assert_eq!(parse_text("table 1 1\n0").unwrap().table(), [0]);
}

#[test]
fn errors_point_at_the_word() {
    for (text, place) in [
        ("", (1, 1)),
        ("tables 3 2", (1, 1)),
        ("table 3", (1, 1)),
        ("table 3 x", (1, 9)),
        ("table 3 2 3", (1, 11)),
        ("table 4000000000 4000000000", (1, 1)),
        ("table 2 1\n1\n2\n", (3, 1)),
        ("table 2 1\n1\n", (2, 2)),
        ("table 2 1\n1 1\n", (2, 3)),
        ("table 2 2\n1\n", (2, 2)),
        ("table 2 1\n1\n0\n1\n", (4, 1)),
        ("table 2 1\ninputs a b\n", (2, 1)),
        ("table 2 1\n1/x\n", (2, 1)),
        ("table 2 1\n-1\n", (2, 1)),
    ] {
        let error = parse_text(text).unwrap_err();
        assert_eq!(error.line_column(), Some(place), "{text}\n{error}");
    }
}

#[test]
fn a_cut_off_binary_table_says_so() {
    let mut bytes = Vec::new();
    write_binary(&parse_text(SMALL).unwrap(), &mut bytes).unwrap();
    bytes.pop();
    assert!(parse("m.table", bytes).unwrap_err().message().contains("but 63 follow"));
    assert!(parse("m.table", MAGIC.to_vec()).unwrap_err().message().contains("the header is cut off"));
}
