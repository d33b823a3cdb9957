//! The specifications of `examples` through the real binary: as machines and as programs.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn example(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file)
}

/// An example program, which `cargo test` builds beside the binary.
fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_BIN_EXE_provoke")).with_file_name("examples").join(name);
    assert!(path.exists(), "`cargo build --examples` makes {}", path.display());
    path.to_str().unwrap().to_owned()
}

/// Tests a committed specification without saving anything beside it; gives the exit code and the report.
fn test(spec: &str, words: &[&str]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_provoke"))
        .args(["test", example(spec).to_str().unwrap(), "--no-save", "--json"])
        .args(words)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let report = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {text}"));
    (output.status.code().unwrap(), report)
}

#[test]
fn a_good_passageway_is_crossed_and_a_faulty_one_is_found_out() {
    for rooms in [3, 10] {
        let (code, report) = test(&format!("passageway/rooms-{rooms}.toml"), &[]);
        assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")), "{rooms} rooms");
        let (code, report) = test(&format!("passageway/rooms-{rooms}-faulty.toml"), &[]);
        assert_eq!((code, &report["verdict"]), (1, &Value::from("violated")), "{rooms} rooms");
        let violation = &report["violations"][0];
        assert_eq!(violation["requirement"], "doors");
        // Four moves a room but the last; shrinking only leaves steps out, so it may end with a few more.
        assert!(violation["trace"].as_array().unwrap().len() >= 4 * (rooms - 1));
    }
}

#[test]
fn a_coffee_machine_conforms_or_does_not() {
    let (code, report) = test("coffee/coffee.toml", &[]);
    assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")));
    for faulty in ["keeps-the-coin", "too-eager"] {
        let (code, report) = test(&format!("coffee/{faulty}.toml"), &["--hunt"]);
        assert_eq!((code, &report["violations"][0]["requirement"]), (1, &Value::from("coffee")), "{faulty}");
    }
}

#[test]
fn the_application_is_won_and_its_fault_is_found() {
    let program = program("choices");
    let with = |words: &[&str], kind: &str| {
        test("choices/choices.toml", &[words, &["--seed", "1", "--", &program, kind]].concat())
    };
    let (code, report) = with(&[], "good");
    assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")), "{report}");
    assert_eq!(report["objectives"].as_array().unwrap().len(), 3);
    // The tester has its way at once.
    let (code, report) = with(&["--strategy", "backward-induction", "--objective", "tester-turns"], "good");
    assert_eq!((code, &report["runs"], &report["steps"]), (0, &Value::from(1), &Value::from(3)), "{report}");
    let (code, report) =
        with(&["--strategy", "sm-mcts-mu", "--score", "proximity", "--objective", "choose"], "good");
    assert_eq!((code, &report["objectives"][0]["covered"]), (0, &Value::from(true)), "{report}");
    let (code, report) = with(&["--objective", "choose"], "faulty");
    assert_eq!((code, &report["violations"][0]["requirement"]), (1, &Value::from("choices")), "{report}");
    // It says what it is to say from the third choice on, whatever it is told then.
    let trace = report["violations"][0]["trace"].as_array().unwrap();
    let inputs: Vec<&str> = trace.iter().map(|step| step["input"].as_str().unwrap()).collect();
    assert_eq!((&inputs[..4], inputs.len()), (&["choose", "e", "d", "c"][..], 5), "{report}");
    assert_eq!(trace[4]["output"], "forward");
}

#[test]
fn the_program_behaves_like_the_machine() {
    let program = program("passageway");
    let program = program.as_str();
    for seed in ["1", "2"] {
        for (kind, spec) in
            [("good", "passageway/rooms-3.toml"), ("faulty", "passageway/rooms-3-faulty.toml")]
        {
            let machine = test(spec, &["--seed", seed]);
            let over_a_pipe = test(spec, &["--seed", seed, "--reset-cost", "1", "--", program, kind, "3"]);
            assert_eq!(machine.0, over_a_pipe.0);
            // The same answers lead to the same choices: step for step the same session.
            for field in ["verdict", "runs", "steps", "objectives", "violations"] {
                assert_eq!(machine.1[field], over_a_pipe.1[field], "{kind}, seed {seed}: {field}");
            }
        }
    }
    let (code, report) = test("passageway/rooms-10-faulty.toml", &["--", program, "faulty", "10"]);
    assert_eq!((code, &report["violations"][0]["requirement"]), (1, &Value::from("doors")));
}

