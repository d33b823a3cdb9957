use super::*;
use crate::letter::Interface;

fn shown(text: &str) -> String {
    parse(text).unwrap().formula.to_string()
}

fn error(text: &str) -> (String, (usize, usize), Option<String>) {
    let error = parse(text).unwrap_err();
    (error.message().to_owned(), error.line_column().unwrap(), error.help_text().map(str::to_owned))
}

#[test]
fn every_spelling_is_read() {
    for text in ["G(a -> F b)", "[](a=><>b)", "G ( ( a ) --> F b )", "□(a → ◇b)", "G(\"a\" ⇒ Fb)"] {
        assert_eq!(shown(text), "G(a -> F b)", "{text}");
    }
    assert_eq!(shown("a && b /\\ c & d"), "a & b & c & d");
    assert_eq!(shown("a || b \\/ c | ~d"), "a | b | c | !d");
    assert_eq!(shown("a <-> (b <=> true) ^ 0"), "a <-> ((b <-> 1) xor 0)");
    assert_eq!(shown("(a W b) & (a R b) & (a V b) & (a M b)"), "(a W b) & (a R b) & (a R b) & (a M b)");
    assert_eq!(
        shown("X[3]p & F[0:5]q & G[2..4]r & N s & F[2:]q & X[!]a"),
        "XXX p & F[0:5] q & G[2:4] r & N s & F[2:] q & X a"
    );
    assert_eq!(shown("X[0]p"), "p");
    assert_eq!(
        shown("\"a b\" & \"say \\\"hi\\\"\" & \"U\" & \"Fault\""),
        "\"a b\" & \"say \\\"hi\\\"\" & \"U\" & \"Fault\""
    );
}

#[test]
fn precedence_is_that_of_spot() {
    assert_eq!(shown("a -> b <-> c -> d"), "a -> (b <-> (c -> d))");
    assert_eq!(shown("a | b xor c & d U e"), "a | (b xor (c & (d U e)))");
    assert_eq!(shown("a U b U c"), "a U (b U c)");
    assert_eq!(shown("a U b R c W d M e"), "a U (b R (c W (d M e)))");
    assert_eq!(shown("!a U F b & G c"), "(!a U F b) & G c");
    assert_eq!(shown("a xor b xor c"), "(a xor b) xor c");
    assert_eq!(shown("a & b | c -> d"), "a & b | c -> d");
    assert_eq!(shown("G a -> b"), "G a -> b");
}

#[test]
fn operators_may_be_glued_to_names() {
    assert_eq!(shown("GFp0 & XXXo0 & FG!p1 & GX(a)"), "GF p0 & XXX o0 & FG !p1 & GX a");
    assert_eq!(shown("F1 & X_a & aUb"), "F1 & X_a & aUb");
    assert_eq!(shown("Ftrue"), "F 1");
}

#[test]
fn an_interface_says_what_a_word_is() {
    let space = Space::new(Interface::signals(["Fault", "go", "R"], ["X", "GO"]).unwrap());
    let read = |text: &str| {
        let source = Source::new("r1", text);
        parse_in(&source, 0..text.len(), Some(&space)).map(|parsed| parsed.formula.to_string())
    };
    assert_eq!(read("G(Fault -> Fgo)").unwrap(), "G(\"Fault\" -> F go)");
    assert_eq!(read("R U GO & R").unwrap(), "(\"R\" U \"GO\") & \"R\"");
    assert_eq!(read("X X & \"X\"").unwrap_err().message(), "expected a formula before `&`");
    let error = read("G(Fault -> F gp)").unwrap_err();
    assert_eq!(error.message(), "unknown proposition `gp`");
    assert_eq!(error.help_text(), Some("did you mean `go`?"));
    assert_eq!(error.line_column(), Some((1, 14)));
    let error = read("cargo").unwrap_err();
    assert_eq!(error.help_text(), Some("the interface has Fault, go, R, X, GO"));
}

#[test]
fn errors_point_at_the_fault() {
    let help = |text: &str| Some(text.to_owned());
    assert_eq!(error("G(a -> F b").0, "this parenthesis is never closed");
    assert_eq!(error("G(a -> F b").1, (1, 2));
    assert_eq!(error("a & b) | c").1, (1, 6));
    assert_eq!(error("a &").0, "expected a formula after `&`");
    assert_eq!(error("a & & b"), ("expected a formula before `&`".into(), (1, 5), None));
    assert_eq!(
        error("a and b"),
        ("expected an operator before `and`".into(), (1, 3), help("conjunction is `&`"))
    );
    assert_eq!(error("a = 1").0, "unexpected `=` in a formula");
    assert_eq!(error("").0, "there is no formula here");
    assert_eq!(error("()").0, "there is no formula in these parentheses");
    assert_eq!(error("F[5:2] a").0, "these bounds hold no step: the second is below the first");
    assert_eq!(error("F[3] a").1, (1, 1));
    assert_eq!(error("a [3] & b").0, "bounds stand behind X, F or G only");
    assert_eq!(error("X[99999999999999] a").0, "more than 10000 steps are not supported");
    assert_eq!(error("2 & a").0, "`2` is not a formula");
    assert_eq!(error("\"a").0, "this quoted name has no closing quote");
    assert_eq!(error("G(a ->\n !)").1, (2, 2));
}

#[test]
fn likely_misreadings_are_warned_of() {
    let warned = |text: &str| parse(text).unwrap().warnings.len();
    for text in
        ["G a -> b", "G a -> F b", "a U b & c", "a & b U c", "a -> b -> c", "a U b U c", "F a & b", "Fault"]
    {
        assert_eq!(warned(text), 1, "{text}");
    }
    for text in [
        "G(a -> b)",
        "Ga -> b",
        "(a U b) & c",
        "a -> (b -> c)",
        "(G a) -> b",
        "a & b | c -> d",
        "!a U b",
        "a & G b",
        "G F a & G F b & F G c",
    ] {
        assert_eq!(warned(text), 0, "{text}");
    }
}

#[test]
fn nesting_takes_no_stack() {
    let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(shown(&deep), "a");
    let deep = format!("{}a{}", "X(b U ".repeat(10_000), ")".repeat(10_000));
    assert!(parse(&shown(&deep)).unwrap().formula == parse(&deep).unwrap().formula);
    let long = vec!["a"; 100_000].join(" & ");
    assert_eq!(parse(&long).unwrap().formula.args().len(), 100_000);
    assert!(parse(&"(".repeat(10_000)).is_err());
    assert!(parse(&"!".repeat(10_000)).is_err());
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "[abXFGNURWM()!&|<>=\\-\\[\\]0-9: \"é\n]{0,40}") {
        let space = Space::new(Interface::signals(["a"], ["b"]).unwrap());
        if let Ok(parsed) = parse(&text) {
            let again = parse(&parsed.formula.to_string()).expect("what is written can be read");
            proptest::prop_assert!(again.formula == parsed.formula, "{} / {}", parsed.formula, again.formula);
        }
        let source = Source::new("x", &*text);
        if let Err(error) = parse_in(&source, 0..text.len(), Some(&space)) {
            let _ = error.to_string();
        }
    }
}
