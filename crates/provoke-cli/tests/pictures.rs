//! Pictures, the progress bar and colours through the real binary.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SPEC: &str = "\
[signals]
inputs = [\"a\"]
outputs = [\"x\", \"y\"]
[system]
model = \"good.dot\"
[[assumption]]
id = \"A\"
ltl = \"G(a -> X !a)\"
[[requirement]]
id = \"R\"
ltl = \"G(a -> X(x | X x))\"
[[requirement]]
id = \"L\"
ltl = \"G(a -> F y) & G(x -> N !y)\"
[[objective]]
id = \"o\"
ltl = \"F(x & X(y & X x))\"
";

/// Always says `x`, and never `y`.
const GOOD: &str = "digraph { __start0 [label=\"\"]; q; q -> q [label=\"true / x\"]; __start0 -> q; }";

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn provoke(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_provoke")).current_dir(folder).args(words).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn drawn(folder: &Path, words: &[&str]) -> String {
    let output = provoke(folder, &[&["show"], words].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn lift() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/lift")
}

#[test]
fn an_ending_that_is_not_known_is_refused_with_those_that_are() {
    let folder = folder_with(&[("s.toml", SPEC)]);
    for (words, known) in [
        (&["show", "s.toml", "-o", "x.png"][..], ".svg, .dot, .gv and .hoa"),
        (&["show", "s.toml", "--automaton", "R", "-o", "dir.svg/x.pdf"], ".svg, .dot, .gv and .hoa"),
        (&["convert", "s.toml", "-o", "x.png"], ".hoa, .dot, .gv, .svg, .ltl, .tlsf, .aut, .aag and .aig"),
    ] {
        let output = provoke(folder.path(), words);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(known), "{}", stderr(&output));
        assert!(!folder.path().join("x.png").exists());
    }
    for (name, starts) in
        [("x.svg", "<svg"), ("x.SVG", "<svg"), ("x.gv", "digraph"), ("x", "digraph"), ("x.hoa", "HOA:")]
    {
        drawn(folder.path(), &["s.toml", "-o", name]);
        assert!(std::fs::read_to_string(folder.path().join(name)).unwrap().starts_with(starts), "{name}");
    }
    drawn(folder.path(), &["s.toml", "--to", "svg", "-o", "x.png"]);
    assert!(folder.path().join("x.png").exists());
}

#[test]
fn states_of_formulas_have_a_legend() {
    let folder = folder_with(&[("s.toml", SPEC)]);
    let waits = "x &amp; G(a -&gt; X(x | X x))";
    let svg = drawn(folder.path(), &["s.toml", "--automaton", "R", "--to", "svg"]);
    assert!(
        svg.contains("what each state still expects:") && svg.contains(&format!("</title>{waits}<")),
        "{svg}"
    );
    assert!(!svg.contains("must happen some day"));
    let dot = drawn(folder.path(), &["s.toml", "--automaton", "R"]);
    assert!(
        dot.contains("expects x & G(a -> X(x | X x))\"]") && dot.contains(":  x & G(a -> X(x | X x))\\l"),
        "{dot}"
    );
    let hoa = drawn(folder.path(), &["s.toml", "--automaton", "R", "--to", "hoa"]);
    assert!(hoa.contains("State: 0 \"G(a -> X(x | X x))\""), "{hoa}");
    // A liveness part is not in the automaton, and that is said; assumptions are shown likewise.
    let live = drawn(folder.path(), &["s.toml", "--automaton", "L"]);
    assert!(
        live.contains("!y & G(a -> F y) & G(x -> N !y)") && live.contains("must happen some day"),
        "{live}"
    );
    assert!(drawn(folder.path(), &["s.toml", "--automaton", "A"]).contains("!a & G(a -> X !a)"));
    // In the game, each requirement's states are explained.
    for words in [&["s.toml", "--to", "svg"][..], &["s.toml", "--to", "svg", "--product"]] {
        let game = drawn(folder.path(), words);
        for text in
            ["states are named after those of R, L, o, A", "what the states of R still expect:", waits]
        {
            assert!(game.contains(text), "{text}: {game}");
        }
    }
}

#[test]
fn a_long_formula_is_cut() {
    let (outputs, terms): (Vec<String>, Vec<String>) =
        (0..12).map(|at| (format!("\"output_{at}\""), format!("X X output_{at}"))).unzip();
    let text = format!(
        "[signals]\ninputs = [\"a\"]\noutputs = [{}]\n[[requirement]]\nid = \"R\"\nltl = \"G(a -> ({}))\"\n",
        outputs.join(", "),
        terms.join(" | ")
    );
    let folder = folder_with(&[("s.toml", &text)]);
    let svg = drawn(folder.path(), &["s.toml", "--automaton", "R", "--to", "svg"]);
    let shown = svg
        .lines()
        .filter_map(|line| line.split("class=\"legend formula\"").nth(1)?.split("</title>").nth(1));
    let shown: Vec<&str> = shown.collect();
    assert!(
        !shown.is_empty() && shown.iter().all(|text| text.contains("...</text>") && text.len() < 300),
        "{shown:?}"
    );
}

#[test]
fn a_large_product_is_an_overview_and_says_so() {
    let note =
        "note: 1537 states are too many to read, so this is an overview of them; --whole draws every one";
    for (words, parts) in [
        (
            &["boolean.toml", "--to", "svg"][..],
            &[
                "overview of 1537 states by distance to the objective",
                "distance 15",
                "65 states, rank 15",
                ">263<",
                "violation",
                "--whole",
            ][..],
        ),
        (
            &["boolean.toml"],
            &["overview of 1537 states by distance to the objective", "distance 15\\n65 states", "--whole"],
        ),
        (
            &["boolean.toml", "--product", "--to", "svg"],
            &["overview of 1537 states by steps from the start", "the start", "1 step from the start"],
        ),
    ] {
        let output = provoke(&lift(), &[&["show"], words].concat());
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(stderr(&output).trim(), note);
        let picture = String::from_utf8(output.stdout).unwrap();
        parts.iter().for_each(|part| assert!(picture.contains(part), "{part}: {picture}"));
    }
    // A violation as the objective is a group of its own.
    let broken = drawn(&lift(), &["boolean.toml", "--objective", "break-doors", "--to", "svg"]);
    assert!(broken.contains("overview of 385 states") && broken.contains("objective reached: a violation"));
    // Everything, where that is wanted; and files for other tools are whole.
    let output = provoke(&lift(), &["show", "boolean.toml", "--objective", "break-doors", "--whole"]);
    assert_eq!(stderr(&output), "");
    assert!(String::from_utf8(output.stdout).unwrap().contains("n384 ["));
    let file = drawn(&lift(), &["boolean.toml", "--objective", "break-doors", "--to", "hoa"]);
    assert!(file.contains("States: 385"));
}

/// What the command writes to a terminal that is this wide, with these settings in its environment.
fn on_terminal(folder: &Path, columns: u32, settings: &[(&str, &str)], words: &str) -> Option<String> {
    let command = format!("stty cols {columns}; exec {} {words}", env!("CARGO_BIN_EXE_provoke"));
    let output = Command::new("script")
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .envs(settings.iter().copied())
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output();
    match output {
        Ok(output) => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Err(_) => {
            eprintln!("skipped: there is no `script` to make a terminal with");
            None
        }
    }
}

/// A text without the escape sequences that move the cursor and colour.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("\x1b[") {
        plain.push_str(&rest[..at]);
        rest = rest[at + 2..].trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        rest = rest.get(1..).unwrap_or_default();
    }
    plain + rest
}

