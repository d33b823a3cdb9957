//! What is said of models that are wrong.

use super::super::{Actions, Direction, Program, States, Workspace};
use super::read;
use crate::diagnostic::{Source, SpecError};

fn shown(error: &SpecError) -> String {
    let (line, column) = error.line_column().unwrap_or((0, 0));
    let help = error.help_text().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{line}:{column}: {}{help}", error.message())
}

#[test]
fn models_that_cannot_be_right_are_refused() {
    for (text, expected) in [
        ("var x : int = 0\ncontrollable A\n  when 1 / 0 > x", "3:12: this divides by zero"),
        (
            "controllable A(i in int)",
            "1:21: `int` has too many values to go through them (a domain has at most 65536 values; give it bounds, `0..9`)",
        ),
        (
            "controllable A(i in 0..100000)",
            "1:21: this range is too long to go through (a domain has at most 65536 values)",
        ),
        ("controllable A(i in 3..2)", "1:21: `A` is never enabled: there is no value in this domain"),
        ("controllable A(i in {})", "1:21: this set has no element to go through"),
        ("var x : 0..9 = 0\ncontrollable A\n  when x > 9", "3:8: `A` is never enabled: this is always false"),
        ("controllable A(i in 0..3) when i in {4, 5}", "1:32: `A` is never enabled: this is always false"),
        ("var x : bool = 3\ncontrollable A", "1:16: `3` is an integer, not bool"),
        ("var x : int = 0\ncontrollable A  x := true", "2:22: `true` is a Boolean, not int"),
        (
            "var level : int = 0\ncontrollable A  levl := 1",
            "2:17: there is no variable `levl` (did you mean `level`?)",
        ),
        ("controllable A(i in 0..3)  i := 1", "1:28: `i` is a parameter, and only variables are updated"),
        ("const N = 3\ncontrollable A  N := 1", "2:17: `N` is a constant, and only variables are updated"),
        (
            "var x : int = 9223372036854775807 + 1",
            "1:15: `9223372036854775807 + 1` always overflows (integers have 64 bits)",
        ),
        ("var x : 0..9 = 10", "1:16: `10` is never in 0..9"),
        ("type T = 3..2", "1:10: the type 3..2 has no values"),
        (
            "var x : set of int = {}",
            "1:16: the elements of a set cannot be int (they are of a type with at most 65536 values)",
        ),
        (
            "var x : map int to bool = 0",
            "1:13: the keys of a map cannot be int (they are of a type with at most 65536 values)",
        ),
        (
            "type T = map 0..65535 to map 0..9 to bool",
            "1:10: a value of this type takes more than 65536 words",
        ),
        (
            "var x : Robt = 0",
            "1:9: there is no type `Robt` (types are `bool`, `int`, `0..9`, `set of T`, `map T to T` and names of types)",
        ),
        ("type Robot = 0..3 var x : Robt = 0", "1:27: there is no type `Robt` (did you mean `Robot`?)"),
        (
            "var x : int",
            "1:12: expected `=` and an initial value, found the end (or `in` and a set of values, any of which it may begin with)",
        ),
        ("var x : 0..3 in {}", "1:17: this set has no element to go through"),
        ("var x : 0..3 in 2..5", "1:17: 4 is outside 0..3"),
        ("var x : int = 0 var x : int = 0", "1:21: `x` means something else already (take another name)"),
        ("enum E { a, a }", "1:13: `a` means something else already (take another name)"),
        ("var n : int = 3 type T = 0..n", "1:29: `n` is a variable, and this must not depend on the state"),
        (
            "var when : int = 0",
            "1:5: `when` cannot be the name of a variable (it begins a part of a model; in double quotes, `\"when\"`, it is a name)",
        ),
        ("controlable A", "1:1: expected a declaration, found `controlable` (did you mean `controllable`?)"),
        ("controllable A controllable A", "1:29: the action `A` is declared twice"),
        (
            "controllable A(i)",
            "1:17: expected `in` and a domain behind the name of the parameter, found `)` (a domain is a type, a range or a set, and may depend on the state)",
        ),
        (
            "var x : int = 0 controllable A x = 3",
            "1:34: expected `:=` or `:in` behind what is updated, found `=` (`=` compares; an update is `x := e`)",
        ),
        (
            "var x : int = 0 controllable A x := 3 when x > 3",
            "1:39: `when` stands before the updates (guards are about the state before the action)",
        ),
        (
            "var x : bool = true controllable A x :in 0..1",
            "1:42: values of 0..1 are chosen here for something that is bool",
        ),
        (
            "var x : set of bool = {} controllable A x :in bool",
            "1:47: set of bool cannot be chosen from a set (choose single values: `choose v in S`, and build it from them)",
        ),
        ("controllable A weight -1", "1:23: `-1` is never in 0..4294967295"),
        ("reset when 3 controllable A", "1:12: `3` is an integer, not bool"),
        ("reset when true reset when true", "1:17: `reset` is declared twice"),
        ("", "0:0: test.model declares no action (actions begin with `controllable` or `observable`)"),
    ] {
        assert_eq!(shown(&read(text).unwrap_err()), expected, "{text}");
    }
}

