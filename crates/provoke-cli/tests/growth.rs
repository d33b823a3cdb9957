//! What grows with its input grows no faster, or is refused; through the real binary.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn provoke(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_provoke")).current_dir(folder).args(words).output().unwrap()
}

/// What it prints when all goes well.
fn printed(folder: &Path, words: &[&str]) -> String {
    let output = provoke(folder, words);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn states(text: &str) -> usize {
    text.lines().find_map(|line| line.strip_prefix("States: ")).unwrap().parse().unwrap()
}

fn converted(formula: &str, to: &str) -> String {
    printed(Path::new("."), &["convert", "--ltl", formula, "--to", to])
}

/// The formula, or that it is too large; never anything else.
fn is_refused(formula: &str, to: &str) {
    let output = provoke(Path::new("."), &["convert", "--ltl", formula, "--to", to]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{:.60}: {message}", formula);
    assert!(message.contains("too large"), "{message}");
}

/// `a0 op a1 op a2 ...`, from the left.
fn from_the_left(op: &str, operands: usize) -> String {
    (1..operands).fold("a0".to_owned(), |left, at| format!("({left}) {op} a{at}"))
}

fn chain(op: &str, depth: usize) -> String {
    (1..depth).fold("q".to_owned(), |inner, _| format!("q {op} X({inner})"))
}

#[test]
fn a_goal_that_recurs_is_followed_one_round_at_a_time() {
    for steps in [3, 10, 20] {
        let formula = format!("G F(a <-> {}a)", "X ".repeat(steps));
        assert_eq!(states(&converted(&formula, "hoa")), 2 * steps + 1, "{formula}");
        assert_eq!(states(&converted(&formula, "monitor")), 1, "{formula}");
        let formula = format!("F G(a <-> {}a)", "X ".repeat(steps));
        assert_eq!(states(&converted(&formula, "monitor")), 1, "{formula}");
    }
    is_refused(&format!("F G(a <-> {}a)", "X ".repeat(40)), "hoa");
}

#[test]
fn releases_nested_from_the_left() {
    for operands in [7, 14] {
        assert_eq!(states(&converted(&from_the_left("R", operands), "hoa")), operands);
    }
    is_refused(&from_the_left("U", 20), "monitor");
    is_refused(&from_the_left("R", 20), "monitor");
}

#[test]
fn nexts_in_a_row_are_a_bound() {
    for depth in [20, 80] {
        for op in ["|", "&"] {
            for to in ["hoa", "monitor"] {
                let formula = format!("G(p -> ({}))", chain(op, depth));
                assert_eq!(states(&converted(&formula, to)), depth, "{op} {depth} {to}");
            }
        }
    }
}

/// It once came out as an automaton that accepts nothing.
#[test]
fn large_bounds_are_right_or_refused() {
    let formula = |steps: u32| format!("F[0:{steps}] G[0:{steps}] a");
    for steps in [10, 100] {
        assert_eq!(states(&converted(&formula(steps), "hoa")), 2 * steps as usize + 2);
    }
    is_refused(&formula(10_000), "monitor");
    let output = provoke(Path::new("."), &["convert", "--ltl", &formula(10_000), "--to", "hoa"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() == Some(2) || states(&text) == 20_002, "{:.200}", text);
}

#[test]
fn labels_of_independent_pairs_are_short() {
    let names: Vec<String> = (0..30).map(|at| format!("b{at}")).collect();
    for (pair, between) in [("(a{} | b{})", " & "), ("a{} & b{}", " | "), ("(a{} <-> b{})", " & ")] {
        let size = |pairs: usize| {
            let parts: Vec<String> = (0..pairs).map(|at| pair.replace("{}", &at.to_string())).collect();
            let formula = format!("G({})", parts.join(between));
            let words =
                ["convert", "--ltl", &formula, "--outputs", &names[..pairs].join(","), "--to", "monitor"];
            let text = printed(Path::new("."), &words);
            assert_eq!(states(&text), 1);
            // Outputs stay outputs, inputs come first.
            assert!(text.contains(&format!("controllable-AP: {pairs} ")), "{text}");
            text.len()
        };
        assert!(size(30) < 4 * size(10), "{pair}: {} and {}", size(10), size(30));
    }
    let words =
        ["convert", "--ltl", "G((a | x) & (b | y) & (c | z))", "--outputs", "x,y,z", "--to", "monitor"];
    assert!(printed(Path::new("."), &words).contains("[(0 | 3) & (1 | 4) & (2 | 5)] 0\n"));
}

#[test]
fn machines_are_read_in_one_pass() {
    let folder = tempfile::tempdir().unwrap();
    let groups = 50_000;
    let dot = format!(
        "digraph g {{ {} a -> b [label=\"x/0\"]; b -> b [label=\"x/1\"]; {} }}",
        "subgraph { ".repeat(groups),
        "}".repeat(groups)
    );
    std::fs::write(folder.path().join("nested.dot"), dot).unwrap();
    let open = format!("digraph g {{ {}", "{".repeat(groups));
    std::fs::write(folder.path().join("open.dot"), open).unwrap();
    assert!(printed(folder.path(), &["synchronise", "nested.dot", "--method", "exact"]).contains('x'));
    let output = provoke(folder.path(), &["synchronise", "open.dot"]);
    assert_eq!(output.status.code(), Some(2));

    // Each alias names the one before it twice.
    let aliases: String = (1..200).map(|at| format!("Alias: @f{at} @f{0} & @f{0} | f\n", at - 1)).collect();
    let hoa = format!(
        "HOA: v1\nStates: 2\nStart: 0\nAP: 8 {}\nAlias: @f0 0\n{aliases}Acceptance: 0 t\n--BODY--\n\
         State: 0\n[@f199] 1\n[!@f199] 0\nState: 1\n[t] 1\n--END--\n",
        (0..8).map(|at| format!("\"p{at}\" ")).collect::<String>()
    );
    std::fs::write(folder.path().join("aliases.hoa"), hoa).unwrap();
    let word = printed(folder.path(), &["synchronise", "aliases.hoa", "--method", "exact"]);
    assert!(word.contains("1000000"), "{word}");
}

#[test]
fn a_recording_may_have_many_columns() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "[signals]\ninputs = [\"a\"]\noutputs = [\"x\"]\n\n[[requirement]]\nid = \"R1\"\nltl = \"G(a -> x)\"\n";
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let others = 50_000;
    let names: String = (0..others).map(|at| format!("c{at},")).collect();
    let recording = format!("{names}a,x\n{}1,1\n", "0,".repeat(others));
    std::fs::write(folder.path().join("wide.csv"), recording).unwrap();
    printed(folder.path(), &["monitor", "spec.toml", "wide.csv"]);
    std::fs::write(folder.path().join("twice.csv"), format!("{names}a,x,c7\n")).unwrap();
    let output = provoke(folder.path(), &["monitor", "spec.toml", "twice.csv"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("column `c7` stands twice"));
}
