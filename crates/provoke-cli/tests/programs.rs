//! Model programs through the real binary: bad models, conformance, objectives over actions, resets, the advice oracle.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Stdio};

use provoke::strategy::{CATALOGUE, Needs, StrategyEntry};
use serde_json::Value;

/// A folder with a model, and a specification that names it with these tables besides.
fn folder(model: &str, tables: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("[[requirement]]\nid = 'model'\nprogram = 'it.model'\n{tables}");
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    std::fs::write(folder.path().join("it.model"), model).unwrap();
    folder
}

/// A system that is a shell script: `$line` is what was sent.
fn system(script: &str) -> String {
    format!(
        "[system]\ncommand = ['sh', '-c', '''n=0; while read -r line; do {script}; done''']\n\
         [system.protocol]\nrefusal = 'no'\nsettle_ms = 0\n"
    )
}

fn provoke(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

/// The exit code and the report of `provoke test spec.toml`.
fn tested(folder: &Path, words: &[&str]) -> (i32, Value) {
    let usual = ["test", "spec.toml", "--json", "--no-save", "--seed", "1", "--reset-cost", "8"];
    let (code, out, error) = provoke(folder, &[&usual, words].concat());
    (code, serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {error}")))
}

const QUIET: &str = "echo delta";

#[test]
fn bad_models_are_told_with_their_place_before_anything_runs() {
    let bad = [
        // What is wrong, where it stands, and what is said of it.
        ("var k : int = 0\ncontrollable A\n  when 10 / k > 1\n", "3:8", "divides by zero"),
        (
            "var k : int = 3\ncontrollable A\n  when k >= 0 & 10 / k > 1\n  k := k - 1\n",
            "3:17",
            "divides by zero",
        ),
        ("controllable A(x in int)\n", "1:21", "too many values"),
        ("var n : int = 0\ncontrollable A(x in 0..n)\n  n := n + 70000\n", "2:21", "values"),
        ("controllable A\n  when false\ncontrollable B\n", "2:8", "never enabled"),
        ("var on : bool = false\ncontrollable A\n  when on & !on\ncontrollable B\n", "2:14", "never enabled"),
        ("var on : set of 0..9 = {}\ncontrollable A(x in on)\ncontrollable B\n", "2:14", "never enabled"),
        ("var k : int = 0\ncontrollable A\n  k := true\n", "3:8", "true"),
        ("controllable A\n  k := 1\n", "2:3", "`k`"),
        ("var k : int = 9223372036854775807\ncontrollable A\n  k := k + 1\n", "3:8", "overflow"),
        ("var k : 0..3 = 0\ncontrollable A\n  k := k + 1\n", "3:8", "0..3"),
        (
            "var k : int = 0\ncontrollable A\n  k := k + 1\nreset when 1 / (k - 2) > 0\n",
            "4:12",
            "divides by zero",
        ),
    ];
    for (model, place, said) in bad {
        let folder = folder(model, &system(QUIET));
        for words in [&["check", "spec.toml"][..], &["test", "spec.toml", "--no-save"]] {
            let (code, out, error) = provoke(folder.path(), words);
            assert_eq!(code, 2, "{model}\n{out}{error}");
            assert!(error.contains(&format!("it.model:{place}")), "{model}\n{error}");
            assert!(error.contains('^') && error.contains(said), "{model}\n{error}");
            assert_eq!(out, "", "nothing but the error");
        }
    }
}

#[test]
fn a_model_that_goes_wrong_in_a_campaign_ends_it_without_a_verdict() {
    // Far beyond what is looked at before: the 3000th step divides by zero, or leaves its bounds.
    let counts = "var k : int = 0\ncontrollable A\n  k := k + 1\nobservable B\n  when ";
    for (guard, said) in
        [("6 / (3000 - k) > 1", "divides by zero"), ("k > 2999 & k * 9223372036854775 > 0", "overflow")]
    {
        let folder = folder(&format!("{counts}{guard}\n"), &system("echo delta"));
        for strategy in ["least-cost", "random"] {
            let words =
                ["test", "spec.toml", "--no-save", "--steps", "9000", "--runs", "3", "--strategy", strategy];
            let (code, out, error) = provoke(folder.path(), &words);
            assert_eq!((code, out.as_str()), (2, ""), "{strategy}: {error}");
            assert!(error.contains("it.model:5:") && error.contains(said) && error.contains('^'), "{error}");
        }
    }
}

const LAMP: &str =
    "var on : bool = false\ncontrollable Press\n  on := !on\nobservable Burn\n  when on\n  on := false\n";

#[test]
fn alternating_refinement_convicts_either_way_and_nothing_else() {
    let toggles = "case $line in Press) n=$((1-n)); echo delta;; *) if [ $n = 1 ]; then n=0; echo Burn; else echo delta; fi;; esac";
    let cases = [
        ("a good lamp", toggles, 0),
        // An enabled action is rejected.
        ("refuses", "case $line in Press) echo no;; *) echo delta;; esac", 1),
        // An action that the model rejects, or does not know, is done.
        ("burns out while it is off", "case $line in Press) echo delta;; *) echo Burn;; esac", 1),
        ("explodes", "case $line in Press) echo delta;; *) echo Explode;; esac", 1),
        // A system need not do what it may.
        ("never burns out", "echo delta", 0),
    ];
    for (name, script, expected) in cases {
        let folder = folder(LAMP, &system(script));
        for strategy in [
            "random",
            "least-cost",
            "randomised-least-cost",
            "least-cost-onward",
            "uniform",
            "frontier-experience",
        ] {
            let words = ["--hunt", "--runs", "6", "--steps", "40", "--strategy", strategy];
            let (code, report) = tested(folder.path(), &words);
            assert_eq!(code, expected, "{name}, {strategy}: {report}");
            if expected == 1 {
                assert_eq!(report["violations"][0]["requirement"], "model");
            }
        }
    }
}

#[test]
fn formulas_speak_of_actions_by_name_and_by_instance() {
    let model = "const N = 3\nvar at : 0..N = 0\n\
                 controllable Go(x in 0..N)\n  at := x\n\
                 observable Echo(x in {at})\n  when at > 0\n  at := 0\n";
    let objectives = "[[objective]]\nid = 'instance'\nltl = 'F Go(2)'\n\
                      [[objective]]\nid = 'name'\nltl = 'F Echo'\n\
                      [[objective]]\nid = 'both'\nltl = 'F (Echo(3) & X F Echo(1))'\n\
                      [[requirement]]\nid = 'never-first'\nltl = '!Echo W Go'\n";
    let script = "case $line in Go*) n=${line#Go(}; n=${n%)}; echo delta;; \
                  *) if [ $n -gt 0 ]; then echo \"Echo($n)\"; n=0; else echo delta; fi;; esac";
    let good = folder(model, &(system(script) + objectives));
    // `sm-mcts-mu` prefers whatever it can do to waiting (paper 4, section 10.3), and this system speaks to those who wait.
    let waits = |entry: &&StrategyEntry| entry.needs == Needs::Nothing && entry.name != "sm-mcts-mu";
    for entry in CATALOGUE.iter().filter(waits) {
        let words = ["--strategy", entry.name, "--runs", "300", "--steps", "60"];
        let (code, report) = tested(good.path(), &words);
        assert_eq!(code, 0, "{}: {report}", entry.name);
    }
    let (_, report) = tested(good.path(), &["--strategy", "greedy"]);
    // The way is in sight: nobody wanders about.
    assert_eq!(report["objectives"][2]["trace"].as_array().unwrap().len(), 4, "{report}");
    // A violation of the formula is told apart from one of the model.
    let eager =
        folder(model, &(system("case $line in Go*) echo delta;; *) echo 'Echo(1)';; esac") + objectives));
    let (code, report) = tested(
        eager.path(),
        &[
            "--hunt",
            "--keep-going",
            "--strategy",
            "random",
            "--listen",
            "0.5",
            "--runs",
            "20",
            "--steps",
            "10",
        ],
    );
    let broken: Vec<&str> = report["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["requirement"].as_str().unwrap())
        .collect();
    assert_eq!((code, broken.len()), (1, 2), "{broken:?}");
}

#[test]
fn runs_end_where_a_reset_is_enabled() {
    // After Open, the door must be closed before a reset; Slam never lets anyone out.
    let model = "var open : bool = false\nvar stuck : bool = false\n\
                 controllable Open\n  when !open\n  open := true\n\
                 controllable Close\n  when open & !stuck\n  open := false\n\
                 controllable Look\n  when open\n\
                 controllable Slam\n  when open\n  stuck := true\n\
                 reset when !open\n";
    let without = model.replace("controllable Slam\n  when open\n  stuck := true\n", "");
    let script = "echo \"$line\" >> log; [ \"$line\" = reset ] || echo delta";
    for strategy in ["least-cost", "uniform", "frontier-experience"] {
        let folder = folder(&without, &(system(script).replace("[system]", "[system]\nreset = 'reset'")));
        let words = ["--runs", "30", "--steps", "5", "--strategy", strategy];
        let (code, report) = tested(folder.path(), &words);
        assert_eq!((code, &report["stranded"]), (0, &Value::Bool(false)), "{strategy}: {report}");
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        let mut open = false;
        for line in log.lines() {
            assert!(line != "reset" || !open, "{strategy}: a reset behind an open door");
            open = match line {
                "Open" => true,
                "Close" | "reset" => false,
                _ => open,
            };
        }
    }
    let folder = folder(model, &system(script));
    let (code, report) = tested(folder.path(), &["--runs", "30", "--steps", "50", "--strategy", "random"]);
    assert_eq!((code, &report["stranded"]), (0, &Value::Bool(true)), "{report}");
    let (_, out, error) = provoke(folder.path(), &["test", "spec.toml", "--no-save", "--strategy", "random"]);
    assert!(
        error.contains("does not enable a reset") && out.contains("does not enable a reset"),
        "{out}{error}"
    );
}

#[test]
fn the_oracle_observes_as_often_as_it_is_told() {
    let script = "echo \"$line\" >> log; case $line in Press) n=$((1-n)); echo delta;; *) echo delta;; esac";
    let folder = folder(LAMP, &system(script));
    let waits = |observe: &str| {
        let log = folder.path().join("log");
        let _ = std::fs::remove_file(&log);
        let (code, _) = tested(
            folder.path(),
            &["--runs", "1", "--steps", "400", "--strategy", "random", "--listen", "0", "--observe", observe],
        );
        assert_eq!(code, 0);
        let text = std::fs::read_to_string(log).unwrap();
        text.lines().filter(|line| *line == "mu").count()
    };
    assert_eq!(waits("0"), 0);
    // The lamp is on after every second press, and then waits follow each other with chance 3/4: three in the mean for each
    // two presses. So 240 of 400 steps are waits, with a deviation below 20.
    let many = waits("0.75");
    assert!((120..350).contains(&many), "{many}");
    let (code, _, error) =
        provoke(folder.path(), &["test", "spec.toml", "--strategy", "random", "--observe", "2"]);
    assert!(code == 2 && error.contains("from 0 to 1"), "{error}");
}

/// Example 3 of paper 2: a bounded stack of which the top can always be looked at.
fn stack(tables: &str, size: u32) -> tempfile::TempDir {
    let model = format!(
        "const N = {size}\nvar height : 0..N = 0\n\
         controllable Push(h in {{height}})\n  height := min(height + 1, N)\n  abstract state ()\n  abstract action ()\n\
         controllable Top\n  abstract state ()\n"
    );
    folder(&model, &(system(QUIET) + tables))
}

#[test]
fn a_stack_is_pushed_full_in_as_many_steps_as_it_has_places() {
    for size in [20, 100] {
        let objective = format!("[[objective]]\nid = 'full'\nltl = 'F Push({size})'\n");
        let folder = stack(&objective, size);
        let steps = |words: &[&str]| {
            let (code, report) =
                tested(folder.path(), &[words, &["--steps", "1000", "--listen", "0"]].concat());
            assert_eq!(code, 0, "{report}");
            report["objectives"][0]["steps"].as_u64().unwrap()
        };
        let n = u64::from(size);
        // The paper's greedy strategy alternates between the two actions.
        assert!((2 * n + 1..=2 * n + 2).contains(&steps(&["--strategy", "least-cost"])));
        assert_eq!(steps(&["--strategy", "least-cost-onward"]), n + 1);
        assert_eq!(steps(&["--strategy", "greedy"]), n + 1);
        // The tester can force it, so no strategy that follows the guide tries anything else.
        assert_eq!(steps(&[]), n + 1);
        assert_eq!(steps(&["--strategy", "uniform"]), n + 1);
    }
}

#[test]
fn a_model_program_is_checked_and_shown() {
    let folder = folder(LAMP, "[[objective]]\nid = 'o'\nltl = 'F Burn'\n");
    let (code, out, _) = provoke(folder.path(), &["check", "spec.toml", "--json"]);
    let check: Value = serde_json::from_str(&out).unwrap();
    let survey = &check["requirements"][0]["survey"];
    assert_eq!(
        (code, &survey["complete"], &survey["states"], &survey["actions"]),
        (0, &true.into(), &2.into(), &3.into())
    );
    assert_eq!(
        (&check["objectives"][0]["distance"], &check["objectives"][0]["rank"]),
        (&2.into(), &1.into())
    );
    let (code, out, _) = provoke(folder.path(), &["check", "spec.toml"]);
    assert!(code == 0 && out.contains("a model program with 2 states, 3 actions"), "{out}");
    let (code, out, error) = provoke(folder.path(), &["show", "spec.toml"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("digraph") && out.contains("Press") && out.contains("on = true"), "{out}");
}

#[test]
fn a_model_stands_alone_and_tells_of_actions_that_nobody_has_met() {
    let channel = "enum Packet { hello, bye }\nvar way : set of Packet = {}\n\
                   controllable Send(p in Packet)\n  choose lost in bool\n  way := if lost then way else way union {p}\n\
                   observable Arrive(p in way)\n  way := way minus {p}\n";
    let script = "case $line in Send*) echo delta; n=${line#Send} ;; *) if [ \"$n\" = 0 ]; then echo delta; else echo 'Arrive(hello)'; n=0; fi ;; esac";
    let folder = folder(channel, &system(script));
    let (code, out, error) = provoke(folder.path(), &["check", "it.model"]);
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("actions: 1 in, 1 out\nrequirement it: a model program with 4 states"), "{out}");
    let (code, report) = tested(folder.path(), &["--runs", "50"]);
    assert_eq!((code, &report["violations"][0]["allowed"]), (1, &"delta | Arrive(bye)".into()), "{report}");
}
