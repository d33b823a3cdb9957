//! Ways to talk with systems that exist, through the real binary: JSON, patterns, answers of varying length, reset
//! words. The systems are a few lines of shell each.

#![allow(clippy::unwrap_used)]

mod common;

use common::{folder, test};
use serde_json::Value;

/// Two signals each way; `a` must be answered with `x`. Deadlines that no healthy system misses.
fn signals(script: &str, options: &str) -> tempfile::TempDir {
    system("[signals]\ninputs = ['a', 'b']\noutputs = ['x', 'y']", script, options, "G (a -> x)")
}

fn labels(script: &str, options: &str) -> tempfile::TempDir {
    system("[labels]\ninputs = ['on', 'off']\noutputs = ['few', 'many']", script, options, "on -> few")
}

/// `options` are lines of [system.protocol]; a first line `reset = ...` belongs to [system].
fn system(interface: &str, script: &str, options: &str, ltl: &str) -> tempfile::TempDir {
    let (reset, options) = match options.split_once('\n') {
        Some((reset, options)) if reset.starts_with("reset =") => (reset, options),
        _ => ("", options),
    };
    let slow =
        if options.contains("step_ms") { "" } else { "start_ms = 60000\nstep_ms = 60000\nreset_ms = 60000" };
    let folder = folder(&format!(
        "{interface}\n[system]\ncommand = ['sh', 'system.sh']\n{reset}\n[system.protocol]\n{slow}\n{options}\n\
         [[requirement]]\nid = 'R'\nltl = '{ltl}'\n"
    ));
    std::fs::write(folder.path().join("system.sh"), script).unwrap();
    folder
}

const SHORT: &[&str] = &["--runs", "3", "--steps", "20"];

fn outcome(folder: &tempfile::TempDir) -> (i32, Value) {
    test(folder.path(), SHORT)
}

/// That the system breaks, and the report says so.
fn breaks(folder: &tempfile::TempDir, message: &str) {
    let (code, report) = outcome(folder);
    assert_eq!(code, 4, "{message}: {report}");
    let error = report["system"]["error"].as_str().unwrap();
    assert!(error.contains(message), "{message}: {error}");
}

/// Answers each input with what stands for `a` or for its absence.
fn answers(seen: &str, with: &str, without: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in *'{seen}'*) echo '{with}';; *) echo '{without}';; esac; done\n"
    )
}

