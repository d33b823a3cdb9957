//! `--json` of every command against the guide, field by field: nothing is printed that the guide does not document, and
//! nothing is documented that is never printed.

#![allow(clippy::unwrap_used)]

mod guide;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use guide::Fields;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// What is printed with these words and `--json`.
fn printed(folder: &Path, words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(words).arg("--json").stdin(Stdio::null());
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|why| panic!("{words:?}: {why}: {error}"))
}

const SIGNALS: &str = "[signals]\ninputs = ['a', 'b']\noutputs = ['x', 'y']\n";

/// A specification with this system and these requirements.
fn spec(system: &str, requirements: &[&str]) -> String {
    let one = |(at, ltl): (usize, &&str)| format!("[[requirement]]\nid = 'R{at}'\nltl = '{ltl}'\n");
    let requirements: String = requirements.iter().enumerate().map(one).collect();
    format!("{SIGNALS}{system}\n{requirements}")
}

/// A machine that always answers the same.
fn always(outputs: &str) -> String {
    format!("digraph {{ __start0 -> q; q -> q [label=\"true / {outputs}\"]; }}")
}

/// A shell program, whose protocol does not wait for lines too many.
fn shell(script: &str) -> String {
    format!("[system]\ncommand = ['sh', '-c', '''{script}''']\n[system.protocol]\nsettle_ms = 0\n")
}

const MODEL: &str = "[system]\nmodel = 'model.dot'";
const OBJECTIVES: &str =
    "[[objective]]\nid = 'near'\nltl = 'F(a & X x)'\n[[objective]]\nid = 'far'\nltl = 'F(a & y)'\n";
const SHORT: [&str; 8] = ["test", "spec.toml", "--runs", "3", "--steps", "4", "--reset-cost", "1"];