#[test]
fn the_lift_makes_its_round_trip_and_its_fault_is_found() {
    let program = program("lift");
    let with = |objective: &'static str, kind: &'static str, runs: &'static str| {
        // Of seeds 1 to 12, all but the first make the round trip in 3,000 runs.
        ["--seed", "2", "--objective", objective, "--runs", runs, "--", &program, kind].map(str::to_owned)
    };
    let outcome = |words: [String; 9]| {
        let (code, report) = test("lift/boolean.toml", &words.each_ref().map(String::as_str));
        assert_eq!(report["not_guiding"].as_array().unwrap().len(), 0, "all requirements guide");
        (code, report["verdict"].as_str().unwrap().to_owned())
    };
    assert_eq!(outcome(with("round-trip", "good", "3000")), (0, "covered".to_owned()));
    assert_eq!(outcome(with("break-doors", "faulty", "3000")), (1, "violated".to_owned()));
    assert_eq!(outcome(with("break-doors", "good", "20")), (3, "exhausted".to_owned()));
}

#[test]
fn good_robots_are_put_to_work_and_every_fault_is_found() {
    let program = program("robots");
    let (code, report) = test("robots/robots.toml", &["--", &program, "good"]);
    assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")), "{report}");
    let hunt = ["--hunt", "--strategy", "least-cost", "--seed", "1", "--runs", "200", "--steps", "60", "--"];
    let (code, report) = test("robots/robots.toml", &[&hunt[..], &[&program, "good"]].concat());
    assert_eq!((code, &report["steps"]), (0, &Value::from(12_000)), "{report}");
    for kind in ["tired", "picky", "overcharging"] {
        for spec in ["robots/robots.toml", "robots/faulty.toml"] {
            let (code, report) = test(spec, &[&hunt[..], &[&program, kind]].concat());
            assert_eq!(
                (code, &report["violations"][0]["requirement"]),
                (1, &Value::from("robots")),
                "{kind}"
            );
        }
    }
}

#[test]
fn controllers_conform_and_their_faults_are_found() {
    let with = |example: &str, kind: &str| {
        let words =
            ["--strategy", "input-classes", "--runs", "20", "--seed", "1", "--", &program(example), kind];
        test(&format!("{example}/{example}.toml"), &words)
    };
    for example in ["cruise", "arm"] {
        let (code, report) = with(example, "good");
        assert_eq!(
            (code, &report["violations"]),
            (0, &Value::from(Vec::<Value>::new())),
            "{example}: {report}"
        );
        assert_eq!(report["suspected"].as_array().map_or(0, Vec::len), 0, "{example}");
    }
    let faults = [
        ("cruise", "both-pedals", "driver"),
        ("cruise", "dark-lamp", "lamp"),
        ("arm", "deaf", "alarm-at-rest"),
        ("arm", "never-halts", "alarm-halts"),
    ];
    for (example, kind, requirement) in faults {
        let (code, report) = with(example, kind);
        assert_eq!(
            (code, &report["violations"][0]["requirement"]),
            (1, &Value::from(requirement)),
            "{kind}: {report}"
        );
    }
}

#[test]
fn typed_examples_conform_and_their_faults_are_found() {
    let with = |example: &str, kind: &str, words: &[&str]| {
        let program = program(example);
        let words = [words, &["--seed", "1", "--", &program, kind]].concat();
        test(&format!("{example}/{example}.toml"), &words)
    };
    for example in ["lift", "thermostat"] {
        let (code, report) = with(example, "good", &[]);
        assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")), "{example}: {report}");
        let (code, report) = with(example, "good", &["--hunt", "--runs", "20", "--keep-going"]);
        assert_eq!(
            (code, &report["violations"]),
            (0, &Value::from(Vec::<Value>::new())),
            "{example}: {report}"
        );
    }
    let stale = ["power", "cold", "warm", "stays-on", "stays-off"];
    let faults: [(&str, &str, &[&str]); 12] = [
        ("lift", "faulty", &["doors"]),
        ("lift", "overshoots", &["no-further"]),
        ("lift", "off-by-one", &["called-5"]),
        ("lift", "wrong-direction", &["direction"]),
        ("lift", "stale", &["direction"]),
        ("lift", "slow", &["prompt"]),
        ("thermostat", "overshoots", &["warm"]),
        ("thermostat", "late", &["cold"]),
        ("thermostat", "wrong-direction", &["power"]),
        ("thermostat", "stale", &stale),
        ("thermostat", "slow", &["rises"]),
        ("thermostat", "jumps", &["steady"]),
    ];
    for (example, kind, requirements) in faults {
        let (code, report) = with(example, kind, &["--hunt", "--shrink-steps", "200"]);
        let violated = report["violations"][0]["requirement"].as_str().unwrap_or("nothing");
        assert!(code == 1 && requirements.contains(&violated), "{example} {kind}: {violated}, {report}");
    }
}
