//! Reports through the real binary: what they say, that they can be made afterwards, and that nothing hurts them.

#![allow(clippy::unwrap_used)]

mod large;
mod typed;
mod xml;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const SPEC: &str = "[signals]\ninputs = ['a', 'b_c']\noutputs = ['x', 'y']\n[system]\nmodel = 'model.dot'\n\
    [[requirement]]\nid = 'R1'\ntext = 'After a, no x.'\nltl = 'G (a -> X !x)'\n\
    [[requirement]]\nid = 'R2'\nltl = 'G !(x & y)'\n[[requirement]]\nid = 'R3'\nltl = 'G (y -> !x)'\n\
    [[objective]]\nid = 'seen'\ntext = 'An x.'\nltl = 'F x'\n";
/// After `a` it answers x, which R1 forbids.
const MODEL: &str = "digraph { __start0 -> p; p -> q [label=\"a / !x & !y\"]; p -> p [label=\"!a / !x & !y\"]; \
    q -> q [label=\"true / x & !y\"]; }";
/// What is wanted, and nothing is violated.
const GOOD: &str = "digraph { __start0 -> p; p -> q [label=\"a / x & !y\"]; p -> p [label=\"!a / !x & !y\"]; \
    q -> p [label=\"true / !x & !y\"]; }";

fn folder(spec: &str, model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    std::fs::write(folder.path().join("model.dot"), model).unwrap();
    folder
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(words).stdin(Stdio::null());
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    command
}

