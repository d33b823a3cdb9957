//! Silence, ends and errors as answers of programs that answer in turn, through the real binary. The program is one as
//! verification challenges have them: it reads a number, prints one or nothing, complains on stderr, and aborts at an error.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{folder, test};
use serde_json::Value;

const CHALLENGE: &str = r#"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int state = 0;
static void error(int number) { fprintf(stderr, "error_%d ", number); assert(0); }
static void step(int input) {
    if (input == 1 && state == 0) { state = 1; printf("21\n"); fflush(stdout); return; }
    if (input == 2 && state == 1) { state = 2; printf("22\n"); fflush(stdout); return; }
    if (input == 2 && state == 2) { error(17); }
    if (input == 4) { exit(0); }
    if (input == 1) { return; }
    fprintf(stderr, "Invalid input: %d\n", input);
}
int main(void) {
    int input;
    while (scanf("%d", &input) == 1) { step(input); }
    return 0;
}
"#;

/// The same in shell, for machines without a compiler.
const SHELL: &str = r#"
state=0
while read -r input; do case "$input$state" in
    10) state=1; echo 21;;
    21) state=2; echo 22;;
    22) printf 'error_17 challenge: Assertion failed.' >&2; kill -ABRT $$;;
    4*) exit 0;;
    1*) ;;
    *) echo "Invalid input: $input" >&2;;
esac; done
"#;

/// A folder with the program, and a specification of these protocol options and this formula.
fn challenge(options: &str, ltl: &str) -> tempfile::TempDir {
    let folder = folder("");
    let source = folder.path().join("challenge.c");
    std::fs::write(&source, CHALLENGE).unwrap();
    std::fs::write(folder.path().join("challenge.sh"), SHELL).unwrap();
    let compiled = Command::new("cc").arg("-o").arg(folder.path().join("challenge")).arg(&source).status();
    let command = match compiled {
        Ok(status) if status.success() => "['./challenge']",
        _ => "['sh', 'challenge.sh']",
    };
    specify(folder.path(), command, options, ltl);
    folder
}

fn specify(folder: &Path, command: &str, options: &str, ltl: &str) {
    let text = format!(
        "[labels]\ninputs = ['one', 'two', 'three', 'four']\noutputs = ['x', 'y', 'invalid', 'error_17']\n\
         [system]\ncommand = {command}\n[system.protocol]\nstart_ms = 60000\nstep_ms = 60000\n\
         write = {{ one = '1', two = '2', three = '3', four = '4' }}\n{options}\n\
         [[requirement]]\nid = 'R'\nltl = '{ltl}'\n"
    );
    std::fs::write(folder.join("spec.toml"), text).unwrap();
}

const ANSWERS: &str = "read = { x = '21', y = '22', invalid = ['Invalid input: 1', 'Invalid input: 2', 'Invalid input: 3'] }\n\
                       quiet = 'none'\npatience_ms = 40\nread_stderr = true\nends = { 0 = 'end', other = 'crash' }";

fn steps(value: &Value) -> Vec<(String, String)> {
    let text = |step: &Value, side: &str| step[side].as_str().unwrap().to_owned();
    value.as_array().unwrap().iter().map(|step| (text(step, "input"), text(step, "output"))).collect()
}

fn violation(folder: &Path) -> (Vec<(String, String)>, Value) {
    let (code, report) = test(folder, &["--runs", "60", "--steps", "8", "--strategy", "uniform"]);
    assert_eq!(code, 1, "{report}");
    let found = report["violations"][0].clone();
    assert_eq!(found["reproduced"], 3, "{report}");
    (steps(&found["trace"]), found)
}

fn story(words: &[(&str, &str)]) -> Vec<(String, String)> {
    words.iter().map(|&(input, output)| (input.to_owned(), output.to_owned())).collect()
}

#[test]
fn an_abort_is_an_answer() {
    let folder = challenge(ANSWERS, "G !crash");
    let (trace, found) = violation(folder.path());
    assert_eq!(trace, story(&[("one", "x"), ("two", "y"), ("two", "crash")]));
    assert_eq!(found["silence"], Value::Null);
    specify(folder.path(), "['sh', 'challenge.sh']", ANSWERS, "G !crash");
    assert_eq!(violation(folder.path()).0, trace);
    // By its signal.
    let by_signal = ANSWERS.replace("other = 'crash'", "SIGABRT = 'abort', other = 'crash'");
    specify(folder.path(), "['sh', 'challenge.sh']", &by_signal, "G !abort");
    assert_eq!(violation(folder.path()).0[2].1, "abort");
}

