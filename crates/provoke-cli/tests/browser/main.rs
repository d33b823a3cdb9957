//! The page in a real browser. Where none is installed this is said and nothing is tested.
//!
//! With `PROVOKE_SCREENSHOTS=folder` the reports of the examples are photographed into that folder.

#![allow(clippy::unwrap_used)]

mod chromium;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use chromium::Browser;
use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Makes the report of an example and gives its address. Paths are as a reader has them: from the root of the repository, with
/// programs in `target/release/examples`.
fn report(folder: &Path, words: &[&str]) -> String {
    let page = folder.join("report.html");
    let programs = Path::new(env!("CARGO_BIN_EXE_provoke")).with_file_name("examples");
    std::fs::create_dir_all(folder.join("target/release")).unwrap();
    for (from, to) in [(root().join("examples"), "examples"), (programs, "target/release/examples")] {
        std::os::unix::fs::symlink(from, folder.join(to)).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder).args(["test", "--no-save", "--html", "report.html"]).args(words);
    let output = command.stdin(Stdio::null()).env_remove("GITHUB_ACTIONS").output().unwrap();
    assert!(
        output.status.code().is_some_and(|code| code != 2),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    format!("file://{}", page.display())
}

fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        eprintln!("skipped: no chromium on this machine");
    }
    browser
}

#[test]
fn the_page_shows_what_was_found() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let url = report(folder.path(), &["examples/carriage/faulty.toml"]);
    let mut papers = Vec::new();
    for (width, dark) in [(1280, false), (1280, true), (400, false), (400, true)] {
        browser.open(&url, width, dark);
        let text = |browser: &mut Browser, selector: &str| {
            browser
                .run(&format!("document.querySelector({selector:?}).innerText"))
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(text(&mut browser, "h1"), "R3 violated");
        assert_eq!(text(&mut browser, "#requirements tr[data-id=R3] .pill"), "violated");
        let why = text(&mut browser, ".finding .why");
        assert!(
            why.starts_with("R3 forbids movefwd=1 movebwd=0") && why.contains("would have allowed !movefwd"),
            "{why}"
        );
        assert_eq!(browser.run("document.querySelectorAll('.wave .guilty').length"), 1);
        let seen = "(() => { const box = document.querySelector('.wave .lanes').getBoundingClientRect(); const step = document.querySelector('.wave .guilty').getBoundingClientRect(); return step.left >= box.left - 1 && step.right <= box.right + 1; })()";
        assert_eq!(browser.run(seen), true, "the guilty step is in sight at {width}");
        // Hovering over the second of two steps.
        let before = text(&mut browser, ".readout");
        browser.point_at(".wave svg", 0.75);
        let after = text(&mut browser, ".readout");
        assert!(before != after && after.contains("step 2:") && after.contains("R3 violated"), "{after}");
        assert_eq!(
            browser.run("getComputedStyle(document.querySelector('.wave .cursor')).visibility"),
            "visible"
        );
        // One state and the violation, drawn, visited and large enough to be seen.
        assert_eq!(browser.run("document.querySelectorAll('#automaton [data-node]').length"), 2);
        assert_eq!(browser.run("document.querySelectorAll('#automaton [data-node].unseen').length"), 0);
        let wide =
            browser.run("document.querySelector('#automaton [data-node]').getBoundingClientRect().width");
        assert!(wide.as_f64().unwrap() > 10.0, "{wide}");
        let zoomed = "(() => { const b = () => document.querySelector('#automaton svg').getAttribute('viewBox'); const x = b(); document.querySelector('.zoom button').click(); return x !== b(); })()";
        assert_eq!(browser.run(zoomed), true, "zoom");
        assert!(
            browser.run("document.querySelectorAll('#search svg path, #search svg rect').length").as_u64()
                > Some(3)
        );
        let room = browser.run("[document.documentElement.scrollWidth, innerWidth]");
        assert!(room[0].as_u64() <= room[1].as_u64(), "nothing sticks out at {width}: {room}");
        papers.push(browser.run("getComputedStyle(document.body).backgroundColor"));
        let toggled = "(() => { const b = () => getComputedStyle(document.body).backgroundColor; const x = b(); document.querySelector('#theme').click(); return x !== b(); })()";
        assert_eq!(browser.run(toggled), true, "light or dark by hand");
        assert_eq!(browser.errors, Vec::<String>::new());
    }
    assert!(papers[0] != papers[1] && papers[0] == papers[2], "{papers:?}");
}

#[test]
fn a_large_campaign_stays_usable() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    // A ring of 1000 states, of which a long run visits some.
    let states: String =
        (0..1000).map(|at| format!("State: {at} [0&!1] {} [!0&!1] {at}\n", (at + 1) % 1000)).collect();
    let automaton = format!(
        "HOA: v1\nStates: 1000\nStart: 0\nAP: 2 \"a\" \"x\"\ncontrollable-AP: 1\nacc-name: all\nAcceptance: 0 t\n--BODY--\n{states}--END--\n"
    );
    std::fs::write(folder.path().join("ring.hoa"), automaton).unwrap();
    std::fs::write(
        folder.path().join("model.dot"),
        "digraph { __start0 -> p; p -> p [label=\"true / !x\"]; }",
    )
    .unwrap();
    let spec = "[signals]\ninputs = ['a']\noutputs = ['x']\n[system]\nmodel = 'model.dot'\n[[requirement]]\nid = 'R'\nautomaton = 'ring.hoa'\n";
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    let path = folder.path().join("spec.toml");
    let url = report(
        folder.path(),
        &[path.to_str().unwrap(), "--hunt", "--runs", "10000", "--steps", "3", "--strategy", "uniform"],
    );
    browser.open(&url, 1280, false);
    let nodes = browser.run("document.querySelectorAll('#automaton [data-node]').length").as_u64().unwrap();
    assert!((10..=60).contains(&nodes), "{nodes}");
    let said = browser.run("document.querySelector('#automata').innerText");
    assert!(said.as_str().unwrap().contains("of 1001 states are drawn"), "{said}");
    let facts = browser.run("document.querySelector('#verdict').innerText");
    assert!(facts.as_str().unwrap().contains("10,000 runs"), "{facts}");
    let size = std::fs::metadata(folder.path().join("report.html")).unwrap().len();
    assert!(size < 1_000_000, "{size}");
    assert_eq!(browser.errors, Vec::<String>::new());
}