#[test]
fn the_bar_counts_what_is_limited_and_fits_forty_columns() {
    let spec = SPEC.split("[[objective]]").next().unwrap();
    let folder = folder_with(&[("s.toml", spec), ("good.dot", GOOD)]);
    for (limit, unit) in [
        ("--seconds 0.6 --runs 1000000000", "/0.6 s"),
        ("--seconds 60 --runs 200000 --steps 20", "/200.0k runs"),
    ] {
        let words = format!("test s.toml --no-save {limit}");
        let Some(text) = on_terminal(folder.path(), 40, &[("TERM", "xterm")], &words) else { return };
        // Below the bar, `[system]` is what a report may begin a line with.
        let is_bar = |line: &String| line.trim_start().starts_with('[') && !line.contains("[system]");
        let bars: Vec<String> = text.split(['\r', '\n']).map(plain).filter(is_bar).collect();
        assert!(bars.iter().any(|bar| bar.contains(unit)), "{limit}: {bars:?}");
        assert!(bars.iter().all(|bar| bar.trim_end().chars().count() <= 40), "{bars:?}");
    }
}

#[test]
fn a_dumb_terminal_gets_no_escape_codes() {
    let spec = SPEC.split("[[objective]]").next().unwrap();
    let folder =
        folder_with(&[("s.toml", spec), ("good.dot", GOOD), ("bad.toml", "[signals]\ninputs = 3\n")]);
    for (settings, escapes) in [
        (&[("TERM", "xterm")][..], true),
        (&[("TERM", "dumb")], false),
        (&[("TERM", "xterm"), ("NO_COLOR", "1")], false),
    ] {
        let Some(text) = on_terminal(folder.path(), 80, settings, "check bad.toml") else { return };
        assert!(text.contains("error"), "{text}");
        assert_eq!(text.contains('\x1b'), escapes, "{settings:?}: {text:?}");
    }
    let words = "test s.toml --no-save --seconds 0.4";
    let Some(text) = on_terminal(folder.path(), 80, &[("TERM", "dumb")], words) else { return };
    assert!(!text.contains('\x1b') && !text.contains("[#"), "{text:?}");
}

#[test]
fn a_requirement_that_nothing_violates_leaves_the_others_their_place() {
    // The assumption keeps R1 from being violated, but not R2: only the second violation is drawn.
    let spec = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[[assumption]]\nid = 'A'\nltl = 'G !b'\n\
        [[requirement]]\nid = 'R1'\nltl = 'G(b -> x)'\n[[requirement]]\nid = 'R2'\nltl = 'G(a -> x)'\n\
        [[objective]]\nid = 'o'\nltl = 'F(x & X x)'\n";
    let folder = folder_with(&[("s.toml", spec)]);
    for words in [&["s.toml"][..], &["s.toml", "--product"]] {
        let dot = drawn(folder.path(), words);
        let violations: Vec<&str> = dot.lines().filter(|line| line.contains("[label=\"violates")).collect();
        assert!(matches!(violations[..], [only] if only.contains("violates R2")), "{dot}");
        let name = violations[0].split_whitespace().next().unwrap();
        let leads = |line: &&str| line.contains(&format!("-> {name} ["));
        let ways: Vec<&str> = dot.lines().filter(leads).collect();
        assert!(!ways.is_empty() && ways.iter().all(|line| line.contains("& !x")), "{dot}");
    }
}
