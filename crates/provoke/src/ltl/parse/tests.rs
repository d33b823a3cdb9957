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
fn bounds_are_those_of_spot() {
    for (text, meaning) in [
        ("F[:3] a", "F[0:3] a"),
        ("F[..3] a", "F[0:3] a"),
        ("F[2] a", "XX a"),
        ("F[2!] a", "XX a"),
        ("G[3] a", "G[3:3] a"),
        ("G[3!] a", "XXX a"),
        ("X[2!] a", "XX a"),
        ("X [ ! ] a", "X a"),
        ("F[1:3!] a", "F[1:3] a"),
        ("F[2 to 4] a", "F[2:4] a"),
        ("F[2,4] a", "F[2:4] a"),
        ("F[2:$] a & F[2:inf] a & F[2..] a", "F[2:] a & F[2:] a & F[2:] a"),
        ("F[2:$!] a", "F[2:] a"),
        ("F[:] a & G[:] b", "F[0:] a & G[0:] b"),
        ("G[1:2!] a", "G[1:2] a & XX 1"),
        ("G[2:!] a", "G[2:] a & XX 1"),
        ("G[0:0!] a", "G[0:0] a"),
        ("X[]a & F []a", "XG a & FG a"),
        ("eventually[:3] a & next[2] b & always[1:2] c", "F[0:3] a & XX b & G[1:2] c"),
    ] {
        assert_eq!(shown(text), meaning, "{text}");
    }
    for text in ["F[2] a", "G[3] a"] {
        let warnings = parse(text).unwrap().warnings;
        assert!(warnings[0].message.contains("no sooner and no later"), "{text}: {warnings:?}");
    }
}

/// What the marks and the missing bounds mean, against what Spot makes of them, on every short trace.
#[test]
fn bounds_mean_what_they_are_in_spot() {
    use crate::ltl::{holds_for_ever, holds_on};
    let same = [
        ("F[2] a", "X X a"),
        ("G[2!] a", "X X a"),
        ("F[:2] a", "a | X(a | X a)"),
        ("F[1:2!] a", "X(a | X a)"),
        ("G[:2] a", "a & N(a & N a)"),
        ("G[:2!] a", "a & X(a & X a)"),
        ("G[1:2!] a", "X(a & X a)"),
        ("G[1:2] a", "N(a & N a)"),
        ("F[1:$] a", "X F a"),
        ("G[1:$!] a", "X G a"),
        ("G[1:] a", "N G a"),
        ("G[2] a", "N N a"),
    ];
    for (bounded, meaning) in same {
        let [bounded, meaning] = [bounded, meaning].map(|text| parse(text).unwrap().formula);
        for length in 1..6 {
            for bits in 0..1u32 << length {
                let trace: Vec<bool> = (0..length).map(|at| bits >> at & 1 == 1).collect();
                let on = |formula: &Formula| holds_on(formula, &trace, |&letter, _| letter);
                assert_eq!(on(&bounded), on(&meaning), "{bounded} and {meaning} on {trace:?}");
                for split in 0..length {
                    let (prefix, cycle) = trace.split_at(split);
                    let on = |formula: &Formula| holds_for_ever(formula, prefix, cycle, |&letter, _| letter);
                    assert_eq!(on(&bounded), on(&meaning), "{bounded} and {meaning} on {prefix:?} {cycle:?}");
                }
            }
        }
    }
}

#[test]
fn operators_have_words() {
    for text in [
        "always (a implies eventually b)",
        "ALWAYS(a IMPLIES EVENTUALLY b)",
        "Always (not a or Eventually b)",
    ] {
        let or = text.contains("not");
        assert_eq!(shown(text), if or { "G(!a | F b)" } else { "G(a -> F b)" }, "{text}");
    }
    assert_eq!(shown("not a until next b and c release d"), "(!a U X b) & (c R d)");
    assert_eq!(shown("a iff b xor c"), "a <-> (b xor c)");
    // Words glued to operators, and words that only look like one.
    assert_eq!(shown("Gnot a & Xtt"), "G !a & X 1");
    assert_eq!(shown("aLways & nexts & until_b"), "aLways & nexts & until_b");
    assert_eq!(error("until & a").0, "expected a formula before `until`");
    assert_eq!(error("For & a").0, "`For` is read as `F or`");
    for text in ["a until! b", "eventually!a", "next! a"] {
        assert!(error(text).0.contains("PSL's strong"), "{text}");
    }
    assert_eq!(shown("a until !b"), "a U !b");
    assert_eq!(parse("always a implies b").unwrap().warnings.len(), 1);
}

#[test]
fn constants_are_never_propositions() {
    assert_eq!(shown("tt U ff & Ftt & TRUE & False & \"tt\""), "(1 U 0) & F 1 & 1 & 0 & \"tt\"");
    assert_eq!(error("a & TT").0, "`TT` looks like a constant");
    assert_eq!(error("tT").0, "`tT` looks like a constant");
    assert_eq!(shown("FF a"), "FF a");
}