/// The examples, each with what makes its report worth looking at. `cargo build --examples` makes the programs.
const EXAMPLES: &[(&str, &[&str])] = &[
    (
        "arm",
        &[
            "examples/arm/arm.toml",
            "--strategy",
            "input-classes",
            "--",
            "target/release/examples/arm",
            "deaf",
        ],
    ),
    ("carriage", &["examples/carriage/faulty.toml"]),
    ("choices", &["examples/choices/choices.toml", "--", "target/release/examples/choices", "faulty"]),
    ("coffee", &["examples/coffee/too-eager.toml", "--hunt", "--runs", "200"]),
    ("cruise", &["examples/cruise/cruise.toml", "--", "target/release/examples/cruise", "both-pedals"]),
    ("first", &["examples/first/first.toml"]),
    ("lift", &["examples/lift/lift.toml", "--hunt", "--", "target/release/examples/lift", "overshoots"]),
    ("lift-without-reset", &["examples/lift-without-reset/stuck.toml"]),
    ("passageway", &["examples/passageway/rooms-3-faulty.toml", "--runs", "300"]),
    (
        "robots",
        &[
            "examples/robots/faulty.toml",
            "--strategy",
            "least-cost",
            "--",
            "target/release/examples/robots",
            "overcharging",
        ],
    ),
    (
        "thermostat",
        &[
            "examples/thermostat/thermostat.toml",
            "--hunt",
            "--",
            "target/release/examples/thermostat",
            "slow",
        ],
    ),
];

/// The same where a server must be installed.
const SERVED: (&str, &[&str]) = (
    "key-value",
    &[
        "examples/key-value/redis.toml",
        "--",
        "target/release/examples/key-value",
        "skips",
        "127.0.0.1:7391",
        "redis-server",
        "--port",
        "7391",
        "--bind",
        "127.0.0.1",
        "--save",
        "",
    ],
);

#[test]
fn reports_of_the_examples_open_without_errors() {
    let Some(mut browser) = browser() else { return };
    let screenshots = std::env::var_os("PROVOKE_SCREENSHOTS").map(PathBuf::from);
    let redis = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status();
    let served = redis.is_ok_and(|status| status.success()).then_some(&SERVED);
    for (name, words) in EXAMPLES.iter().chain(served) {
        let folder = tempfile::tempdir().unwrap();
        let url = report(folder.path(), words);
        for (width, dark) in [(1280, false), (400, true)] {
            browser.open(&url, width, dark);
            assert_ne!(browser.run("document.querySelector('h1').innerText"), Value::Null, "{name}");
            let room = browser.run("[document.documentElement.scrollWidth, innerWidth]");
            assert!(room[0].as_u64() <= room[1].as_u64(), "{name}: nothing sticks out at {width}: {room}");
            assert_eq!(browser.errors, Vec::<String>::new(), "{name}");
            if let Some(to) = &screenshots {
                std::fs::create_dir_all(to).unwrap();
                let file = if dark { format!("{name}-narrow.jpg") } else { format!("{name}.jpg") };
                browser.picture(&to.join(file), width);
            }
        }
    }
}

#[test]
fn numbers_are_curves_and_names_are_bands() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let spec = "[signals.inputs]\ncall = '0..6'\n[signals.outputs]\nfloor = '-3..9'\nmotor = ['off', 'up']\n[system]\nmodel = 'model.dot'\n\
        [[requirement]]\nid = 'R'\nltl = 'G (motor = up -> floor <= 6)'\n";
    let model = "digraph { __start0 -> p; p -> q [label=\"call > 3 / floor=-2 motor=off\"]; p -> p [label=\"call <= 3 / floor=-2 motor=off\"]; \
        q -> q [label=\"call >= 0 / floor=8 motor=up\"]; }";
    std::fs::write(folder.path().join("spec.toml"), spec).unwrap();
    std::fs::write(folder.path().join("model.dot"), model).unwrap();
    let url = report(folder.path(), &["spec.toml", "--hunt"]);
    browser.open(&url, 1280, false);
    // Two curves of steps (call and floor) and no wave of bits.
    assert_eq!(browser.run("document.querySelectorAll('.wave .high').length"), 2);
    assert_eq!(browser.run("document.querySelectorAll('.wave .fill').length"), 0);
    let texts =
        browser.run("[...document.querySelectorAll('.wave svg text')].map((text) => text.textContent)");
    let texts: Vec<&str> = texts.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    for text in ["-2", "8", "off", "up"] {
        assert!(texts.contains(&text), "{text}: {texts:?}");
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}