#[test]
fn test_prints_what_the_guide_says() {
    let mut fields = Fields::of("verdicts.md", "test");
    let mut see = |folder: &Path, words: &[&str]| fields.see(&printed(folder, &[&SHORT, words].concat()));
    // Two requirements without a common answer, one about the environment, one with an obligation; too small a product.
    let requirements = ["G(b -> y)", "G(b -> !y)", "G !(a & b)", "G(a -> F y)", "G(x -> N !y)"];
    let clash = spec(MODEL, &requirements) + OBJECTIVES;
    let clash = folder(&[("spec.toml", &clash), ("model.dot", &always("x"))]);
    see(clash.path(), &["--keep-going", "--states", "3"]);
    see(clash.path(), &["--hunt", "--strategy", "uniform", "--no-save"]);
    // What must happen some day and does not, with a bound on the states and without.
    std::fs::write(clash.path().join("spec.toml"), spec(MODEL, &["G(a -> F y)"])).unwrap();
    for more in [&[][..], &["--states-of-system", "1"]] {
        let words = ["test", "spec.toml", "--runs", "200", "--strategy", "uniform"];
        fields.see(&printed(clash.path(), &[&words, more].concat()));
    }
    // What was learnt, of a system that answers differently in every second run as well.
    let script = "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; \
        while read -r line; do [ $((n % 2)) -eq 0 ] && echo x=1 y=0 || echo x=0 y=0; done";
    let slippery = folder(&[("spec.toml", &spec(&shell(script), &["G !y"]))]);
    let learns = [
        "test",
        "spec.toml",
        "--runs",
        "40",
        "--steps",
        "4",
        "--hunt",
        "--no-save",
        "--strategy",
        "learning",
    ];
    fields.see(&printed(slippery.path(), &learns));
    // A system that has changed since it was remembered.
    let changing = folder(&[("spec.toml", &spec(MODEL, &["G !y"])), ("model.dot", &always("x"))]);
    let remembers = [&learns[..], &["--memory", "seen.memory", "--states-of-system", "2"]].concat();
    fields.see(&printed(changing.path(), &remembers));
    std::fs::write(changing.path().join("model.dot"), always("!x")).unwrap();
    fields.see(&printed(changing.path(), &remembers));
    let mut see = |folder: &Path, words: &[&str]| fields.see(&printed(folder, &[&SHORT, words].concat()));
    // Mended, and without a reset of its own.
    let mended = spec("[system]\nmodel = 'model.dot'\nreset = { word = ['a'] }", &["G(a -> x)"]) + OBJECTIVES;
    std::fs::write(clash.path().join("spec.toml"), mended).unwrap();
    see(clash.path(), &[]);
    // All labels, some of which the system never shows; some that can not be seen; and no requirement at all.
    let whole = spec(MODEL, &["G(a -> N x)"]) + "[[objective]]\nid = 'all'\ncover = 'labels'\n";
    std::fs::write(clash.path().join("spec.toml"), whole).unwrap();
    see(clash.path(), &["--no-save"]);
    std::fs::write(clash.path().join("spec.toml"), spec(MODEL, &["G !y"])).unwrap();
    see(clash.path(), &["--no-save", "--cover", "labels"]);
    std::fs::write(clash.path().join("spec.toml"), spec(MODEL, &[])).unwrap();
    see(clash.path(), &["--no-save"]);
    // About time.
    std::fs::write(clash.path().join("spec.toml"), spec(MODEL, &["G(elapsed_ms >= 60000)"])).unwrap();
    see(clash.path(), &["--no-save"]);
    // A suite of tests.
    std::fs::write(clash.path().join("spec.toml"), spec(MODEL, &["G(a -> x)"])).unwrap();
    let words = ["generate", "spec.toml", "-o", "suite.json"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    assert!(command.current_dir(clash.path()).args(words).status().unwrap().success());
    see(clash.path(), &["--no-save", "--suite", "suite.json"]);
    // Breaks at its second input, with a word on stderr, and is mended.
    let breaks = "read -r line; echo x=0 y=0; read -r line; echo ouch >&2; exit 9";
    let broken = folder(&[("spec.toml", &spec(&shell(breaks), &["G !x"]))]);
    see(broken.path(), &[]);
    let script = "while read -r line; do echo x=0 y=0; done";
    std::fs::write(broken.path().join("spec.toml"), spec(&shell(script), &["G !x"])).unwrap();
    see(broken.path(), &[]);
    // On a beat.
    let beat = shell(script).replace("[system.protocol]", "cycle_ms = 1\n[system.protocol]");
    std::fs::write(broken.path().join("spec.toml"), spec(&beat, &["G !x"])).unwrap();
    fields.see(&printed(broken.path(), &["test", "spec.toml", "--runs", "3", "--steps", "3"]));
    let mut see = |folder: &Path, words: &[&str]| fields.see(&printed(folder, &[&SHORT, words].concat()));
    // Violates in every second run, by a counter in a file, and later in none.
    let script = "n=$(cat count 2>/dev/null || echo 0); echo $((n+1)) > count; \
        while read -r line; do [ $((n % 2)) -eq 0 ] && echo x=1 y=0 || echo x=0 y=0; done";
    let flaky = folder(&[("spec.toml", &spec(&shell(script), &["G !x"]))]);
    see(flaky.path(), &[]);
    let never = script.replace("-eq 0", "-eq 7");
    std::fs::write(flaky.path().join("spec.toml"), spec(&shell(&never), &["G !x"])).unwrap();
    see(flaky.path(), &[]);
    // A connection that is lost once.
    let lost = format!("[system]\ntcp = '{}'\nretries = 1", dropping_once());
    let lost = folder(&[("spec.toml", &spec(&lost, &["G !x"]))]);
    see(lost.path(), &[]);
    // Silence that is wanted, silence that is not, and silence that is none.
    for (script, mode, options, rest) in [
        (
            "while read -r line; do :; done",
            "",
            "quiet = 'none'\npatience_ms = 20",
            "[[objective]]\nid = 'hush'\nltl = 'F none'",
        ),
        (
            "while read -r line; do :; done",
            "",
            "quiet = 'none'\npatience_ms = 20",
            "[[requirement]]\nid = 'R'\nltl = 'G !none'",
        ),
        (
            "(sleep 0.2; echo x) & while read -r line; do :; done",
            "mode = 'asynchronous'",
            "patience_ms = 30",
            "[[requirement]]\nid = 'R'\nltl = '!(mu & delta) W x'",
        ),
    ] {
        let text = format!(
            "[labels]\ninputs = ['a']\noutputs = ['x']\n[system]\ncommand = ['sh', '-c', '{script}']\n{mode}\n\
             [system.protocol]\n{options}\n{rest}\n"
        );
        see(
            folder(&[("spec.toml", &text)]).path(),
            &["--no-save", "--shrink-seconds", "0", "--strategy", "uniform"],
        );
    }
    // What cannot be promised.
    let unkept = folder(&[("spec.toml", &too_large(&shell("while read -r line; do echo x=1; done")))]);
    fields.see(&printed(unkept.path(), &["test", "spec.toml", "--runs", "1", "--strategy", "uniform"]));
    fields.see(&interrupted());
    fields.compare();
}

/// Some day one of each of 21 pairs, all at once: two million ways, which is more than the tester keeps.
fn too_large(system: &str) -> String {
    let names: Vec<String> = (0..21).map(|at| format!("'a{at}', 'b{at}'")).collect();
    let pairs: Vec<String> = (0..21).map(|at| format!("(a{at} | b{at})")).collect();
    format!(
        "[signals]\ninputs = [{}]\noutputs = ['x']\n{system}\n[[assumption]]\nid = 'A'\nltl = 'G F ({})'\n\
         [[requirement]]\nid = 'R'\nltl = 'G (a0 -> x)'\n",
        names.join(", "),
        pairs.join(" & ")
    )
}

/// The address of a server that drops its first connection after one answer.
fn dropping_once() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for (number, connection) in listener.incoming().enumerate() {
            let connection = connection.unwrap();
            let mut writer = connection.try_clone().unwrap();
            for line in BufReader::new(connection).lines().take(if number == 0 { 1 } else { 1_000 }) {
                if line.and_then(|_| writer.write_all(b"x=0 y=0\n")).is_err() {
                    break;
                }
            }
        }
    });
    address
}