#[test]
fn a_signal_may_be_called_like_an_operator() {
    let space = Space::new(Interface::signals(["next", "until", "tt", "OT"], ["or", "a", "TT"]).unwrap());
    let read = |text: &str| {
        let source = Source::new("r1", text);
        parse_in(&source, 0..text.len(), Some(&space)).map(|parsed| parsed.formula.to_string())
    };
    assert_eq!(read("G(next -> X a)").unwrap(), "G(\"next\" -> X a)");
    assert_eq!(read("until until or or a").unwrap(), "(\"until\" U \"or\") | a");
    assert_eq!(read("Xnext & Xor & eventually TT").unwrap(), "X \"next\" & X \"or\" & F \"TT\"");
    let error = read("G next a").unwrap_err();
    assert_eq!(error.message(), "expected an operator before `a`");
    assert_eq!(error.help_text(), Some("`next` is a signal here; the operator is `X`"));
    let error = read("G tt").unwrap_err();
    assert_eq!(error.message(), "`tt` is a constant and a signal here");
    assert_eq!(error.help_text(), Some("write \"tt\" in quotes for the signal, 1 for the constant"));
    assert_eq!(read("G \"tt\"").unwrap(), "G \"tt\"");
}

#[test]
fn sequence_expressions_are_named() {
    for text in [
        "{a;b} |-> c",
        "{a;b}! & c",
        "{a}[]->b",
        "{a}<>=>b",
        "a |=> b",
        "a[*3]",
        "a[->2]",
        "a[=2]",
        "a ##1 b",
        "a; b",
        "first_match(a)",
        "a[+]",
        "a[:*2]",
        "} & a",
    ] {
        assert!(
            error(text).0.ends_with("belongs to sequence expressions (PSL, SVA), which are not supported"),
            "{text}"
        );
    }
}

