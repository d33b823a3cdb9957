use crate::bdd::Space;
use crate::diagnostic::Source;
use crate::letter::{Alphabet, Interface, Kind};
use crate::ltl::{Parsed, parse_in};

fn space() -> Space {
    let floor = || Kind::Number { low: 0, high: 6 };
    let inputs = [("call", floor()), ("door", Kind::Boolean), ("mode", Kind::enumeration(["idle", "T"]))];
    let outputs =
        [("floor", floor()), ("motor", Kind::enumeration(["up", "down", "off"])), ("once", Kind::Boolean)];
    let side = |fields: [(&'static str, Kind); 3]| Alphabet::of_fields(fields).unwrap();
    Space::new(Interface::new(side(inputs), side(outputs)).unwrap())
}

fn read(text: &str) -> Result<Parsed, String> {
    let space = space();
    let source = Source::new("t", text);
    parse_in(&source, 0..text.len(), Some(&space)).map_err(|error| error.message().to_owned())
}

#[test]
fn comparisons_are_parts_of_formulas() {
    for (text, shown) in [
        ("G(call=5 -> F[0:20] floor=5)", "G(call = 5 -> F[0:20](floor = 5))"),
        ("G !floor>3 & door", "G !(floor > 3) & door"),
        ("G (floor + 1) * 2 <= call | door", "G((floor + 1) * 2 <= call) | door"),
        ("motor = up U floor in {1, 3}", "(motor = up) U (floor in {1, 3})"),
        ("H floor != 3 & mode = T S door", "H(floor != 3) & ((mode = T) S door)"),
        ("once & O motor not in {up, down}", "once & O(motor not in {up, down})"),
        (
            "if door & call > 3 then motor = up else floor <= 2 & door",
            "if door & call > 3 then motor = up else floor <= 2 & door",
        ),
        ("(door) -> (floor) = abs(call - 3)", "door -> floor = abs(call - 3)"),
        ("(call >= 2 & door) xor floor<-1", "(call >= 2 & door) xor floor < -1"),
        ("max(floor, call) = 6 => X call in 2..4", "max(floor, call) = 6 -> X(call in 2..4)"),
        ("door = (floor > 2)", "door = (floor > 2)"),
        ("3 < floor <-> door", "3 < floor <-> door"),
    ] {
        let parsed = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(parsed.formula.to_string(), shown);
        assert_eq!(read(shown).unwrap().formula, parsed.formula, "{text}");
    }
}

#[test]
fn types_are_checked_where_they_stand() {
    let wrong = |text: &str| read(text).unwrap_err();
    assert_eq!(wrong("G motor = 3"), "`motor` is one of up, down, off, but `3` is an integer");
    assert_eq!(wrong("F(floor = up)"), "`floor` is an integer, but `up` is one of up, down, off");
    assert_eq!(wrong("mode + 1 = 2"), "`mode` is one of idle, T, but `+` is for integers");
    assert_eq!(wrong("door & motor = fast"), "`fast` is not one of up, down, off");
    assert_eq!(wrong("G floor"), "`floor` is a number from 0 to 6, and a formula says what is true");
    assert_eq!(wrong("flor > 3"), "nothing is called `flor`");
    assert_eq!(wrong("floor mod 2 = 0"), "`floor mod 2` is for model programs, not for formulas");
    assert_eq!(wrong("floor = 3 door"), "expected an operator, found `door`");
}

#[test]
fn what_is_always_true_or_false_is_told() {
    let warning = |text: &str| read(text).unwrap().warnings.first().map(|warning| warning.message.clone());
    assert_eq!(warning("G floor = 7").as_deref(), Some("`floor = 7` is always false"));
    assert_eq!(warning("G(call <= 6)").as_deref(), Some("`call <= 6` is always true"));
    assert_eq!(warning("G(call <= 5)"), None);
}
