//! Systems that talk when they like, through the real binary.

#![allow(clippy::unwrap_used)]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::{folder, misbehave, test};
use serde_json::Value;

/// A folder with a specification of the tea machine that is bad in some way.
fn machine(way: &[&str], options: &str, ltl: &str) -> tempfile::TempDir {
    let requirement = format!("[[requirement]]\nid = 'R'\nltl = '{ltl}'\n");
    machine_with(way, options, &requirement)
}

fn machine_with(way: &[&str], options: &str, requirements: &str) -> tempfile::TempDir {
    let command: Vec<String> =
        [misbehave().to_str().unwrap(), "talk"].iter().chain(way).map(|word| format!("'{word}'")).collect();
    system(&format!("command = [{}]", command.join(", ")), options, requirements)
}

fn system(target: &str, options: &str, requirements: &str) -> tempfile::TempDir {
    let mode = if options.contains("torx") { "" } else { "mode = 'asynchronous'" };
    let labels = if requirements.contains("program") {
        ""
    } else {
        "[labels]\ninputs = ['coin', 'button']\noutputs = ['tea', 'coffee']"
    };
    folder(&format!(
        "{labels}\n[system]\n{target}\n{mode}\n[system.protocol]\nstart_ms = 60000\nreset_ms = 2000\npatience_ms = 30\n{options}\n\
         {requirements}"
    ))
}

const SHORT: &[&str] = &["--runs", "2", "--steps", "20", "--strategy", "uniform"];

/// All of them at the same time: most of it is waiting.
fn together<T: Sync>(cases: &[T], check: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        let check = &check;
        cases.iter().for_each(|case| drop(scope.spawn(move || check(case))));
    });
}

/// Every coin is followed by tea before the machine falls silent.
const SERVES: &str = "G (coin -> X (!(mu & delta) W tea))";

fn outcome(folder: &tempfile::TempDir) -> (i32, Value) {
    test(folder.path(), SHORT)
}

#[test]
fn a_good_machine_passes() {
    let resets =
        ["", "reset = 'reset'\nreset_reply = 'ready'", "reset = 'reset'\nreset_reply = { pattern = '^re' }"];
    together(&resets, |options| {
        for ltl in [SERVES, "G !coffee", "!tea W coin"] {
            let (code, report) = outcome(&machine(&["good"], options, ltl));
            assert_eq!((code, &report["verdict"]), (0, &Value::from("covered")), "{ltl}: {report}");
            // What is satisfied for good is not tested any further.
            assert!(ltl == "!tea W coin" || report["steps"] == 40, "{report}");
            assert_eq!(report["unconfirmed"], Value::Array(Vec::new()));
        }
    });
}

#[test]
fn outputs_and_silence_convict() {
    let (code, report) = outcome(&machine(&["coffee"], "", "G !coffee"));
    assert_eq!((code, &report["violations"][0]["reproduced"]), (1, &3.into()), "{report}");
    let trace = report["violations"][0]["trace"].as_array().unwrap();
    let inputs: Vec<&str> = trace.iter().map(|step| step["input"].as_str().unwrap()).collect();
    assert_eq!(inputs.iter().filter(|input| **input == "coin").count(), 3, "{report}");
    // What was sent is a step with silence, what came is one with a wait.
    assert!(trace.iter().all(|step| (step["input"] == "mu") || (step["output"] == "delta")), "{report}");
    let longer = ["--runs", "6", "--steps", "20", "--strategy", "uniform"];
    let (code, report) = test(machine(&["mute"], "", SERVES).path(), &longer);
    assert_eq!((code, &report["violations"][0]["reproduced"]), (1, &3.into()), "{report}");
    assert_eq!(report["violations"][0]["silence"]["patience_ms"], 30);
    assert!(report["violations"][0]["silence"]["steps"].as_u64().unwrap() >= 1);
}

#[test]
fn too_little_patience_convicts_nobody() {
    // Tea takes 100 ms, in which the machine sleeps: silence of 20 ms is none of 200 ms.
    let (code, report) =
        outcome(&machine(&["good", "100"], "patience_ms = 20", SERVES).replaced("patience_ms = 30\n", ""));
    assert_eq!(code, 0, "{report}");
    let unconfirmed = &report["unconfirmed"][0];
    assert_eq!(
        (&unconfirmed["requirement"], &unconfirmed["silence"]["patience_ms"]),
        (&"R".into(), &20.into()),
        "{report}"
    );
}

