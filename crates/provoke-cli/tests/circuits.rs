//! Circuits through the real binary.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn provoke(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// `x` must be what `a` was one step before; the objective is `a` twice in a row.
const DELAY: &str = "aag 9 2 1 2 6\n2\n4\n6 2\n12\n14\n8 6 4\n10 7 5\n12 9 11\n14 6 2\n16 2 4\n18 16 6\n\
    i0 a\ni1 controllable_x\nl0 before\no0 error\no1 objective\n";

/// The same with an error that the environment can force: `a` twice in a row.
const FORCED: &str = "aag 4 2 1 1 1\n2\n4\n6 2\n8\n8 6 2\ni0 a\ni1 controllable_x\no0 error\n";

/// Answers with what came one step before, or always with 0.
const GOOD: &str = "aag 2 1 1 1 0\n2\n4 2\n4\ni0 a\no0 x\n";
const LAZY: &str = "aag 1 1 0 1 0\n2\n0\ni0 a\no0 x\n";

const SPEC: &str = "[system]\nmodel = 'good.aag'\n[[requirement]]\nid = 'delay'\naiger = 'req.aag'\n";

#[test]
fn a_lone_circuit_is_checked() {
    let folder = folder(&[("delay.aag", DELAY), ("forced.aag", FORCED)]);
    for (file, can) in [("delay.aag", false), ("forced.aag", true)] {
        let output = provoke(folder.path(), &["check", file, "--json"]);
        assert_eq!(output.status.code(), Some(0));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["tester_can_force_violation"], can, "{file}");
        assert_eq!(found["realisable"], !can);
        assert!(found["seconds"].as_f64().unwrap() >= 0.0 && found["peak_nodes"].is_u64());
        assert_eq!((found["inputs"].as_u64(), found["outputs"].as_u64()), (Some(1), Some(1)));
    }
}

#[test]
fn circuits_judge_circuits() {
    let lazy = SPEC.replace("good.aag", "lazy.aag");
    let files = [
        ("req.aag", DELAY),
        ("good.aag", GOOD),
        ("lazy.aag", LAZY),
        ("good.toml", SPEC),
        ("lazy.toml", &lazy),
    ];
    let folder = folder(&files);
    let test = |spec: &str| {
        let output = provoke(folder.path(), &["test", spec, "--runs", "50", "--steps", "20", "--json"]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), found)
    };
    let (code, found) = test("good.toml");
    assert_eq!(code, Some(0), "{found:#}");
    assert_eq!(found["objectives"][0]["id"], "objective");
    assert_eq!(found["objectives"][0]["covered"], true);
    let (code, found) = test("lazy.toml");
    assert_eq!(code, Some(1), "{found:#}");
    assert_eq!(found["violations"][0]["requirement"], "delay");
    assert_eq!(found["violations"][0]["trace"].as_array().unwrap().len(), 2);
}

