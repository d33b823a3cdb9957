use super::*;

fn file(definitions: &str, semantics: &str, clause: &str) -> String {
    format!(
        "INFO {{ TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: {semantics} TARGET: Mealy }}\n\
         GLOBAL {{ PARAMETERS {{ n = 3; }} DEFINITIONS {{\n{definitions}\n}} }}\n\
         MAIN {{ INPUTS {{ a; b; r[n]; }} OUTPUTS {{ c; d; g[n]; }} GUARANTEE {{\n{clause}\n}} }}"
    )
}

fn read_text(text: &str) -> Result<Tlsf, SpecError> {
    read(&Source::new("t.tlsf", text), &[])
}

fn shown_with(definitions: &str, clause: &str) -> String {
    let read = read_text(&file(definitions, "Mealy", clause)).unwrap_or_else(|error| panic!("{error}"));
    read.formula().to_string()
}

fn shown(clause: &str) -> String {
    shown_with("", clause)
}

fn error_with(definitions: &str, clause: &str) -> SpecError {
    let error = read_text(&file(definitions, "Mealy", clause)).unwrap_err();
    assert!(error.to_string().len() > 10);
    error
}

fn message(clause: &str) -> String {
    error_with("", clause).message().to_owned()
}

#[test]
fn temporal_operators_hold_looser_than_boolean_ones() {
    assert_eq!(shown("a && b U c || d"), "(a & b) U (c | d)");
    assert_eq!(shown("a -> b W c U d R a"), "(((a -> b) W c) U d) R a");
    assert_eq!(shown("a -> b <-> c"), "a -> (b <-> c)");
    assert_eq!(shown("G a -> F b"), "G a -> F b");
    assert_eq!(shown("a U b U c"), "a U (b U c)");
    assert_eq!(shown("a R b R c"), "(a R b) R c");
    assert_eq!(shown("!a && NOT b OR c AND d IMPLIES a EQUIV b"), "!a & !b | c & d -> (a <-> b)");
}

#[test]
fn steps_may_be_counted() {
    assert_eq!(shown("X[n-1] a && F[1:n] b && G[0:2] c"), "XX a & F[1:3] b & G[0:2] c");
    assert_eq!(shown("F[2:1] a || G[2:1] b && c"), "c");
    assert_eq!(shown("X[!] a"), "X a");
    assert_eq!(message("X[0-1] a"), "the number of steps is -1; it must be between 0 and 10000");
    assert_eq!(message("F[0:20000] a"), "the last step is 20000; it must be between 0 and 10000");
    assert_eq!(message("F[3] a"), "expected `:`, found `]`");
}

#[test]
fn on_finite_traces_next_is_weak() {
    let shown = |clause: &str| read_text(&file("", "Finite,Mealy", clause)).unwrap().formula().to_string();
    assert_eq!(shown("X a && X[!] b"), "N a & X b");
    assert_eq!(shown("X[2] a && X[2!] b && X[!2] c"), "NN a & XX b & XX c");
    assert_eq!(shown("F[1:2] a"), "N(a | N a)");
    assert_eq!(shown("F[!1:2] a && G[1:2] b"), "F[1:2] a & G[1:2] b");
    assert_eq!(shown("G[1:2!] a"), "X(a & X a)");
}