#[test]
fn what_was_doubted_once_is_looked_for_again() {
    // The machine serves nothing but in its third, fourth and fifth life: its first violation recurs once with more
    // patience, then not while it is looked into. All violations after that are real.
    let lives = "echo life >> lives; while read -r line; do case \"$line $(wc -l < lives)\" in \
                 'coin 3' | 'coin 4' | 'coin 5') echo tea ;; esac; done";
    let quoted = lives.replace('"', "\\\"");
    let requirement = format!("[[requirement]]\nid = 'R'\nltl = '{SERVES}'\n");
    let wavering = system(&format!("command = ['sh', '-c', \"{quoted}\"]"), "", &requirement);
    let longer = ["--runs", "6", "--steps", "20", "--strategy", "uniform"];
    let (code, report) = test(wavering.path(), &longer);
    assert_eq!((code, &report["unconfirmed"][0]["times"]), (1, &1.into()), "{report}");
    assert_eq!(report["violations"][0]["reproduced"], 3, "{report}");
}

trait Replaced {
    fn replaced(self, from: &str, to: &str) -> tempfile::TempDir;
}

impl Replaced for tempfile::TempDir {
    /// The same folder with something else in its specification.
    fn replaced(self, from: &str, to: &str) -> tempfile::TempDir {
        let path = self.path().join("spec.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        self
    }
}

#[test]
fn bad_machines_have_a_verdict() {
    let line = "reset = 'reset'";
    let cases = [
        ("floods", "", 0, ""),
        ("floods", "reset = 'reset'\nreset_ms = 300", 4, "it was still talking after"),
        ("floods", "reset = 'reset'\nreset_reply = 'ready'\nreset_ms = 300", 4, "at a reset"),
        ("silent", "", 0, ""),
        ("silent", line, 0, ""),
        ("deaf", "step_ms = 200\nstart_ms = 200", 4, "the system was silent"),
        ("closes-stdout", "", 4, "it closed the connection"),
        ("closes-stdout", "ends = 'crash'", 4, "it closed the connection"),
        ("half-a-line", "step_ms = 200\nstart_ms = 200", 4, "the line did not end"),
        ("garbage", "", 4, "unknown label `cocoa`"),
        ("exits", "", 4, "it exited with code 7"),
        ("aborts", "", 4, "SIGABRT"),
    ];
    let judged = |&(way, options, code, message): &(&str, &str, i32, &str)| {
        let mut machine =
            machine(&[way], options, "G !coffee").replaced("patience_ms = 30\n", "patience_ms = 5\n");
        for key in ["start_ms", "reset_ms"] {
            if options.contains(key) {
                let usual = if key == "start_ms" { "start_ms = 60000\n" } else { "reset_ms = 2000\n" };
                machine = machine.replaced(usual, "");
            }
        }
        let words = [SHORT, &["--shrink-seconds", "0"]].concat();
        let (found, report) = test(machine.path(), &words);
        assert_eq!(found, code, "{way} {options}: {report}");
        let error = report["system"]["error"].as_str().unwrap_or_default();
        assert!(error.contains(message), "{way}: {error}");
        assert_eq!(report["violations"], Value::Array(Vec::new()), "{way}");
    };
    // All at once would keep one another from their deadlines.
    cases.chunks(3).for_each(|few| together(few, judged));
}

#[test]
fn ends_are_outputs() {
    together(&["exits", "aborts"], |way| {
        let (code, report) = outcome(&machine(&[way], "ends = { 0 = 'end', other = 'crash' }", "G !crash"));
        assert_eq!((code, &report["violations"][0]["reproduced"]), (1, &3.into()), "{way}: {report}");
        let last = report["violations"][0]["trace"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&last["input"], &last["output"]), (&"mu".into(), &"crash".into()), "{report}");
    });
}

#[test]
fn what_was_under_way_does_not_reach_the_next_run() {
    // The tea of the last coin comes 10 ms later, whatever the machine was told meanwhile.
    for options in ["reset = 'reset'", ""] {
        let (code, report) = outcome(&machine(&["forgets-to-acknowledge", "10"], options, "!tea W coin"));
        assert_eq!(code, 0, "{report}");
    }
    // Two teas for each coin: one of them is left when the run is over.
    let acknowledged = "reset = 'reset'\nreset_reply = 'ready'";
    let words = ["--runs", "20", "--steps", "3", "--strategy", "uniform"];
    let (code, report) = test(machine(&["twice"], acknowledged, "!tea W coin").path(), &words);
    assert_eq!(code, 0, "{report}");
}

#[test]
fn time_may_be_the_machines_own() {
    let options = "tick = 'tick'\nquiet_token = 'quiet'\npatience_ms = 60000";
    let machine = machine(&["good"], options, SERVES).replaced("patience_ms = 30\n", "");
    let (code, report) = outcome(&machine);
    assert_eq!((code, &report["steps"]), (0, &40.into()), "{report}");
}