#[test]
fn an_end_and_what_is_invalid_are_answers() {
    let folder = challenge(ANSWERS, "G !end");
    assert_eq!(violation(folder.path()).0, story(&[("four", "end")]));
    let folder = challenge(ANSWERS, "G !invalid");
    assert_eq!(violation(folder.path()).0.len(), 1);
    // Every run that ends by itself is over, and the session goes on to the end of its budget.
    let folder = challenge(ANSWERS, "G (y -> X !x)");
    let (code, report) = test(folder.path(), &["--runs", "12", "--steps", "6", "--strategy", "uniform"]);
    assert_eq!((code, &report["verdict"], &report["runs"]), (0, &"covered".into(), &12.into()), "{report}");
}

#[test]
fn silence_is_an_answer_that_is_tried_again_with_more_patience() {
    let folder = challenge(ANSWERS, "G !none");
    let (trace, found) = violation(folder.path());
    assert_eq!(trace, story(&[("one", "x"), ("one", "none")]));
    assert_eq!(found["silence"]["patience_ms"], 40);
    assert_eq!(found["silence"]["steps"], 1);
}

#[test]
fn an_error_on_stderr_without_a_line_end_is_an_answer() {
    let options = "reply_pattern = '^(?<label>Invalid input|error_17|2[12])'\n\
                   read = { x = '21', y = '22', invalid = 'Invalid input' }\n\
                   quiet = 'none'\npatience_ms = 40\nread_stderr = true\nends = 'crash'";
    let folder = challenge(options, "G !error_17");
    let (trace, _) = violation(folder.path());
    assert_eq!(trace, story(&[("one", "x"), ("two", "y"), ("two", "error_17")]));
    // It ends after that: the next input is answered by the end.
    let folder = challenge(options, "G !(error_17 & X crash)");
    assert_eq!(violation(folder.path()).0.last().unwrap().1, "crash");
}

#[test]
fn without_the_keys_all_this_breaks_the_system() {
    let folder = challenge("read = { x = '21', y = '22' }\nstep_ms = 300", "G !y");
    let text = std::fs::read_to_string(folder.path().join("spec.toml")).unwrap();
    std::fs::write(folder.path().join("spec.toml"), text.replace("step_ms = 60000\nwrite", "write")).unwrap();
    let words = ["--runs", "9", "--steps", "6", "--shrink-seconds", "0"];
    let (code, report) = test(folder.path(), &words);
    assert!(code == 4 || code == 1, "{report}");
}

#[test]
fn a_late_answer_is_never_another() {
    // Answers `x` to `one` after 60 ms, and `y` to `two` at once.
    let slow = "while read -r input; do case $input in 1) sleep 0.06; echo 21;; *) echo 22;; esac; done\n";
    let folder = folder("");
    std::fs::write(folder.path().join("slow.sh"), slow).unwrap();
    // The shell waits for `sleep`, so neither runs: patience is too short, and what comes of it is late.
    let options = "read = { x = '21', y = '22' }\nquiet = 'none'\npatience_ms = 15";
    specify(folder.path(), "['sh', 'slow.sh']", options, "G ((one -> !y) & (two -> !x))");
    let (code, report) = test(folder.path(), &["--runs", "6", "--steps", "10", "--strategy", "uniform"]);
    assert_eq!(code, 4, "{report}");
    let error = report["system"]["error"].as_str().unwrap();
    assert!(error.contains("it came too late") && error.contains("patience_ms"), "{error}");
    assert_eq!(report["violations"], Value::Array(Vec::new()));
}

#[test]
fn keys_that_make_no_sense_are_shown() {
    let wrong = |tables: &str| {
        let folder = folder(tables);
        let (code, error) = test(folder.path(), &[]);
        assert_eq!(code, 2, "{error}");
        error.as_str().unwrap().to_owned()
    };
    let signals = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\ncommand = ['true']\n";
    let labels = "[labels]\ninputs = ['a']\noutputs = ['x']\n[system]\ncommand = ['true']\n";
    assert!(
        wrong(&format!("{signals}[system.protocol]\nquiet = 'none'\n"))
            .contains("only labels can stand for silence")
    );
    assert!(
        wrong(&format!("{signals}mode = 'asynchronous'\n"))
            .contains("needs letters for waiting and for silence")
    );
    assert!(
        wrong(&format!("{labels}[system.protocol]\nends = {{ boom = 'x' }}\n"))
            .contains("`boom` is no way to end")
    );
    assert!(
        wrong(&format!("{labels}[system.protocol]\ntick = 't'\n"))
            .contains("only where mode = \"asynchronous\"")
    );
    assert!(
        wrong(&format!("{labels}[system.protocol]\npatience_ms = 0\n")).contains("at least a millisecond")
    );
    assert!(wrong(&format!("{labels}mode = 'sometimes'\n")).contains("sometimes"));
    let word = "mode = 'asynchronous'\nreset = { word = ['a'] }\n";
    assert!(wrong(&format!("{labels}{word}")).contains("answers in turn"));
}