#[test]
fn signals_are_mapped_as_the_file_says() {
    let circuit = DELAY.replace("controllable_x", "controllable_mv").replace("o0 error", "o0 wrong");
    let spec = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'good.aag'\n[[requirement]]\nid = 'delay'\n\
        aiger = 'req.aag'\noutputs = { x = 'controllable_mv' }\nviolation = 'wrong'\n\
        [[objective]]\nid = 'twice'\nrequirement = 'delay'\noutput = 'objective'\n";
    let folder = folder(&[("req.aag", &circuit), ("good.aag", GOOD), ("spec.toml", spec)]);
    let output = provoke(folder.path(), &["test", "spec.toml", "--json"]);
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{found:#}");
    assert_eq!(found["objectives"].as_array().unwrap().len(), 1);
    assert_eq!(found["objectives"][0]["id"], "twice");
}

#[test]
fn faults_are_shown_with_their_place() {
    let binary: &[u8] = b"aig 4 2 1 1 1\n2\n8\n\x02";
    let folder = folder(&[
        ("cyclic.aag", "aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n"),
        ("range.aag", "aag 1 1 0 1 0\n2\n9\n"),
        ("names.aag", "aag 2 2 0 1 0\n2\n4\n2\ni0 a\ni1 a\n"),
        ("spec.toml", SPEC),
        (
            "unknown.toml",
            "[signals]\ninputs = ['a']\noutputs = ['y']\n[[requirement]]\nid = 'delay'\naiger = 'req.aag'\n",
        ),
        ("req.aag", DELAY),
    ]);
    std::fs::write(folder.path().join("short.aig"), binary).unwrap();
    for (words, place) in [
        (&["check", "cyclic.aag"][..], "cyclic.aag:5:1"),
        (&["check", "range.aag"], "range.aag:3:1"),
        (&["check", "names.aag"], "names.aag:6:1"),
        (&["check", "short.aig"], "the file ends too early"),
        (&["test", "spec.toml"], "good.aag"),
        (&["test", "unknown.toml", "--", "true"], "unknown.toml:6:9"),
    ] {
        let output = provoke(folder.path(), words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        assert!(told.contains(place), "{words:?}: {told}");
    }
}

const VERILOG: &str = "module delay(input clk, input a, input x, output error, output objective);
  reg before = 0;
  assign error = x != before;
  assign objective = before & a;
  always @(posedge clk) before <= a;
endmodule
";

#[test]
fn verilog_goes_through_yosys() {
    if !provoke::system::yosys::is_installed() {
        eprintln!("skipped: yosys is not installed");
        return;
    }
    let spec = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'SYSTEM.aag'\n[[requirement]]\nid = 'delay'\nverilog = 'req.v'\n";
    let wrong = VERILOG.replace("x != before", "x != != before");
    let cyclic = "module delay(input a, input x, output error);\n  wire p, q;\n  assign p = q & a;\n  assign q = p | x;\n  assign error = q;\nendmodule\n";
    let folder = folder(&[("good.aag", GOOD), ("lazy.aag", LAZY), ("req.v", VERILOG)]);
    for (system, code) in [("good", 0), ("lazy", 1)] {
        std::fs::write(folder.path().join("spec.toml"), spec.replace("SYSTEM", system)).unwrap();
        let output = provoke(folder.path(), &["test", "spec.toml", "--runs", "50", "--steps", "20"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{system}: {told}");
    }
    // Either line of the loop is its place.
    for (text, places) in [(wrong.as_str(), ["req.v:3:1"; 2]), (cyclic, ["req.v:3:1", "req.v:4:1"])] {
        std::fs::write(folder.path().join("req.v"), text).unwrap();
        let output = provoke(folder.path(), &["check", "spec.toml"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(places.iter().any(|place| told.contains(place)), "{told}");
        assert_eq!(told.contains("combinational loop"), text == cyclic, "{told}");
    }
}

#[test]
fn without_yosys_one_line_says_what_to_install() {
    let spec =
        "[signals]\ninputs = ['a']\noutputs = ['x']\n[[requirement]]\nid = 'delay'\nverilog = 'req.v'\n";
    let folder = folder(&[("req.v", VERILOG), ("spec.toml", spec)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output =
        command.current_dir(folder.path()).args(["check", "spec.toml"]).env("PATH", folder.path()).output();
    let output = output.unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        told.contains("not installed") && told.contains("apt-get install yosys") && told.contains("AIGER"),
        "{told}"
    );
}

#[test]
fn known_statuses_of_public_circuits_are_found() {
    let Some(data) = std::env::var_os("PROVOKE_DATA") else {
        eprintln!("skipped: PROVOKE_DATA does not say where public data is");
        return;
    };
    let data = Path::new(&data).join("aiger");
    for file in [
        "toy_examples_add6y",
        "hyperLTL_halfadder_shiftedmatch",
        "mult_matrix_mult_bool_matrix_2_3_19",
        "LTL2AIG_demo-v21_5_REAL",
        "LTL2DBA_ltl2dba_U1-4_comp2_REAL",
        "HWMCC12_beemfrogs1f1_c0to3",
    ] {
        let output = provoke(&data, &["check", &format!("{file}.aag"), "--json"]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(found["tester_can_force_violation"], false, "{file}");
    }
}

/// Sums of sums: more than any of the ways can do with little.
fn sums() -> String {
    use provoke::format::aiger::{CircuitBuilder, Literal};
    let width = 24;
    let inputs: Vec<String> = (0..width)
        .map(|at| format!("a{at}"))
        .chain((0..width).map(|at| format!("controllable_x{at}")))
        .collect();
    let names: Vec<String> = (0..width).map(|at| format!("l{at}")).collect();
    let latches = names.iter().map(|name| (name.as_str(), false));
    let mut builder = CircuitBuilder::new(inputs.iter().map(String::as_str), latches);
    // A product of inputs and answers in the middle of which bits are compared with what is held.
    let mut sum = vec![Literal::FALSE; width];
    for row in 0..width {
        let mut carry = Literal::FALSE;
        for (at, held) in sum.iter_mut().enumerate().skip(row) {
            let bit = builder.and(builder.input(at - row), builder.input(width + row));
            let both = builder.xor(*held, bit);
            let (over, pair) = (builder.and(both, carry), builder.and(*held, bit));
            *held = builder.xor(both, carry);
            carry = builder.or(over, pair);
        }
    }
    let mut wrong = Literal::FALSE;
    for at in 0..width {
        let next = builder.xor(sum[width - 1 - at], builder.input(at));
        builder.next(at, next);
        let same = builder.xor(sum[at], builder.latch(at));
        wrong = if at % 2 == 0 { builder.xor(wrong, same) } else { builder.or(wrong, same) };
    }
    builder.output("error", wrong);
    builder.finish().to_ascii()
}

#[test]
fn limits_of_time_and_memory_end_in_an_answer() {
    let folder = folder(&[("sums.aag", &sums())]);
    for limits in [["--time", "1"], ["--memory", "64"]] {
        let words = ["check", "sums.aag", "--json", limits[0], limits[1]];
        let words =
            if limits[0] == "--memory" { [&words[..], &["--time", "2"]].concat() } else { words.to_vec() };
        let output = provoke(folder.path(), &words);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{told}");
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(found["tester_can_force_violation"].is_null() && found["realisable"].is_null());
    }
    let output = provoke(folder.path(), &["check", "sums.aag", "--time", "1"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("undecided within 1 second"), "{told}");
}