#[test]
fn model_programs_follow_every_order() {
    let model = "var owed : int = 0\n\ncontrollable coin\n  when owed < 3\n  owed := owed + 1\n\nobservable tea\n  when owed > 0\n  owed := owed - 1\n";
    let requirement = "[[requirement]]\nid = 'M'\nprogram = 'tea.model'\n";
    together(&[("good", 0), ("twice", 1), ("coffee", 4), ("mute", 0)], |&(way, code)| {
        let folder = machine_with(&[way], "", requirement);
        std::fs::write(folder.path().join("tea.model"), model).unwrap();
        let (found, report) = test(folder.path(), &["--runs", "2", "--steps", "20"]);
        // The model knows no coffee, so that it is a line that means nothing, or an output that it rejects.
        let fits = if way == "coffee" { found == 4 || found == 1 } else { found == code };
        assert!(fits, "{way}: {found}: {report}");
    });
}

#[test]
fn adapters_of_torx() {
    together(&["", "reset = 'C_RESET'"], |reset| {
        let options = format!("form = 'torx'\n{reset}");
        let (code, report) = outcome(&machine(&["adapter"], &options, "G !coffee"));
        // How often it is seen again depends on when the adapter had its turn, so only what was seen counts here.
        let last = report["violations"][0]["trace"].as_array().and_then(|trace| trace.last());
        assert_eq!((code, last.map(|step| &step["output"])), (1, Some(&"coffee".into())), "{report}");
        let (code, report) =
            test(machine(&["adapter"], &options, SERVES).path(), &["--runs", "3", "--steps", "10"]);
        assert!(code == 0 || report["violations"][0]["trace"].to_string().contains("coffee"), "{report}");
    });
    let broken = machine(&["adapter"], "form = 'torx'\nwrite = { button = 'lever' }", "G !coffee");
    let (code, report) = outcome(&broken);
    assert_eq!(code, 4, "{report}");
    assert!(report["system"]["error"].as_str().unwrap().contains("the adapter reports an error"), "{report}");
    let refusing =
        machine(&["adapter"], "form = 'torx'\nrefusal = 'refused'\nwrite = { button = 'jam' }", "G !refused");
    assert_eq!(outcome(&refusing).0, 1);
}

#[test]
fn the_same_over_tcp() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            for line in BufReader::new(stream.try_clone().unwrap()).lines() {
                let Ok(line) = line else { break };
                std::thread::sleep(std::time::Duration::from_millis(1));
                if line == "coin" && stream.write_all(b"tea\n").is_err() {
                    break;
                }
            }
        }
    });
    // Of a server on a busy machine nothing tells whether it had its turn.
    let options = "patience_ms = 300";
    let requirement = |ltl: &str| format!("[[requirement]]\nid = 'R'\nltl = '{ltl}'\n");
    let folder = |ltl: &str| {
        system(&format!("tcp = '{address}'"), options, &requirement(ltl)).replaced("patience_ms = 30\n", "")
    };
    let words = ["--runs", "2", "--steps", "8", "--strategy", "uniform"];
    assert_eq!(test(folder(SERVES).path(), &words).0, 0);
    assert_eq!(test(folder("G !tea").path(), &words).0, 1);
}

fn provoke(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(words).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn traces_are_saved_replayed_monitored_and_logged() {
    let folder = machine(&["coffee"], "", "G !coffee");
    let words = [&["test", "spec.toml", "--log", "log.jsonl"], SHORT].concat();
    assert_eq!(provoke(folder.path(), &words).status.code(), Some(1));
    let trace = "spec.traces/R.trace";
    let saved = std::fs::read_to_string(folder.path().join(trace)).unwrap();
    assert!(saved.contains("coin / delta\n") && saved.ends_with("mu / coffee\n"), "{saved}");
    let replayed = provoke(folder.path(), &["replay", trace]);
    assert_eq!(replayed.status.code(), Some(1), "{}", String::from_utf8_lossy(&replayed.stdout));
    let monitored = provoke(folder.path(), &["monitor", "spec.toml", trace]);
    assert_eq!(monitored.status.code(), Some(1), "{}", String::from_utf8_lossy(&monitored.stderr));
    let log = std::fs::read_to_string(folder.path().join("log.jsonl")).unwrap();
    assert!(log.contains("coffee"), "{log}");
    // A good machine plays the same inputs, and what it says comes where it comes.
    let good = folder.replaced("'coffee']\nmode", "'good']\nmode");
    let replayed = provoke(good.path(), &["replay", trace]);
    assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stdout));
}