#[test]
fn json_each_way() {
    let json = "form = 'json'";
    let good = answers("\"a\":true", r#"{"y":0, "x":true}"#, r#"{"x":false,"y":1}"#);
    assert_eq!(outcome(&signals(&good, json)).0, 0);
    let bad = answers("\"a\":true", r#"{"y":0,"x":0}"#, r#"{"x":1,"y":0}"#);
    let (code, report) = outcome(&signals(&bad, json));
    assert_eq!((code, &report["violations"][0]["requirement"]), (1, &Value::from("R")));
    let labelled = answers(r#"{"input":"on"}"#, r#"{"output":"few"}"#, r#"{"output":"many"}"#);
    assert_eq!(outcome(&labels(&labelled, json)).0, 0);
}

#[test]
fn hostile_json_is_broken_not_violating() {
    let say = |text: &str| signals(&format!("while read -r line; do {text}; done\n"), "form = 'json'");
    for (text, message) in [
        (r#"echo '{"x":1}'"#, "signal `y` is missing"),
        (r#"echo '{"x":1,"x":1,"y":1}'"#, "signal `x` is given twice"),
        (r#"echo '{"x":1,"y":1,"z":1}'"#, "unknown signal `z`"),
        (r#"echo '{"x":1,"y":7}'"#, "integer `7`, expected true or false, or 1 or 0"),
        (r#"echo '{"x":1,"y":1e999}'"#, "number out of range"),
        (r#"echo 'x=1 y=1'"#, "not JSON"),
        (r#"echo '{"x":1,"y":1'"#, "not JSON: EOF"),
        (r#"printf '{"x":'; head -c 60000 /dev/zero | tr '\0' '['; echo"#, "invalid type: sequence"),
        (r#"head -c 60000 /dev/zero | tr '\0' '{'; echo"#, "not JSON"),
        (r#"head -c 100000 /dev/zero | tr '\0' '['; echo"#, "longer than 65536 bytes"),
    ] {
        breaks(&say(text), message);
    }
}

#[test]
fn a_pattern_picks_signals_out_of_a_line() {
    let pattern = "reply_pattern = '^\\[\\d+\\] .*x is (?<x>on|off)(?:, y is (?<y>on|off))?'\ntrue = 'on'\nfalse = 'off'";
    let good = answers("a=on", "[7] now x is on, y is off!", "[8] x is off, y is on");
    assert_eq!(outcome(&signals(&good, pattern)).0, 0);
    let bad = answers("a=on", "[7] x is off, y is off", "[8] x is off, y is on");
    assert_eq!(outcome(&signals(&bad, pattern)).0, 1);
    breaks(&signals(&answers("a=on", "[7] x is on", "[8] x is off"), pattern), "signal `y` is missing");
    breaks(&signals(&answers("a", "hello", "hello"), pattern), "it does not match");
}

#[test]
fn answers_have_as_many_lines_as_they_say() {
    let script = "while read -r line; do case \"$line\" in\n\
        *a=1*) printf '*2\\r\\n$1\\r\\nx\\r\\n$3\\r\\nEND\\r\\n';;\n*) printf '$-1\\r\\n';; esac; done\n";
    let more = "form = 'names'\nseparator = ','\nwrite = { a = 'a=1' }\n\
        reply_more = { '^\\$\\d+$' = 1, '^\\*(?<n>\\d+)$' = 'n' }\n\
        reply_pattern = '\\A(?:\\*2\\n\\$1\\n(?<x>x)\\n\\$3\\nEND|\\$-1(?<y>y)?)\\z'";
    assert_eq!(outcome(&signals(script, more)).0, 0);
    let until = "while read -r line; do case \"$line\" in\n\
        *a=1*) printf 'value:\\nx=1 y=0\\nEND\\n';; *) printf 'x=0 y=0\\nx=0 y=1\\nlog\\nEND\\n';; esac; done\n";
    let second = "reply_until = '^END$'\nreply_line = 2";
    assert_eq!(outcome(&signals(until, second)).0, 0);
    breaks(&signals(until, "reply_until = '^END$'\nreply_line = 5"), ", and line 5 was to be read");
}

#[test]
fn what_is_written_may_hold_line_ends() {
    // Reads two lines for `on`, and wants carriage returns.
    let script = "cr=$(printf '\\r'); while read -r line; do case \"$line\" in\n\
        \"set$cr\") read -r value; [ \"$value\" = \"7$cr\" ] && echo few || echo many;; *) echo many;; esac; done\n";
    assert_eq!(outcome(&labels(script, "line_end = \"\\r\\n\"\nwrite = { on = \"set\\n7\" }")).0, 0);
    assert_eq!(outcome(&labels(script, "write = { on = \"set\\r\\n7\\r\" }")).0, 0);
}

#[test]
fn answers_without_end_are_broken_in_time_and_space() {
    let flood = "read -r line; exec yes junk\n";
    breaks(&signals(flood, "reply_until = '^END$'"), "the answer is longer than 1048576 bytes");
    breaks(&signals(flood, "start_ms = 200\nstep_ms = 200\nreply_prefix = 'out '"), "within 200 ms");
    breaks(
        &signals("exec yes junk\n", "start_ms = 200\nstep_ms = 200\nbanner_until = 'ready'"),
        "within 200 ms",
    );
    let promise = "while read -r line; do echo '*99999999999'; done\n";
    breaks(
        &signals(promise, "reply_more = { '\\*(?<n>\\d+)' = 'n' }"),
        "the answer is longer than 1048576 bytes",
    );
    let half = "while read -r line; do echo begin; done\n";
    let hasty = "start_ms = 200\nstep_ms = 200\nreply_until = '^END$'";
    breaks(&signals(half, hasty), "said `begin` at its start: the answer did not end within 200 ms");
}

#[test]
fn a_reset_has_several_acknowledgements() {
    let script = "n=0; while read -r line; do case \"$line\" in\n\
        DEL) echo :$((n % 2)); n=$((n + 1));; on) echo few;; *) echo many;; esac; done\n";
    for reply in ["[':0', ':1']", "{ pattern = '^:[01]$' }"] {
        assert_eq!(outcome(&labels(script, &format!("reset = 'DEL'\nreset_reply = {reply}"))).0, 0);
    }
    let one = "expected the reset to be acknowledged with `:0`";
    breaks(&labels(script, "reset = 'DEL'\nreset_reply = ':0'"), one);
}

#[test]
fn a_fixed_word_resets() {
    // Few until switched on three times; only `off` starts again.
    let script = "n=0; while read -r line; do case \"$line\" in on) n=$((n + 1));; *) n=0;; esac\n\
        [ $n -ge 3 ] && echo many || echo few; done\n";
    let runs = ["--runs", "5", "--steps", "4"];
    let (code, report) = test(labels(script, "reset = { word = ['on', 'off'] }\n").path(), &runs);
    assert_eq!((code, &report["reset_steps"]), (0, &Value::from(10)), "{report}");
    // One that does not reset shows: the program is started once.
    let (code, report) = test(labels(script, "reset = { word = ['on', 'on'] }\n").path(), &runs);
    assert_eq!((code, &report["verdict"]), (1, &Value::from("violated")), "{report}");
    let signals = signals(&answers("a=1", "x=1 y=0", "x=0 y=0"), "reset = { word = ['a=1', 'b', '11'] }\n");
    assert_eq!(outcome(&signals).1["reset_steps"], 9);
}

#[test]
fn a_program_that_ends_while_its_child_holds_the_pipe_is_gone_at_once() {
    // The deadline is an hour: nobody waits for it.
    let script = "sleep 3600 &\nread -r line; echo 'x=1 y=0'; read -r line; exit 5\n";
    let hour = "start_ms = 3600000\nstep_ms = 3600000";
    breaks(&signals(script, hour), "the system was gone in a step: it exited with code 5");
}

#[test]
fn a_program_that_answers_and_ends_has_answered() {
    let (code, report) = test(
        signals("read -r line; echo 'x=1 y=0'\n", "").path(),
        &["--runs", "40", "--steps", "1", "--strategy", "uniform"],
    );
    assert_eq!((code, &report["steps"]), (0, &Value::from(40)), "{report}");
}

#[test]
fn faulty_keys_are_shown_where_they_stand() {
    for (options, message, place) in [
        (
            "reply_pattern = '(a'",
            "\"(a\" is not a regular expression: unclosed group",
            "reply_pattern = '(a'",
        ),
        ("reply_pattern = '(?<x>.)'", "no group is named for the signal `y`", "reply_pattern"),
        ("reply_until = 'x'\nreply_lines = 3", "after `reply_lines`, not both", "reply_until"),
        (
            "reply_more = { 'x' = true }",
            "expected a number of lines, or the name of the pattern's group",
            "true",
        ),
        ("reset_reply = { patern = 'x' }", "unknown key `patern`", "did you mean `pattern`?"),
        ("reset_reply = 5\nreset = 'x'", "expected a text, several: ", "5"),
        ("form = 'jsn'", "unknown variant `jsn`", "`json`"),
        ("form = 'json'\nassign = ':'", "assign: `form = \"json\"` has its own", "assign"),
        ("reply_untl = 'x'", "unknown key `reply_untl`", "did you mean `reply_until`?"),
        ("reset = 5\n", "expected a line such as \"reset\", { synchronise = ", "word = ["),
        ("reset = { word = ['a=1', 'c=1'] }\n", "unknown signal `c`", "'c=1'"),
        ("reset = { word = [] }\n", "a reset word has at least one input", "[]"),
        ("reset = { word = ['a'], synchronise = 'm.dot' }\n", "expected a line such as", "word = ["),
        ("reset = 'x'\nreset = 'y'", "`reset` stands in [system] and in [system.protocol]", "keep one"),
    ] {
        let (code, error) = outcome(&signals("", options));
        let error = error.as_str().unwrap();
        assert_eq!(code, 2, "{options}: {error}");
        assert!(
            error.contains(message) && error.contains(place) && error.contains("spec.toml:"),
            "{options}: {error}"
        );
    }
}
