//! `provoke generate` and `provoke test --suite` through the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{folder, test};
use provoke::ltl::{holds_for_ever, parse};
use serde_json::{Value, json};

const ARBITER: &str = "[signals]\ninputs = ['r', 's']\noutputs = ['g', 'h']\n[system]\nmodel = 'good.dot'\n\
    [[requirement]]\nid = 'mutex'\nltl = 'G !(g & h)'\n\
    [[requirement]]\nid = 'asked'\nltl = 'G (g -> r)'\n\
    [[requirement]]\nid = 'served'\nltl = 'G (r & !s -> g)'\n\
    [[requirement]]\nid = 'live'\nltl = 'G (s -> F h)'\n";
/// Serves s first.
const GOOD: &str = "digraph { __start0 -> q; q -> q [label=\"s / h\"]; q -> q [label=\"r & !s / g\"]; \
    q -> q [label=\"!r & !s / !g & !h\"]; }";
/// Grants both at once the third time that both ask.
const FAULTY: &str = "digraph { __start0 -> a; \
    a -> b [label=\"r & s / h\"]; a -> a [label=\"!r & s / h\"]; a -> a [label=\"r & !s / g\"]; a -> a [label=\"!r & !s / !g & !h\"]; \
    b -> b [label=\"r & s / g & h\"]; b -> b [label=\"!r & s / h\"]; b -> b [label=\"r & !s / g\"]; b -> b [label=\"!r & !s / !g & !h\"]; }";

fn arbiter() -> tempfile::TempDir {
    let folder = folder(ARBITER);
    std::fs::write(folder.path().join("good.dot"), GOOD).unwrap();
    std::fs::write(folder.path().join("faulty.toml"), ARBITER.replace("good.dot", "faulty.dot")).unwrap();
    std::fs::write(folder.path().join("faulty.dot"), FAULTY).unwrap();
    folder
}