#[test]
fn numbers_are_computed() {
    for (expression, value) in [
        ("1 + 2 * 3", 7),
        ("7 / 2", 3),
        ("(0 - 7) / 2", -4),
        ("(0 - 7) % 3", 2),
        ("7 MOD 3 PLUS 1", 2),
        ("SIZEOF r - 1", 2),
        ("SIZE {1, 2, 2}", 2),
        ("|{1, 2, 3} CUP {3, 4}|", 4),
        ("MIN {3, 1, 2} + MAX {3, 1, 2}", 4),
        ("SUM[i IN {1,2..n}] (i * i)", 14),
        ("PROD[1 <= i < 4] i", 6),
        ("+[i IN {1,2..2}, j IN {i}] j", 3),
        ("*[i IN {}] i", 1),
        ("SUM[i IN {1, 2}] i * 10", 30),
        ("|{10,8..1}|", 5),
        ("|{3,4..2}|", 0),
        ("|CUP[i IN {0,2..4}] {i, i + 1}|", 6),
        ("|(*)[i IN {0, 1}] {i, 7}|", 1),
        ("|{1,2..9} (-) {2,4..8} (*) {1, 3, 5}|", 3),
    ] {
        let clause = format!("({expression}) + 10 == {} && a", 10 + value);
        assert_eq!(shown(&clause), "a", "{expression}");
    }
    assert_eq!(message("1 / (n - 3) == 0"), "this divides by 0");
    assert_eq!(message("9223372036854775807 + 1 == 0"), "this number is too large");
    assert_eq!(message("MIN {} == 0"), "this set is empty");
    assert_eq!(message("SIZE {1,1..2} == 0"), "this range has no end: its first two elements are equal");
}

#[test]
fn big_operators_are_written_out() {
    assert_eq!(
        shown("&&[0 <= i < n] G (r[i] -> F g[i])"),
        "G(r_0 -> F g_0) & G(r_1 -> F g_1) & G(r_2 -> F g_2)"
    );
    assert_eq!(shown("||[i <- {0,1..n-1} (\\) {1}] r[i] -> a"), "r_0 | r_2 -> a");
    assert_eq!(
        shown("FORALL[x IN {a, b}] EXISTS[0 < i <= 2] (x -> g[i])"),
        "((a -> g_1) | (a -> g_2)) & ((b -> g_1) | (b -> g_2))"
    );
    assert_eq!(shown("(AND[i IN {0, 1}, j IN {i + 1}] r[j]) && a"), "r_1 & r_2 & a");
    assert_eq!(shown("(&&[i IN {}] a) && b"), "b");
    assert_eq!(shown("(||[i IN {}] a) || b"), "b");
}

#[test]
fn what_is_known_needs_no_signal() {
    assert_eq!(shown("(1 < 2) -> a"), "a");
    assert_eq!(shown("a -> 2 < 1"), "!a");
    assert_eq!(shown("n IN {1, 2} || 2 ELEM {2} && a"), "a");
    // What stands behind a settled part is not looked at.
    assert_eq!(
        shown("&&[0 <= i < n] (i + 1 < n -> (r[i] -> X r[i + 1]))"),
        "(r_0 -> X r_1) & (r_1 -> X r_2)"
    );
}

#[test]
fn functions_choose_a_case() {
    let definitions = "
        log2(x) = x <= 1 : 1   x <= 2 : 1   otherwise : 1 + log2(x / 2);
        all(bus, i) = i >= SIZEOF bus : true   i < SIZEOF bus : bus[i] && all(bus, i + 1);
        later(f, k) = k == 0 : f   k > 0 : X later(f, k - 1);
        both = a && b;";
    assert_eq!(shown_with(definitions, "log2(9) == 3 && a"), "a");
    assert_eq!(shown_with(definitions, "all(r, 0) -> later(both, 2)"), "r_0 & r_1 & r_2 -> XX(a & b)");
    let partial = error_with("f(x) = x == 1 : a;", "f(2)");
    assert_eq!(partial.message(), "no case of `f` fits these arguments");
    assert_eq!(partial.line_column(), Some((6, 1)));
}