#[test]
fn what_is_written_is_read_by_spot_too() {
    assert_eq!(
        shown("\"a$b\" & \"été\" & \"S\" & \"G.x\" & \"X1\" & \"first_match\" & \"UV\" & \"always\""),
        "\"a$b\" & \"été\" & \"S\" & \"G.x\" & X1 & \"first_match\" & UV & \"always\""
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
    // Spot would read `X_a` as `X _a`, so it is written in quotes.
    assert_eq!(shown("F1 & X_a & aUb"), "F1 & \"X_a\" & aUb");
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
        error("a unless b"),
        ("expected an operator before `unless`".into(), (1, 3), help("weak until is `W`"))
    );
    assert_eq!(error("a = 1").0, "unexpected `=` in a formula");
    assert_eq!(error("").0, "there is no formula here");
    assert_eq!(error("()").0, "there is no formula in these parentheses");
    assert_eq!(error("F[5:2] a").0, "these bounds hold no step: the second is below the first");
    assert_eq!(error("X[1:3] a").1, (1, 1));
    assert_eq!(error("N[3!] a").2, help("N is the weak next; the strong one is X"));
    assert_eq!(error("F[a:3] b").0, "expected numbers of steps in brackets");
    assert_eq!(error("a [3] & b").0, "bounds stand behind X, F, G, Y, O or H only");
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
    fn no_text_makes_the_reader_panic(text in "([abXFGNURWM()!&|<>=\\-\\[\\]0-9: \"é\n]|always|not |until|next|tt|[$.]){0,40}") {
        let space = Space::new(Interface::signals(["a"], ["b"]).unwrap());
        if let Ok(parsed) = parse(&text) {
            let again = parse(&parsed.formula.to_string()).expect("what is written can be read");
            proptest::prop_assert!(again.formula == parsed.formula, "{} / {}", parsed.formula, again.formula);
        }
        let source = Source::new("x", &*text);
        if let Err(error) = parse_in(&source, 0..text.len(), Some(&space)) {
            proptest::prop_assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn operators_that_look_back() {
    for (text, meaning) in [
        ("G(open -> H[0:3] still)", "G(open -> H[0:3] still)"),
        ("G(a -> O b)", "G(a -> O b)"),
        ("GO a & YY b & XZ 1", "G O a & Y Y b & X Z 1"),
        ("Y[2] a & Z[2] b & O[:3] c & H[2:] d", "Y Y a & Z Z b & O[0:3] c & H[2:] d"),
        ("once a & historically b & yesterday c", "O a & H b & Y c"),
        ("(a S b) & (a since b) & (a T b) & (a triggered b)", "(a S b) & (a S b) & (a T b) & (a T b)"),
        ("O[2] a & H[2] b", "Y Y a & Z Z b"),
        ("O(a) & H !b & O \"c d\" & H[0:1](a | b)", "O a & H !b & O \"c d\" & H[0:1](a | b)"),
    ] {
        assert_eq!(shown(text), meaning, "{text}");
        assert_eq!(shown(meaning), meaning);
    }
    assert_eq!(warnings("G O a -> b").len(), 1);
    assert!(warnings("O[2] a")[0].contains("2 steps ago, no sooner"));
    let (message, _, help) = error("Y[2:3] a");
    assert!(message.contains("does not take these bounds") && help.unwrap().contains("O[0:3]"));
}

fn warnings(text: &str) -> Vec<String> {
    parse(text).unwrap().warnings.iter().map(Warning::to_string).collect()
}

/// What was a name before there were such operators is one still.
#[test]
fn letters_that_look_back_are_names_where_no_formula_follows() {
    for (text, meaning) in [
        ("G(O -> F T)", "G(O -> F T)"),
        ("Y & Z | H", "Y & Z | H"),
        ("S U T", "\"S\" U T"),
        ("once & historically U since", "once & (historically U since)"),
        ("O S T", "O S T"),
        ("O & O O", "O & O O"),
        ("GO", "G O"),
    ] {
        assert_eq!(shown(text), meaning, "{text}");
    }
    let space = Space::new(Interface::signals(["O", "S", "a", "once"], ["H", "T", "GH"]).unwrap());
    let read = |text: &str| {
        let source = Source::new("formula", text);
        parse_in(&source, 0..text.len(), Some(&space)).map(|parsed| parsed.formula.to_string())
    };
    assert_eq!(read("G(O -> H) & GO & GH").unwrap(), "G(O -> H) & G O & \"GH\"");
    assert_eq!(read("O S T").unwrap(), "O S T");
    assert_eq!(read("G(S S T) & Y T").unwrap(), "G(\"S\" S T) & Y T");
    // The signal it is, so an operator is missing.
    for text in ["O a", "GO a", "once a", "H(a)"] {
        assert!(read(text).unwrap_err().message().contains("expected an operator"), "{text}");
    }
    assert!(read("Z").unwrap_err().message().contains("unknown proposition `Z`"));
    assert_eq!(read("historically a & Y Z a").unwrap(), "H a & Y Z a");
}

#[test]
fn signals_beside_what_they_were() {
    for (text, meaning) in [
        ("G(rose(a) -> b)", "G(a & Y !a -> b)"),
        ("fell(\"a b\")", "!\"a b\" & Y \"a b\""),
        ("changed(a) | prev(b)", "(a & Y !a) | (!a & Y a) | Y b | (Z 0 & b)"),
        ("G !rose(a) & rose", "G !(a & Y !a) & rose"),
    ] {
        let meaning = parse(meaning).unwrap().formula;
        assert!(parse(text).unwrap().formula == meaning, "{text}: {}", shown(text));
    }
    for text in ["rose(a & b)", "prev()", "prev(a", "fell((a))"] {
        assert!(error(text).0.ends_with("is about one signal"), "{text}");
    }
    // At the first step nothing has changed.
    let holds = |text: &str, trace: &[&str]| {
        let formula = parse(text).unwrap().formula;
        crate::ltl::holds_on(&formula, trace, |step, name| step.contains(name))
    };
    assert!(holds("prev(a) & !changed(a) & !rose(a) & !fell(a)", &["a"]));
    assert!(holds("X(prev(a) & changed(a) & fell(a)) & X X(!prev(a) & rose(a))", &["a", "-", "a"]));
}

#[test]
fn times_become_steps() {
    let timed = |cycle: Option<u32>, text: &str| {
        let space = Space::new(Interface::signals(["a"], ["b"]).unwrap()).with_cycle(cycle);
        let source = Source::new("formula", text);
        match parse_in(&source, 0..text.len(), Some(&space)) {
            Ok(parsed) => parsed.formula.to_string(),
            Err(error) => format!("{}: {}", error.line_column().unwrap().1, error.message()),
        }
    };
    for (text, meaning) in [
        ("G(a -> F[0:300ms] b)", "G(a -> F[0:3] b)"),
        ("F[:2s] a & O[:1.5 s] b", "F[0:20] a & O[0:15] b"),
        ("F[0:250ms] a & G[150ms:350ms] b", "F[0:2] a & G[2:3] b"),
        ("G[1 min:] a", "G[600:] a"),
        ("X[200ms] a", "XX a"),
        ("X[250ms] a", "2: this is no whole number of steps"),
        ("F[110ms:190ms] a", "2: these bounds hold no step"),
        ("F[1:300ms] a", "2: one of these bounds is a time, and one a number of steps"),
        ("F[0:2000s] a", "2: more than 10000 steps are not supported"),
        ("F[0:3 weeks] a", "2: expected numbers of steps in brackets"),
    ] {
        assert_eq!(timed(Some(100), text), meaning, "{text}");
    }
    let missing = "7: this is a time, and nothing says how long a step takes";
    assert_eq!(timed(None, "a -> F[0:300ms] b"), missing);
}

#[test]
fn the_past_is_not_about_the_future() {
    for (text, place) in [("G(a -> O X b)", (1, 8)), ("a S F b", (1, 1)), ("H(a & G b) | c", (1, 1))] {
        let (message, at, help) = error(text);
        assert_eq!((message.as_str(), at), (PAST_OF_FUTURE, place), "{text}");
        assert!(help.unwrap().contains("from the later step"));
    }
}