/// The report of a session that was interrupted once its system had been asked something.
fn interrupted() -> Value {
    let script = "while read -r line; do : > asked; echo x=0 y=0; done";
    let folder = folder(&[("spec.toml", &spec(&shell(script), &["G !x"]))]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder.path()).args(["test", "spec.toml", "--json", "--seconds", "600"]);
    let tester = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    // A minute is more than any machine needs.
    for _ in 0..30_000 {
        if folder.path().join("asked").exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    kill_process(Pid::from_raw(tester.id() as i32).unwrap(), Signal::INT).unwrap();
    serde_json::from_slice(&tester.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn check_prints_what_the_guide_says() {
    let mut fields = Fields::of("specification.md", "check");
    for (requirements, words) in [
        // Cornered after `x`: both must come next.
        (&["G(a -> F[0:1] y)", "G(x -> N !y)", "G !(a & b)"][..], &[][..]),
        (&["G x", "F !x"], &[]),
        (&["G(a -> N x)", "G(a -> N (x | y))"], &["--states", "3"]),
    ] {
        let text = spec("", requirements) + OBJECTIVES;
        let words = [&["check", "spec.toml"], words].concat();
        fields.see(&printed(folder(&[("spec.toml", &text)]).path(), &words));
    }
    // A model program, which is surveyed.
    let program = "[[requirement]]\nid = 'R'\nprogram = 'it.model'\n";
    let model = "var n : int = 0\ncontrollable Up\n  n := n + 1\nobservable Never\n  when n < 0\n";
    let files = [("spec.toml", program), ("it.model", model)];
    fields.see(&printed(folder(&files).path(), &["check", "spec.toml"]));
    let lts = "des (0, 5, 2)\n(0, delta, 1)\n(1, !x, 0)\n(0, ?a, 0)\n(0, tau, 1)\n(1, tau, 0)\n";
    fields.see(&printed(folder(&[("spec.aut", lts)]).path(), &["check", "spec.aut"]));
    fields.see(&printed(folder(&[("spec.toml", &too_large(""))]).path(), &["check", "spec.toml"]));
    // One that does not take its input everywhere.
    let once = "des (0, 2, 3)\n(0, ?a, 1)\n(1, !x, 2)\n";
    fields.see(&printed(folder(&[("spec.aut", once)]).path(), &["check", "spec.aut"]));
    fields.compare();
}

#[test]
fn check_of_a_lone_circuit_prints_what_the_guide_says() {
    let mut fields = Fields::of("circuits.md", "check FILE.aag");
    let circuit = "aag 4 2 1 1 1\n2\n4\n6 2\n8\n8 6 2\ni0 a\ni1 controllable_x\no0 error\n";
    fields.see(&printed(folder(&[("it.aag", circuit)]).path(), &["check", "it.aag"]));
    fields.compare();
}

#[test]
fn replay_prints_what_the_guide_says() {
    let mut fields = Fields::of("verdicts.md", "replay");
    let assumed = spec(MODEL, &["G !x"]) + "[[assumption]]\nid = 'A'\nltl = 'G !a'\n";
    let breaks = spec(&shell("read -r line; echo x=0 y=0; echo ouch >&2; exit 9"), &["G !x"]);
    let waits = spec(MODEL, &["G(a -> F y)"]);
    let lent = spec(MODEL, &["G !x"]) + "[[assumption]]\nid = 'A'\nltl = 'G(a -> F y)'\n";
    for (spec, trace) in [
        (lent, "a=1 b=0 / x=1 y=0\n"),
        (waits, "a=1 b=0 / x=1 y=0\n!loop 5\na=0 b=0 / x=1 y=0\n"),
        (assumed, "a=0 b=0 / x=0 y=0\na=1 b=0 / x=1 y=0\n"),
        (breaks, "a=0 b=0 / x=0 y=0\na=0 b=0 / !no answer\n"),
    ] {
        let files = [("spec.toml", &*spec), ("model.dot", &always("x")), ("run.trace", trace)];
        fields.see(&printed(folder(&files).path(), &["replay", "run.trace", "--spec", "spec.toml"]));
    }
    fields.compare();
}

#[test]
fn monitor_prints_what_the_guide_says() {
    let mut fields = Fields::of("traces.md", "monitor");
    let text = spec("", &["G !x", "G(b -> F y)"])
        + "[[assumption]]\nid = 'A'\nltl = 'G !a'\n[[assumption]]\nid = 'B'\nltl = 'G(b -> F a)'\n";
    let trace = "a=1 b=0 / x=1 y=0\na=0 b=1 / x=0 y=0\n";
    let folder = folder(&[("spec.toml", &text), ("run.trace", trace)]);
    fields.see(&printed(folder.path(), &["monitor", "spec.toml", "run.trace"]));
    fields.compare();
}

#[test]
fn synchronise_prints_what_the_guide_says() {
    let mut fields = Fields::of("synchronise.md", "synchronise");
    let door = "digraph { open -> open [label=pull]; closed -> open [label=pull]; \
        open -> closed [label=push]; closed -> closed [label=push] }";
    // The answer to `r` says which of the other inputs is worth sending.
    let edge = |(state, [r, a, b]): (usize, [u8; 3])| {
        let loops = [("r", r), ("a", a), ("b", b)]
            .map(|(input, output)| format!("s{state} -> s{state} [label=\"{input}/{output}\"]; "));
        loops.concat()
    };
    let asks = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 0, 1]];
    let asks: String = asks.into_iter().enumerate().map(edge).collect();
    let toggle = "digraph { a -> b [label=\"x/0\"]; b -> a [label=\"x/1\"] }";
    let files = [
        ("door.dot", door),
        ("asks.dot", &format!("digraph {{ {asks}}}")),
        ("toggle.dot", toggle),
        ("alike.dot", &toggle.replace("x/1", "x/0")),
        ("signal.dot", &door.replace("=pull", "=\"!a\"").replace("=push", "=a")),
    ];
    let folder = folder(&files);
    for words in [
        &["door.dot", "--method", "q-synch"][..],
        &["asks.dot"],
        &["toggle.dot"],
        &["alike.dot"],
        &["signal.dot"],
    ] {
        fields.see(&printed(folder.path(), &[&["synchronise"], words].concat()));
    }
    fields.compare();
}

#[test]
fn verify_prints_what_the_guide_says() {
    let mut fields = Fields::of("verify.md", "verify");
    let text = spec("", &["G !x", "G(a -> F y)", "G F x"]) + "[[assumption]]\nid = 'A'\nltl = 'G F a'\n";
    // Does not say what it answers to b.
    let partial = "digraph { __start0 -> q; q -> q [label=\"!b / {}\"]; }";
    let files = [("spec.toml", &*text), ("whole.dot", &always("x")), ("partial.dot", partial)];
    let folder = folder(&files);
    for machine in ["whole.dot", "partial.dot"] {
        fields.see(&printed(folder.path(), &["verify", "spec.toml", "--model", machine]));
    }
    fields.compare();
}

#[test]
fn mutate_prints_what_the_guide_says() {
    let mut fields = Fields::of("synthesise.md", "mutate");
    let text = spec("", &["G !x", "G(a -> F y)"]);
    let machine = "digraph { __start0 -> p; p -> q [label=\"a / {}\"]; p -> p [label=\"!a / {}\"]; \
        q -> p [label=\"true / y\"]; }";
    let folder = folder(&[("spec.toml", &text), ("m.dot", machine)]);
    fields.see(&printed(
        folder.path(),
        &["mutate", "m.dot", "--spec", "spec.toml", "--count", "9", "-o", "out"],
    ));
    fields.compare();
}

#[test]
fn synthesise_prints_what_the_guide_says() {
    let mut fields = Fields::of("synthesise.md", "synthesise");
    let files =
        [("good.toml", spec("", &["G(a -> F x)"])), ("bad.toml", spec("", &["G(a <-> X x)", "G(b <-> x)"]))];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = folder(&files);
    for (name, _) in files {
        fields.see(&printed(folder.path(), &["synthesise", name]));
    }
    fields.compare();
}

#[test]
fn suites_are_as_the_guide_says() {
    let mut fields = Fields::titled("suites.md", "`suite.json`");
    let folder = folder(&[
        ("spec.toml", &spec("", &["G(a -> x)", "G(x -> b)"])),
        ("model.dot", &always("!x & !y")),
        ("partial.dot", "digraph { __start0 -> q; q -> q [label=\"!a / !x & !y\"]; }"),
    ]);
    for words in [
        &["--strategy", "gdfs"][..],
        &["--criterion", "rc", "--model", "partial.dot"],
        &["--criterion", "ufc", "--model", "partial.dot"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
        command.current_dir(folder.path()).args(["generate", "spec.toml"]).args(words);
        fields.see(&serde_json::from_slice(&command.output().unwrap().stdout).unwrap());
    }
    fields.compare();
}