#[test]
fn formulas_are_taken_apart() {
    let definitions = "
        swap(f) = f ~ x U y        : y U x
                  f ~ G (x -> F y) : F (x && y)
                  f ~ !_           : c
                  f ~ x && y       : X x || y
                  f ~ X true       : d
                  f ~ (x <-> x)    : x
                  otherwise        : f;";
    let swapped = |formula: &str| shown_with(definitions, &format!("swap({formula})"));
    assert_eq!(swapped("a U X b"), "X b U a");
    assert_eq!(swapped("G (a -> F b)"), "F(a & b)");
    assert_eq!(swapped("!(a U b)"), "c");
    assert_eq!(swapped("a && b && c"), "X(a & b) | c");
    assert_eq!(swapped("X true"), "d");
    assert_eq!(swapped("F a <-> F a"), "F a");
    assert_eq!(swapped("a W b"), "a W b");
    let error = error_with("f(x) = x ~ y U g[0] : a;", "f(a)");
    assert_eq!(error.message(), "this cannot stand in a pattern");
}

#[test]
fn strict_semantics_bind_the_system_until_the_environment_errs() {
    let text = |semantics: &str| {
        format!(
            "INFO {{ TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: {semantics} TARGET: Moore }}
             MAIN {{ INPUTS {{ i; j; k; }} OUTPUTS {{ p; q; s; }} INITIALLY {{ i }} PRESET {{ p; }}
             REQUIRE {{ j; }} ASSERT {{ q; }} ASSUMPTIONS {{ k; }} GUARANTEES {{ s; }} }}"
        )
    };
    let standard = read_text(&text("Moore")).unwrap();
    assert_eq!(standard.formula().to_string(), "i -> p & (G j & k -> G q & s)");
    let strict = read_text(&text("Strict,Moore")).unwrap();
    assert_eq!(strict.formula().to_string(), "i -> p & (q W !j) & (G j & k -> s)");
    let shown = |formulas: Vec<Formula>| formulas.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(shown(strict.assumptions()), ["i", "G j", "k"]);
    assert_eq!(shown(strict.guarantees()), ["p", "G q", "s"]);
    let over_exchanges = strict
        .over_exchanges(&strict.guarantees()[2].clone().implies(strict.section(Section::Assume)[0].clone()));
    assert_eq!(over_exchanges.to_string(), "s -> X k");
}

#[test]
fn errors_point_at_the_fault() {
    let at = |clause: &str| error_with("", clause).line_column().unwrap();
    assert_eq!(message("a & b"), "unexpected `&` in a TLSF file");
    assert_eq!(message("a and b"), "expected `;` or an operator, found `and`");
    assert_eq!((message("a && rr[0]"), at("a && rr[0]")), ("unknown name `rr`".into(), (6, 6)));
    assert_eq!(
        error_with("", "a && reqest").help_text(),
        Some("declare it under INPUTS, OUTPUTS, PARAMETERS or DEFINITIONS")
    );
    assert_eq!((message("a && r[n]"), at("a && r[n]")), ("`r` has no signal 3".into(), (6, 8)));
    assert_eq!(error_with("", "r[n]").help_text(), Some("its signals are 0 to 2"));
    assert_eq!(message("a && r"), "expected a formula, this is a bus");
    assert_eq!(message("a[0]"), "`a` is a formula, not a bus");
    assert_eq!(message("a == b"), "`==` and `!=` do not compare formulas");
    assert_eq!((message("(a && b"), at("(a && b")), ("this `(` is never closed".into(), (6, 1)));
    assert_eq!(message("n"), "expected a formula, this is a number");
    assert_eq!(message("&&[i] a"), "expected `IN`, `<` or `<=`, found `]`");
    assert_eq!(message("a M b"), "expected `;` or an operator, found `M`");
    assert_eq!(message("{0..n} == {}"), "expected `,` or `}`, found `..`");
    assert_eq!(error_with("f = f && a;", "f").message(), "`f` is defined by itself");
    assert_eq!(error_with("f(x) = x;", "f(a, b)").message(), "`f` takes 1 arguments, 2 are given");
    assert_eq!(error_with("f(x) = y;", "a").message(), "unknown name `y`");
    assert_eq!(
        error_with("f(x) = a : b;", "f(1)").message(),
        "expected a condition that is known here, this is a formula"
    );
    assert_eq!(error_with("a = b;", "a").message(), "`a` is declared twice");
    assert_eq!(
        error_with("enum e = A: 00 B: 1;", "a").message(),
        "this code has 1 bits, the first one has 2"
    );
}