/// The exit code, what is printed, and what is said beside it.
fn generate(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.current_dir(folder).args(["generate", "spec.toml"]).args(words).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn suite(folder: &Path, words: &[&str]) -> Value {
    let (code, out, error) = generate(folder, words);
    assert_eq!(code, 0, "{error}");
    serde_json::from_str(&out).unwrap()
}

fn run(folder: &Path, suite: &Value, words: &[&str]) -> (i32, Value) {
    let path = folder.join("suite.json");
    std::fs::write(&path, suite.to_string()).unwrap();
    test(folder, &[&["--suite", path.to_str().unwrap()], words].concat())
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number, not {value}"))
}

#[test]
fn strategies_make_trees_that_the_good_system_passes() {
    let folder = arbiter();
    for strategy in ["gdfs", "random-walk", "guided-walk"] {
        let made = suite(
            folder.path(),
            &["--strategy", strategy, "--k-max", "12", "--seed", "3", "--branches", "1000"],
        );
        assert_eq!((&made["version"], &made["made_by"]["strategy"]["name"]), (&json!(1), &json!(strategy)));
        assert_eq!(made["made_by"]["strategy"]["complete"], true, "{strategy}");
        assert_eq!((&made["inputs"], &made["outputs"]), (&json!(["r", "s"]), &json!(["g", "h"])));
        let tests = made["tests"].as_array().unwrap();
        assert!(!tests.is_empty(), "{strategy}");
        for test in tests {
            let nodes = test["nodes"].as_array().unwrap();
            let depth = |mut at: usize| {
                let mut depth = 1;
                while at > 0 {
                    let leads = |node: &Value| {
                        node["answers"].as_array().unwrap().iter().any(|answer| answer["to"] == at)
                    };
                    at = nodes.iter().position(leads).unwrap();
                    depth += 1;
                }
                depth
            };
            assert!((0..nodes.len()).all(|at| depth(at) <= 12), "no longer than --k-max");
            for node in nodes {
                // By hand: mutual exclusion always; g only for r; g where r is alone.
                let (r, s) = (
                    node["input"].as_str().unwrap().contains("r=1"),
                    node["input"].as_str().unwrap().contains("s=1"),
                );
                let allowed: Vec<(bool, bool)> = [(false, false), (true, false), (false, true), (true, true)]
                    .into_iter()
                    .filter(|&(g, h)| !(g && h) && g <= r && (r && !s) <= g)
                    .collect();
                let fits = |answer: &Value, (g, h): (bool, bool)| {
                    let formula = parse(answer["outputs"].as_str().unwrap()).unwrap().formula;
                    holds_for_ever(&formula, &[], &[()], |(), name| if name == "g" { g } else { h })
                };
                for output in [(false, false), (true, false), (false, true), (true, true)] {
                    let times = node["answers"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .filter(|answer| fits(answer, output))
                        .count();
                    assert_eq!(
                        times,
                        usize::from(allowed.contains(&output)),
                        "{strategy}: {node} and {output:?}"
                    );
                }
            }
        }
        let (code, report) = run(folder.path(), &made, &[]);
        assert_eq!((code, &report["verdict"]), (0, &json!("covered")), "{report}");
        let tally = &report["suite"];
        assert_eq!(count(&tally["tests"]), tests.len() as u64);
        assert_eq!(
            (count(&tally["passed"]), count(&tally["inconclusive"])),
            (tests.len() as u64, 0),
            "whole trees: {tally}"
        );
        assert_eq!((count(&tally["failed"]), count(&tally["not_run"])), (0, 0));
        assert_eq!(count(&report["runs"]), tests.len() as u64);
    }
}

#[test]
fn the_same_seed_makes_the_same_suite_and_files_are_as_standard_output() {
    let folder = arbiter();
    let words = ["--strategy", "random-walk", "--seed", "9"];
    let (_, first, _) = generate(folder.path(), &words);
    let (_, again, _) = generate(folder.path(), &words);
    assert_eq!(first, again);
    let (code, out, told) = generate(folder.path(), &[&words[..], &["-o", "suite.json"]].concat());
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(told.contains("by random-walk") && told.contains("in suite.json"), "{told}");
    assert_eq!(std::fs::read_to_string(folder.path().join("suite.json")).unwrap(), first);
}

#[test]
fn strategies_that_need_a_system_say_so() {
    let folder = arbiter();
    for strategy in ["uniform", "frontier-experience", "input-classes", "learning", "tour"] {
        let (code, out, error) = generate(folder.path(), &["--strategy", strategy]);
        assert_eq!((code, out.as_str()), (2, ""), "{strategy}");
        assert!(error.contains(&format!("strategy `{strategy}` goes by what a system answers")), "{error}");
    }
    let (code, _, error) = generate(folder.path(), &["--strategy", "gdsf"]);
    assert!(code == 2 && error.contains("gdfs"), "{error}");
    let (code, _, error) = generate(folder.path(), &["--model", "good.dot"]);
    assert!(code == 2 && error.contains("--criterion"), "{error}");
}

#[test]
fn a_violation_in_a_suite_is_shrunk_and_the_system_that_leaves_the_tree_is_inconclusive() {
    let folder = arbiter();
    let step = |input: &str, outputs: &str, to: Option<usize>| match to {
        Some(to) => json!({"input": input, "answers": [{"outputs": outputs, "to": to}]}),
        None => json!({"input": input, "answers": [{"outputs": outputs}]}),
    };
    let mut made = suite(folder.path(), &["--strategy", "gdfs"]);
    let both = "r=1 s=1";
    made["tests"] = json!([
        {"nodes": [step("r=0 s=0", "!g & !h", Some(1)), step(both, "h & !g", Some(2)), step("r=0 s=0", "true", Some(3)), step(both, "h & !g", None)]},
        {"nodes": [step(both, "!h", Some(1)), step(both, "true", None)]},
        {"nodes": [step(both, "h", None)]},
    ]);
    let (code, report) = run(folder.path(), &made, &[]);
    assert_eq!(code, 0, "{report}");
    let tally = &report["suite"];
    assert_eq!(
        (count(&tally["passed"]), count(&tally["inconclusive"])),
        (2, 1),
        "the second leaves the tree: {tally}"
    );
    assert_eq!(count(&report["steps"]), 4 + 1 + 1, "and ends there");
    std::fs::write(folder.path().join("spec.toml"), ARBITER.replace("good.dot", "faulty.dot")).unwrap();
    let (code, report) = run(folder.path(), &made, &[]);
    assert_eq!((code, &report["verdict"]), (1, &json!("violated")), "{report}");
    assert_eq!(report["violations"][0]["requirement"], "mutex");
    assert_eq!(report["violations"][0]["trace"].as_array().unwrap().len(), 2, "shrunk");
    assert_eq!((count(&report["suite"]["failed"]), count(&report["suite"]["not_run"])), (1, 2), "{report}");
}

#[test]
fn suites_that_cannot_be_run_are_told_with_the_place() {
    let folder = arbiter();
    let made = suite(folder.path(), &["--strategy", "gdfs"]);
    let refused = |suite: &str, words: &[&str]| {
        std::fs::write(folder.path().join("bad.json"), suite).unwrap();
        let path = folder.path().join("bad.json");
        let (code, error) = test(folder.path(), &["--suite", path.to_str().unwrap()]);
        assert_eq!(code, 2, "{error}");
        let error = error.as_str().unwrap();
        assert!(words.iter().all(|word| error.contains(word)), "{words:?} in {error}");
    };
    let whole = serde_json::to_string_pretty(&made).unwrap();
    refused(&whole[..whole.len() / 2], &["bad.json", "line "]);
    refused("", &["line 1", "EOF"]);
    refused("{}", &["version"]);
    refused("[1, 2]", &["version"]);
    refused(&whole.replace("\"version\": 1", "\"version\": 7"), &["version 7"]);
    refused(&whole.replace("\"tests\":", "\"texts\":"), &["unknown field `texts`", "line "]);
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut made = made.clone();
        change(&mut made);
        made.to_string()
    };
    refused(&changed(&|made| made["inputs"] = json!(["r", "t"])), &["inputs:", "r, t", "r, s"]);
    refused(
        &changed(&|made| made["tests"][0]["nodes"][0]["input"] = json!("r=1 u=0")),
        &["tests[0].nodes[0].input", "`u`"],
    );
    let outputs =
        |text: &str| changed(&|made| made["tests"][0]["nodes"][0]["answers"][0]["outputs"] = json!(text));
    refused(&outputs("g &"), &["tests[0].nodes[0].answers[0].outputs"]);
    refused(&outputs("z"), &["answers[0].outputs", "`z`"]);
    refused(&outputs("r"), &["answers[0].outputs", "`r` is an input"]);
    refused(&outputs("X g"), &["answers[0].outputs", "temporal"]);
    refused(&outputs("g & !g"), &["answers[0].outputs", "no output"]);
    refused(
        &changed(&|made| made["tests"][0]["nodes"][0]["answers"][0]["to"] = json!(0)),
        &["answers[0].to"],
    );
    refused(&changed(&|made| made["tests"][0]["nodes"] = json!([])), &["tests[0].nodes"]);
    let lonely = json!({"input": "r=0 s=0", "answers": []});
    refused(
        &changed(&|made| made["tests"][0]["nodes"].as_array_mut().unwrap().push(lonely.clone())),
        &["no answer leads"],
    );
    let (code, error) = test(folder.path(), &["--suite", "missing.json"]);
    assert!(code == 2 && error.as_str().unwrap().contains("missing.json"), "{error}");
    let (code, _) = test(folder.path(), &["--suite", "x.json", "--strategy", "uniform"]);
    assert_eq!(code, 2);
}

/// Evaluates the formula of each goal on the run that is said to cover it.
fn witnessed(made: &Value) {
    for goal in made["goals"].as_array().unwrap() {
        let Some(test) = goal["test"].as_u64() else { continue };
        assert_eq!(goal["feasible"], true);
        let Some(formula) = goal["formula"].as_str() else { continue };
        let test = &made["tests"][test as usize];
        let step = |node: &Value| {
            let outputs = parse(node["answers"][0]["outputs"].as_str().unwrap()).unwrap().formula;
            (node["input"].as_str().unwrap().to_owned(), outputs)
        };
        let steps: Vec<_> = test["nodes"].as_array().unwrap().iter().map(step).collect();
        // Where it does not go round, whatever comes after it is as good as anything else.
        let from = test["loop_from"].as_u64().map_or(steps.len() - 1, |from| from as usize);
        let value = |(input, outputs): &(String, provoke::ltl::Formula), name: &str| match name {
            "g" | "h" => {
                let only = outputs.clone().and(parse(name).unwrap().formula);
                [(false, false), (true, false), (false, true), (true, true)].iter().any(|&(g, h)| {
                    holds_for_ever(&only, &[], &[()], |(), name| if name == "g" { g } else { h })
                })
            }
            _ => input.contains(&format!("{name}=1")),
        };
        let formula = parse(formula).unwrap().formula;
        assert!(holds_for_ever(&formula, &steps[..from], &steps[from..], value), "{goal}");
    }
}

#[test]
fn criteria_are_witnessed_and_the_machine_passes_its_tests() {
    let folder = arbiter();
    let goals = |made: &Value| made["goals"].as_array().unwrap().len();
    let mut counts = Vec::new();
    for criterion in ["rc", "ac", "ufc"] {
        let made = suite(folder.path(), &["--model", "good.dot", "--criterion", criterion]);
        assert_eq!(made["made_by"]["criterion"], json!({"name": criterion, "model": "good.dot"}));
        witnessed(&made);
        let (code, report) = run(folder.path(), &made, &[]);
        assert_eq!(code, 0, "{report}");
        assert_eq!(report["suite"]["passed"], report["suite"]["tests"], "{report}");
        counts.push(goals(&made));
    }
    // Four requirements; three implications and one requirement without; conditions 2 + 2 + 3 + 2.
    assert_eq!(counts, [4, 4, 9]);
}

#[test]
fn what_no_run_of_the_machine_covers_is_infeasible() {
    let tables = "[signals]\ninputs = ['r', 's']\noutputs = ['g', 'h']\n[[requirement]]\nid = 'R'\nltl = 'G (g -> r)'\n";
    let folder = folder(tables);
    std::fs::write(
        folder.path().join("m.dot"),
        "digraph { __start0 -> q; q -> q [label=\"true / !g & !h\"]; }",
    )
    .unwrap();
    let words = |criterion| ["--model", "m.dot", "--criterion", criterion];
    let made = suite(folder.path(), &words("ufc"));
    let feasible: Vec<&Value> =
        made["goals"].as_array().unwrap().iter().map(|goal| &goal["feasible"]).collect();
    assert_eq!(feasible, [true, false], "without g there is nothing that r could decide");
    let made = suite(folder.path(), &words("ac"));
    assert_eq!((&made["goals"][0]["feasible"], made["tests"].as_array().unwrap().len()), (&json!(false), 0));
    let (_, _, told) = generate(folder.path(), &words("ac"));
    assert!(told.contains("0 of 1 goal covered, 1 infeasible, 0 unknown"), "{told}");
    // Half of a machine leaves it open.
    std::fs::write(folder.path().join("m.dot"), "digraph { __start0 -> q; q -> q [label=\"r / !g & !h\"]; }")
        .unwrap();
    let made = suite(folder.path(), &words("ac"));
    assert_eq!(made["goals"][0]["feasible"], Value::Null, "{made}");
}
