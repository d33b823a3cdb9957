//! What people are told.

use super::super::{Type, parse};
use super::scope;
use crate::diagnostic::Source;

/// The message, the text that is underlined first, and the help.
fn message(text: &str) -> String {
    let source = Source::new("t", text);
    let read = parse(&source.text).and_then(|expression| expression.compile(&source, &scope(), None));
    let error = read.map(|code| code.of().clone()).unwrap_err();
    let column = error.line_column().map_or(0, |(_, column)| column);
    let help = error.help_text().map(|help| format!(" ({help})")).unwrap_or_default();
    format!("{column}: {}{help}", error.message())
}

#[test]
fn mistakes_of_writing() {
    for (text, expected) in [
        ("", "1: there is no expression here"),
        ("a &", "4: expected an expression, found the end"),
        ("a b", "3: expected an operator, found `b`"),
        ("(a", "1: this bracket is never closed (add `)` where it ends)"),
        ("a)", "2: expected an operator, found `)` (this bracket was never opened)"),
        ("{1, 2", "1: this bracket is never closed (add `}` where it ends)"),
        (
            "0 < k < 5",
            "7: comparisons and ranges cannot be chained (write `a < b & b < c`, or put one of them in parentheses)",
        ),
        ("if a then 1", "12: expected `else` behind what `then` gives, found the end"),
        ("all x in s", "11: expected `:` behind the domain, found the end"),
        ("{x in s}", "8: expected `|` behind the domain, found `}`"),
        ("all in s", "1: nothing is called `all`"),
        (
            "sqrt(k)",
            "5: expected an operator, found `(` (the functions are min, max, abs and size; maps are looked up as `m[k]`)",
        ),
        ("a = then", "5: expected an expression, found `then`"),
        ("k := 3", "3: expected an operator, found `:=` (two values are compared with `=`)"),
        ("9223372036854775808", "1: this number is too large (integers have 64 bits)"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn mistakes_of_meaning() {
    for (text, expected) in [
        ("flor = 3", "1: nothing is called `flor`"),
        ("c = grene", "5: nothing is called `grene` (did you mean `green`?)"),
        ("c = Colour.rde", "5: `rde` is not a value of `Colour` (did you mean `red`?)"),
        (
            "c = Digit.red",
            "5: `Digit` is not an enumeration (only values of enumerations stand behind a dot)",
        ),
        ("c = 3", "1: `c` is a value of `Colour`, but `3` is an integer"),
        ("k = red", "1: `k` is an integer, but `red` is a value of `Colour`"),
        ("c + 1", "1: `c` is a value of `Colour`, but `+` is for integers"),
        ("s + {1}", "1: `s` is a set of integers, but `+` is for integers (sets are joined with `union`)"),
        ("a < b", "1: `a` is a Boolean, but `<` compares integers"),
        ("k & a", "1: `k` is an integer, but `&` and `|` join Booleans"),
        ("!k", "2: `k` is an integer, but `!` turns Booleans round"),
        ("if k then 1 else 2", "4: `k` is an integer, but the condition of `if` is a Boolean"),
        ("if a then 1 else red", "1: `1` is an integer, but `red` is a value of `Colour`"),
        ("k in 3", "6: `3` is an integer, but `in` asks whether something is in a set"),
        ("k in {red}", "1: `k` is an integer, but `{red}` is a set of Colour"),
        (
            "s union 3",
            "9: `3` is an integer, but `union` stands between sets (a set with one element is `{x}`)",
        ),
        ("{n}", "1: the elements of this set have no bounds (a set is of a type with at most 65536 values)"),
        ("s[1]", "1: `s` is a set of integers, but only maps are looked up with `[...]`"),
        ("m[red]", "3: `red` is a value of `Colour`, but the keys of `m` are 0..9"),
        ("m[12]", "3: `12` is no key of `m` (its keys are 0..9)"),
        (
            "all x in int : x > 3",
            "10: `int` has too many values to go through them (a domain has at most 65536 values; give it bounds, `0..9`)",
        ),
        ("all k in s : a", "1: `k` means something else already (take another name here)"),
        (
            "[x in s : x]",
            "1: the keys of a map must not depend on the state (name a type, or a range between constants)",
        ),
        ("k / 0", "5: this divides by zero"),
        (
            "9223372036854775807 + 1 + k",
            "1: `9223372036854775807 + 1` always overflows (integers have 64 bits)",
        ),
        ("abs(1, 2)", "1: `abs` is of one value, and here are 2"),
        ("min()", "1: `min` of nothing has no value"),
        ("size(k)", "6: `k` is an integer, but `size` is of a set"),
        ("{1, a}", "5: `1` is an integer, but `a` is a Boolean"),
    ] {
        assert_eq!(message(text), expected, "{text}");
    }
}

#[test]
fn a_value_of_two_enumerations_is_told_apart_by_what_stands_beside_it() {
    let mut scope = scope();
    let lamp = super::Enumeration { name: "Lamp".into(), values: vec!["red".into(), "off".into()] };
    let lamp = super::Scalar::Enumeration(scope.enumeration(lamp).unwrap());
    scope.variable("lamp", Type::Scalar(lamp)).unwrap();
    let read = |text: &str| {
        let source = Source::new("t", text);
        parse(text)
            .unwrap()
            .compile(&source, &scope, None)
            .map(|_| ())
            .map_err(|error| error.message().to_owned())
    };
    for text in [
        "lamp = red",
        "red = lamp",
        "c != red",
        "lamp in {red, off}",
        "red in u",
        "Lamp.red = lamp",
        "red in {c}",
    ] {
        assert_eq!(read(text), Ok(()), "{text}");
    }
    assert_eq!(read("red = red"), Err("`red` is a value of `Colour` and of `Lamp`".into()));
    assert_eq!(read("lamp = c"), Err("`lamp` is a value of `Lamp`, but `c` is a value of `Colour`".into()));
    assert_eq!(
        read("lamp = green"),
        Err("`lamp` is a value of `Lamp`, but `green` is a value of `Colour`".into())
    );
}