#[test]
fn sections_are_checked() {
    let message = |text: &str| read_text(text).unwrap_err().message().to_owned();
    assert_eq!(message(""), "expected `INFO`, found the end of the file");
    let info = "INFO { TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Mealy TARGET: Mealy }";
    assert_eq!(
        message(&format!("{info} MAIN {{ INPUT {{ a; }} }}")),
        "expected a section of MAIN or `}`, found `INPUT`"
    );
    assert_eq!(message("INFO { TITLE: \"t\" SEMANTICS: Mealy }"), "INFO has no TARGET");
    assert_eq!(
        message("INFO { SEMANTICS: Strict TARGET: Mealy }"),
        "these semantics name no kind of machine"
    );
    assert_eq!(
        message("INFO { SEMANTICS: Strict,Finite,Mealy }"),
        "semantics cannot be both strict and finite"
    );
    assert_eq!(
        message(&format!("{info} MAIN {{ INPUTS {{ a[300]; }} }}")),
        "the width of a bus is 300; it must be between 0 and 256"
    );
    assert_eq!(message(&format!("{info} MAIN {{ INPUTS {{ b[2]; b_1; }} }}")), "`b_1` is named twice");
    assert_eq!(message(&format!("{info} MAIN {{ INPUTS {{ bus b; }} }}")), "unknown enumeration `bus`");
}

#[test]
fn nothing_grows_without_bound() {
    let deep = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(message(&deep), "this nests deeper than 10000 levels");
    assert_eq!(shown(&format!("{}a{}", "(".repeat(9_000), ")".repeat(9_000))), "a");
    assert_eq!(message(&format!("{}a", "a -> ".repeat(50_000))), "this nests deeper than 10000 levels");
    assert!(shown(&format!("{}a", "!".repeat(9_000))).len() > 9_000);
    assert!(shown(&format!("{}a", "a && ".repeat(50_000))).len() > 50_000);
    let recursion = error_with("f(x) = X f(x);", "f(a)");
    assert_eq!(recursion.message(), "this nests deeper than 10000 calls");
    let fast = error_with("f(x) = f(x) && f(x);", "f(a)");
    assert_eq!(fast.message(), "this nests deeper than 10000 calls");
    let wide = error_with("f(k) = k == 0 : a  k > 0 : X f(k - 1) && X f(k - 1);", "f(60)");
    assert_eq!(wide.message(), "expanding this takes more than 2000000 steps");
    assert!(message("&&[0 <= i < 9000000000000000000] a").starts_with("expanding this takes more"));
    assert!(message("SIZE {0,1..9000000000000000000} == 0").starts_with("expanding this takes more"));
    assert!(
        message("X[10000] X[10000] X[10000] a && &&[0 <= i < 300] X[10000] a")
            .starts_with("expanding this takes more")
    );
    // Every definition doubles the one before it, and each is computed once.
    let doubling = |op: &str| {
        let steps: Vec<String> = (1..64).map(|at| format!("d{at} = d{} {op} d{};", at - 1, at - 1)).collect();
        format!("d0 = F a; {}", steps.join("\n"))
    };
    assert!(error_with(&doubling("&&"), "d63").message().starts_with("expanding this takes more"));
    assert!(
        error_with(&doubling("U"), "d63").message().starts_with("written out, this specification has more")
    );
    let nested: Vec<String> =
        (1..64).map(|at| format!("s{at} = {{s{}, {{s{}}}}};", at - 1, at - 1)).collect();
    let error = error_with(&format!("s0 = {{1}}; {}", nested.join("\n")), "s63 == {} && a");
    assert_eq!(error.message(), "sets nest deeper than 8 levels");
}