/// What is said where all actions are taken, again and again, until one shows that the model is wrong.
fn met(text: &str) -> String {
    let program = read(text).unwrap();
    let (mut work, mut actions, mut states) = (Workspace::new(), Actions::new(), States::new());
    let mut state = program.initial().get(0).to_vec();
    for _ in 0..100 {
        if let Err(error) = program.enabled(Direction::Controllable, &state, &mut work, &mut actions) {
            return shown(&error);
        }
        match program.step(&state, actions.get(actions.len() - 1), &mut work, &mut states) {
            Ok(accepted) => assert!(accepted),
            Err(error) => return shown(&error),
        }
        state = states.get(0).to_vec();
    }
    panic!("nothing is wrong with {text}");
}

#[test]
fn what_depends_on_the_state_is_found_when_it_is_met() {
    for (text, expected) in [
        (
            "var x : int = 3\ncontrollable A(i in 0..1)\n  when 6 / x > 0 | i >= 0\n  x := x - 1",
            "3:8: in `A(0)`: this divides by zero",
        ),
        (
            "var x : int = 1\ncontrollable A\n  x := x * 1000",
            "3:8: in `A`: this overflows: integers have 64 bits",
        ),
        ("var x : 0..5 = 0\ncontrollable A(i in 0..2)\n  x := x + i", "3:8: in `A(2)`: 6 is outside 0..5"),
        (
            "var x : int = 0 var m : map 0..3 to int = [i in 0..3 : 0]\ncontrollable A\n  m[x] := 1\n  x := x + 1",
            "3:5: in `A`: 4 is no key of this map; its keys are 0..3",
        ),
        (
            "var x : 0..3 = 0 var m : map 0..3 to int = [i in 0..3 : 0]\ncontrollable A when m[x + 1] = 0\n  x := x + 1",
            "2:23: in `A`: 4 is no key of this map; its keys are 0..3",
        ),
        (
            "var x : int = 1\ncontrollable A(i in 0..x)\n  x := x * 10 + i",
            "2:21: in `A`: 0..161051 is too long to go through: a domain has at most 65536 values",
        ),
        (
            "var x : 0..5 = 0\ncontrollable A\n  x :in x + 1..3",
            "3:9: in `A`: there is nothing to choose from",
        ),
        ("var x : 0..5 = 3\ncontrollable A\n  x :in x + 1..x + 2", "3:9: in `A`: 6 is outside 0..5"),
        (
            "var x : 0..60000 = 0\ncontrollable A\n  choose a in 0..60000\n  choose b in 0..60000\n  x := 0",
            "4:15: in `A`: this leads to too many states",
        ),
    ] {
        assert_eq!(met(text), expected, "{text}");
    }
    let found = met("controllable A(a in 0..60000, b in 0..60000)\n  when a = b");
    let expected = "more than 4194304 combinations of arguments would have to be tried";
    assert!(found.starts_with("1:21: in `A(") && found.ends_with(expected), "{found}");
}

#[test]
fn constants_are_given_other_values() {
    let source = Source::new("test.model", "const N = 3 const C = {1} var x : 0..N = 0 controllable A");
    assert_eq!(Program::read_with(&source, &[("N", 7)]).unwrap().variables()[0].of.to_string(), "0..7");
    let message = |constants: &[(&str, i64)]| shown(&Program::read_with(&source, constants).unwrap_err());
    assert_eq!(message(&[("N", -1)]), "1:35: the type 0..-1 has no values");
    assert_eq!(message(&[("M", 1)]), "0:0: there is no constant `M` to give another value");
    assert_eq!(
        message(&[("C", 1)]),
        "1:19: the constant `C` is set of 1..1, and only integers are given other values"
    );
}