fn provoke(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn every_report_is_made_at_once_or_afterwards() {
    let folder = folder(SPEC, MODEL);
    let files =
        ["--html", "r.html", "--junit", "r.xml", "--vcd", "r.vcd", "--csv", "r.csv", "--plot", "r.svg"];
    let output =
        provoke(folder.path(), &[&["test", "spec.toml", "--hunt", "--log", "r.jsonl"][..], &files].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("  --> spec.toml:7\n  After a, no x.\n"), "{said}");
    assert!(said.contains("\n>    2  "), "{said}");
    assert!(
        said.contains("R1 forbids x=1 y=0 in answer to a=0 b_c=0 at step 2; it would have allowed !x"),
        "{said}"
    );
    assert!(said.ends_with("next: provoke replay spec.traces/R1.trace\n"), "{said}");
    let again: Vec<String> = files.iter().map(|word| word.replace("r.", "again.")).collect();
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    let output = provoke(folder.path(), &[&["report", "r.jsonl"][..], &again].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for ending in ["html", "xml", "vcd", "csv", "svg"] {
        let (at_once, later) =
            (read(folder.path(), &format!("r.{ending}")), read(folder.path(), &format!("again.{ending}")));
        assert!(at_once == later, "{ending}");
        assert!(!at_once.is_empty());
    }
    let report = xml::parse(&read(folder.path(), "r.xml"));
    xml::validate(&report);
    let suite = &report.children[0];
    let case = |name: &str| suite.all("testcase").find(|case| case.attributes["name"] == name).unwrap();
    let failure = &case("R1").children[0];
    assert_eq!((&*failure.name, &*failure.attributes["message"]), ("failure", "After a, no x."));
    for wanted in [
        "R1 forbids x=1",
        ">    2  a=0 b_c=0",
        "reproduced 3 of 3",
        "replay: provoke replay spec.traces/R1.trace",
    ] {
        assert!(failure.text.contains(wanted), "{wanted}: {}", failure.text);
    }
    let properties: Vec<(&str, &str)> = suite.children[0]
        .children
        .iter()
        .map(|one| (&*one.attributes["name"], &*one.attributes["value"]))
        .collect();
    assert!(
        properties.contains(&("seed", "0")) && properties.contains(&("verdict", "violated")),
        "{properties:?}"
    );
    assert!(properties.iter().any(|(name, _)| *name == "steps"));
    let data = data(&read(folder.path(), "r.html"));
    assert_eq!(data["verdict"], "violated");
    assert_eq!(data["requirements"][0]["state"], "violated");
    assert_eq!(data["requirements"][0]["class"], "safety");
    assert_eq!(data["findings"][0]["guilty"], 2);
    assert_eq!(data["findings"][0]["waves"][1]["name"], "b_c");
    assert_eq!(data["findings"][0]["verdicts"]["R1"], "gv");
    let picture = &data["pictures"][0];
    assert_eq!(picture["of"], "R1");
    // Two states and the violation; all of them were visited.
    assert_eq!((&picture["all"], &picture["visited"]), (&3.into(), &3.into()));
    assert!(picture["svg"].as_str().unwrap().contains("data-node=\"2\""));
}

#[test]
fn what_is_written_is_read_back() {
    let folder = folder(SPEC, MODEL);
    provoke(
        folder.path(),
        &["test", "spec.toml", "--hunt", "--vcd", "r.vcd", "--csv", "r.csv", "--trace", "r.trace"],
    );
    let judged = |spec: &str, file: &str| {
        let output = provoke(folder.path(), &["monitor", spec, file, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(judged("spec.toml", "r.trace"), judged("spec.toml", "r.vcd"));
    assert_eq!(judged("spec.toml", "r.trace"), judged("spec.toml", "r.csv"));
    let vcd = read(folder.path(), "r.vcd");
    assert!(vcd.contains(" b_c $end") && vcd.contains(" R1.violated $end"), "{vcd}");
    // Written by the monitor, of any recording, it is the same again.
    provoke(folder.path(), &["monitor", "spec.toml", "r.csv", "--vcd", "m.vcd", "--csv", "m.csv"]);
    assert_eq!(
        (read(folder.path(), "m.vcd"), read(folder.path(), "m.csv")),
        (vcd, read(folder.path(), "r.csv"))
    );
    // Labels, strange ones among them.
    let labels = "[labels]\ninputs = ['a coin', '$end', '\"']\noutputs = ['tea, please', '#1']\n\
        [[requirement]]\nid = 'R'\nltl = 'G !\"#1\"'\n";
    std::fs::write(folder.path().join("labels.toml"), labels).unwrap();
    let trace = "\"a coin\" / \"tea, please\"\n\"$end\" / \"tea, please\"\n\"\\\"\" / \"#1\"\n";
    std::fs::write(folder.path().join("l.trace"), trace).unwrap();
    let output =
        provoke(folder.path(), &["monitor", "labels.toml", "l.trace", "--vcd", "l.vcd", "--csv", "l.csv"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert_eq!(judged("labels.toml", "l.trace"), judged("labels.toml", "l.vcd"));
    assert_eq!(judged("labels.toml", "l.trace"), judged("labels.toml", "l.csv"));
}

#[test]
fn a_flaky_violation_is_a_flaky_failure() {
    let spec = "[labels]\ninputs = ['go']\noutputs = ['ok', 'no']\n[[requirement]]\nid = 'R'\nltl = 'G ok'\n";
    let folder = folder(spec, "");
    // Wrong once, and never again.
    let program = "while read line; do if [ -e was ]; then echo ok; else : > was; echo no; fi; done";
    let words = [
        "test",
        "spec.toml",
        "--hunt",
        "--runs",
        "3",
        "--steps",
        "3",
        "--no-save",
        "--junit",
        "r.xml",
        "--",
        "sh",
        "-c",
        program,
    ];
    let output = provoke(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let report = xml::parse(&read(folder.path(), "r.xml"));
    xml::validate(&report);
    let case = report.children[0].all("testcase").next().unwrap();
    assert_eq!(case.children[0].name, "flakyFailure");
    assert!(case.children[0].text.contains("not reproducible: 0 of 3"), "{}", case.children[0].text);
}

#[test]
fn github_is_told_where() {
    let folder = folder(SPEC, MODEL);
    let mut command = command(folder.path(), &["test", "spec.toml", "--hunt", "--no-save"]);
    let output =
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", folder.path().join("summary.md"));
    let output = output.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("::error")).collect();
    assert_eq!(errors.len(), 1, "{said}");
    assert!(
        errors[0].starts_with("::error file=spec.toml,line=7,title=R1 violated::After a, no x.%0AR1 forbids"),
        "{said}"
    );
    let summary = read(folder.path(), "summary.md");
    let printed =
        text(&provoke(folder.path(), &["test", "spec.toml", "--hunt", "--no-save", "--markdown"]).stdout);
    assert!(
        summary.contains("| R1 | **violated** |") && printed.contains("| R1 | **violated** |"),
        "{printed}"
    );
    assert!(printed.starts_with("## ❌ provoke: R1 violated\n"));
}

#[test]
fn a_report_that_cannot_be_written_is_said() {
    let good = folder(SPEC, GOOD);
    for flag in ["--html", "--junit", "--vcd", "--csv", "--plot"] {
        for file in ["/dev/full", "no/such/folder/x"] {
            let output = provoke(good.path(), &["test", "spec.toml", "--no-save", flag, file]);
            assert_eq!(output.status.code(), Some(2), "{flag} {file}: {}", text(&output.stdout));
            let error = text(&output.stderr);
            assert!(error.contains(&format!("failed to write {file}")), "{error}");
            assert!(text(&output.stdout).contains("covered"), "the verdict is told all the same");
        }
    }
    let output = provoke(good.path(), &["test", "spec.toml", "--no-save", "--log", "/dev/full"]);
    assert_eq!(output.status.code(), Some(2));
    let bad = folder(SPEC, MODEL);
    let output =
        provoke(bad.path(), &["test", "spec.toml", "--hunt", "--no-save", "--html", "no/such/folder/x"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("failed to write no/such/folder/x"));
    let output = provoke(bad.path(), &["report", "spec.toml", "--html", "x.html"]);
    assert_eq!(output.status.code(), Some(2), "no log");
}

#[test]
fn a_log_that_was_cut_short_still_reads() {
    let folder = folder(SPEC, MODEL);
    provoke(
        folder.path(),
        &["test", "spec.toml", "--hunt", "--keep-going", "--runs", "50", "--log", "r.jsonl", "--no-save"],
    );
    let log = read(folder.path(), "r.jsonl");
    for share in [1, 2, 5, 8, 9] {
        let mut cut = log.len() * share / 10;
        while !log.is_char_boundary(cut) {
            cut -= 1;
        }
        std::fs::write(folder.path().join("cut.jsonl"), &log[..cut]).unwrap();
        let output = provoke(
            folder.path(),
            &["report", "cut.jsonl", "--html", "c.html", "--junit", "c.xml", "--markdown"],
        );
        if !log[..cut].contains('\n') {
            assert_eq!(output.status.code(), Some(2));
            continue;
        }
        assert_eq!(output.status.code(), Some(0), "{share}: {}", text(&output.stderr));
        xml::validate(&xml::parse(&read(folder.path(), "c.xml")));
        let page = data(&read(folder.path(), "c.html"));
        assert_eq!(page["over"], false);
        // What is known of requirements does not wait for the end.
        if page["runs"].as_u64() > Some(1) {
            let states = page["requirements"].as_array().unwrap().iter();
            let known = states.filter(|one| one["state"] != "unknown" && one["triggered"] != 0);
            assert!(known.count() >= 2, "{share}: {}", page["requirements"]);
        }
    }
}

/// Texts that hurt readers who do not expect them.
const HOSTILE: &str =
    "<script>alert(1)</script>]]>--><!-- & \" ' ` | %0A::error:: \\ \u{1b}[31m \u{202e} {{x}}";

#[test]
fn hostile_text_is_text_in_every_form() {
    let quoted = |text: &str| Value::from(text).to_string().replace("\\u001b", "\\u001B");
    let spec = format!(
        "[labels]\ninputs = [{go}, 'go']\noutputs = ['ok', {long}]\n[[requirement]]\nid = 'R'\ntext = {text}\nltl = 'G !ok'\n",
        go = quoted(&format!("in {HOSTILE}")),
        long = quoted(&"x".repeat(100_000)),
        text = quoted(&format!("{HOSTILE}\n{}", "y".repeat(1_000_000))),
    );
    let folder = folder(&spec, "");
    let program = "printf '<script>alert(2)</script>\\377\\000\\n' >&2; head -c 1000000 /dev/zero | tr '\\0' z >&2; \
        read line; echo ok; exit 3";
    let files = [
        "--html", "r.html", "--junit", "r.xml", "--vcd", "r.vcd", "--csv", "r.csv", "--plot", "r.svg",
        "--log", "r.jsonl",
    ];
    let words = [
        &[
            "test",
            "spec.toml",
            "--hunt",
            "--runs",
            "2",
            "--steps",
            "3",
            "--no-save",
            "--keep-going",
            "--json",
        ][..],
        &files,
        &["--", "sh", "-c", program],
    ]
    .concat();
    let mut command = command(folder.path(), &words);
    let output = command
        .env("GITHUB_ACTIONS", "true")
        .env("GITHUB_STEP_SUMMARY", folder.path().join("r.md"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let page = read(folder.path(), "r.html");
    assert!(
        !page.contains("<script>alert") && page.matches("<script").count() == 2,
        "the page's own scripts alone"
    );
    assert!(
        data(&page)["requirements"][0]["text"].as_str().unwrap().starts_with(HOSTILE),
        "and nothing is lost"
    );
    xml::validate(&xml::parse(&read(folder.path(), "r.xml")));
    let svg = read(folder.path(), "r.svg");
    assert!(!svg.contains("<script") && !svg.contains('\u{1b}'));
    let markdown = read(folder.path(), "r.md");
    // Between fences and between backquotes nothing is markup.
    let outside: String =
        markdown.split("\n```").step_by(2).flat_map(|part| part.split('`').step_by(2)).collect();
    assert!(!outside.contains("<script") && !markdown.contains('\u{1b}'), "{outside}");
    let annotations = String::from_utf8_lossy(&output.stderr).into_owned();
    for line in annotations.lines().filter(|line| line.contains("::error")) {
        let start = line.chars().take(80).collect::<String>();
        assert!(line.starts_with("::error file=spec.toml,line="), "one line each: {start}");
        assert!(!line.split("::").nth(1).unwrap().contains('\u{1b}'));
    }
    for file in ["r.vcd", "r.csv"] {
        let output = provoke(folder.path(), &["monitor", "spec.toml", file]);
        assert_eq!(output.status.code(), Some(1), "{file}: {}", text(&output.stderr));
    }
    // On a terminal nothing moves the cursor, and no text begins a line of its own or fills the screen.
    let is_plain = |word: &&str| *word != "--json" && !files.contains(word);
    let plain: Vec<&str> = words.iter().copied().filter(is_plain).collect();
    let commands = [&plain[..], &["monitor", "spec.toml", "r.csv"], &["explain", "spec.toml", "r.csv"]];
    for words in commands {
        let output = provoke(folder.path(), words);
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        for printed in [&output.stdout, &output.stderr] {
            let printed = String::from_utf8(printed.clone()).unwrap();
            assert!(!printed.contains(['\u{1b}', '\0', '\u{7}']), "{words:?}");
            assert!(!printed.lines().any(|line| line.starts_with('y')), "{words:?}");
            let longest = printed.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(words[0] != "test" || longest <= 2_003, "{longest}");
        }
    }
    let output = provoke(folder.path(), &["report", "r.jsonl", "--html", "again.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(read(folder.path(), "again.html") == page);
}

fn get(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{request}\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_live_view_can_only_be_looked_at_and_ends_with_the_session() {
    let spec = "[labels]\ninputs = ['go']\noutputs = ['ok', 'no']\n[[requirement]]\nid = 'R'\nltl = 'G ok'\n";
    let folder = folder(spec, "");
    let program = "while read line; do sleep 0.02; echo ok; done";
    let words = [
        "test",
        "spec.toml",
        "--hunt",
        "--seconds",
        "1.5",
        "--reset-cost",
        "1",
        "--no-save",
        "--serve",
        "--",
        "sh",
        "-c",
        program,
    ];
    let mut child =
        command(folder.path(), &words).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("live view at http://").unwrap().trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    assert!(get(&address, "GET / HTTP/1.1").starts_with("HTTP/1.1 200 OK"));
    assert!(get(&address, "POST / HTTP/1.1").starts_with("HTTP/1.1 405"));
    assert!(get(&address, "GET /../spec.toml HTTP/1.1").starts_with("HTTP/1.1 404"));
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    // Until the end: each event is all of the data again, and the last one says that it is over.
    let events = get(&address, "GET /events HTTP/1.1");
    let all: Vec<Value> = events
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(all.len() >= 2, "{}", all.len());
    assert_eq!(all[all.len() - 1]["over"], true);
    let steps = |data: &Value| data["steps"].as_u64().unwrap();
    assert!(all.windows(2).all(|pair| steps(&pair[0]) <= steps(&pair[1])) && steps(&all[all.len() - 1]) > 0);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(TcpStream::connect(&address).is_err(), "nobody listens any more");
}

#[test]
fn a_run_is_explained_step_by_step() {
    let folder = folder(SPEC, MODEL);
    let trace = "a=0 b_c=0 / x=0 y=0\na=1 b_c=0 / x=0 y=1\na=0 b_c=1 / x=1 y=0\n";
    std::fs::write(folder.path().join("t.trace"), trace).unwrap();
    let output = provoke(folder.path(), &["explain", "spec.toml", "t.trace"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("step 2: a=1 b_c=0 / x=0 y=1\n  R1: so far good, state "), "{said}");
    assert!(said.contains("  R1: VIOLATED\n    R1 forbids x=1 y=0 in answer to a=0 b_c=1 at step 3; it would have allowed !x, such as x=0 y=0\n"), "{said}");
    assert!(said.ends_with("VIOLATED in 3 steps: R1\n"), "{said}");
    let output = provoke(folder.path(), &["explain", "spec.toml", "t.trace", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["violated"][0], "R1");
    assert_eq!(report["steps"][2]["requirements"][0]["verdict"], "violated");
    assert_eq!(report["steps"][2]["requirements"][0]["allowed"], "!x, such as x=0 y=0");
}

#[test]
fn manual_pages_and_completions_know_every_option() {
    let folder = tempfile::tempdir().unwrap();
    assert!(provoke(folder.path(), &["man", "pages"]).status.success());
    let page = std::fs::read_to_string(folder.path().join("pages/provoke-test.1")).unwrap();
    let script = text(&provoke(folder.path(), &["completions", "bash"]).stdout);
    for option in ["--html", "--junit", "--serve", "--log", "--markdown", "--seed"] {
        assert!(page.contains(&option.replace('-', "\\-")), "{option}");
        assert!(script.contains(option), "{option}");
    }
    assert!(std::fs::read_to_string(folder.path().join("pages/provoke.1")).unwrap().contains("EXIT STATUS"));
}
