//! The line protocol against real programs: good ones, and every bad one we could think of.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use provoke::letter::{Interface, Letter};
use provoke::system::{Ending, Fault, Launch, Lines, Phase, Protocol, System, SystemError};

/// Short deadlines, for systems that are expected to miss them.
const HASTY: &str = "start_ms = 300\nstep_ms = 300\nreset_ms = 300";
/// Deadlines no healthy system misses, however busy the machine.
const PATIENT: &str = "start_ms = 60000\nstep_ms = 60000\nreset_ms = 60000";

fn carriage() -> Interface {
    Interface::signals(["bwdlimit", "fwdlimit", "cargo"], ["movefwd", "movebwd"]).unwrap()
}

fn start(way: &[&str], options: &str) -> Lines {
    let mut command = vec![env!("CARGO_BIN_EXE_misbehave").into()];
    command.extend(way.iter().map(Into::into));
    let launch = Launch { command, ..Launch::default() };
    Lines::process(launch, &carriage(), toml::from_str::<Protocol>(options).unwrap()).unwrap()
}

/// Nothing happens, a cargo arrives, it moves, it arrives: forward is 0, 1, 1, 0.
const DELIVERY: [u64; 4] = [0b000, 0b101, 0b100, 0b110];

fn deliver(system: &mut dyn System) -> Result<(), SystemError> {
    let expected = [0, 1, 1, 0].map(Letter::from_index);
    for (input, expected) in DELIVERY.into_iter().zip(expected) {
        assert_eq!(system.step(Letter::from_index(input))?, expected);
    }
    Ok(())
}

/// What goes wrong when the bad system is asked to deliver twice, and its last words.
fn fails(way: &[&str], options: &str) -> (SystemError, Vec<String>) {
    let mut system = start(way, options);
    system.reset().unwrap();
    let result = deliver(&mut system).and_then(|()| deliver(&mut system)).and_then(|()| system.settle());
    (result.unwrap_err(), system.last_words())
}

fn garbled(way: &[&str]) -> (String, Fault) {
    match fails(way, PATIENT).0 {
        SystemError::Garbled { during: Phase::Step, line, fault } => (line, fault),
        error => panic!("{way:?}: {error}"),
    }
}

#[test]
fn a_good_program_delivers_after_every_reset() {
    for options in ["", "reset = \"reset\""] {
        let mut system = start(&["good"], &format!("{PATIENT}\n{options}"));
        for _ in 0..3 {
            system.reset().unwrap();
            deliver(&mut system).unwrap();
            // Left in motion: only a reset stops it.
            system.step(Letter::from_index(0b101)).unwrap();
            system.settle().unwrap();
        }
        assert!(system.last_words().is_empty());
    }
}

#[test]
fn protocols_bend() {
    let cases = [
        ("banner", "banner_lines = 2"),
        ("banner", "banner_until = \"ready\""),
        ("greets", "banner_lines = 1"),
        ("prompts", "prompt = \"> \""),
        ("three-lines", "reply_lines = 3\nreply_line = 2"),
        ("chats", "reply_prefix = \"out: \""),
        ("acknowledges", "reset = \"reset\"\nreset_reply = \"ok\""),
        ("floods-stderr-and-answers", ""),
    ];
    for (way, options) in cases {
        let mut system = start(&[way, "0"], &format!("{PATIENT}\n{options}"));
        for _ in 0..2 {
            system.reset().unwrap();
            let result = deliver(&mut system).and_then(|()| system.settle());
            result.unwrap_or_else(|error| panic!("{way} with {options}: {error}"));
        }
    }
}

#[test]
fn a_program_that_ends_is_gone() {
    let (error, words) = fails(&["exits-at-start"], PATIENT);
    assert_eq!(error, SystemError::Gone { during: Phase::Start, how: Ending::Exited(3) });
    assert_eq!(words, ["cannot find my configuration"]);
    let (error, words) = fails(&["exits"], PATIENT);
    assert_eq!(error, SystemError::Gone { during: Phase::Step, how: Ending::Exited(7) });
    assert_eq!(words, ["assertion failed: bwdlimit=0 fwdlimit=1 cargo=1"]);
    let (error, _) = fails(&["aborts"], PATIENT);
    assert_eq!(error, SystemError::Gone { during: Phase::Step, how: Ending::Killed(6) });
    let (error, _) = fails(&["closes-stdout"], PATIENT);
    assert_eq!(error, SystemError::Gone { during: Phase::Step, how: Ending::HungUp });
}

#[test]
fn a_program_that_says_nothing_is_silent() {
    for (way, during) in [
        ("silent", Phase::Step),
        ("ignores-sigterm", Phase::Step),
        ("floods-stderr", Phase::Step),
        ("babbles", Phase::Step),
        ("never-reads", Phase::Start),
    ] {
        let (error, words) = fails(&[way], HASTY);
        assert!(matches!(error, SystemError::Silent { during: at, .. } if at == during), "{way}: {error}");
        match way {
            "floods-stderr" => {
                assert_eq!((words.len(), words[19].as_str()), (20, "warning                  32767"));
            }
            "babbles" => assert_eq!(words.len(), 20),
            _ => assert!(words.is_empty()),
        }
    }
}

#[test]
fn a_program_that_never_reads_cannot_block_us() {
    // A line longer than the pipe: writing it must end at the deadline as well.
    let wide: Vec<String> = (0..256).map(|at| format!("{:x>400}{at}", "")).collect();
    let interface = Interface::signals(wide, vec!["x".into()]).unwrap();
    let launch = Launch {
        command: vec![env!("CARGO_BIN_EXE_misbehave").into(), "never-reads".into()],
        ..Launch::default()
    };
    let mut system = Lines::process(launch, &interface, toml::from_str(HASTY).unwrap()).unwrap();
    system.reset().unwrap();
    assert!(matches!(system.step(Letter::default()), Err(SystemError::Silent { .. })));
}

#[test]
fn a_program_that_talks_nonsense_is_garbled() {
    let (line, fault) = garbled(&["garbage"]);
    assert_eq!(line, "\\u{1b}[2J\u{fffd} segmentation fault?");
    assert!(matches!(fault, Fault::NotAnAnswer(_)));
    assert!(matches!(garbled(&["binary"]).1, Fault::NotAnAnswer(_)));
    let unknown = "unknown signal `movefwdd` (did you mean `movefwd`?)";
    assert_eq!(garbled(&["unknown-signal"]).1, Fault::Unknown(unknown.into()));
    assert_eq!(garbled(&["missing-signal"]).1, Fault::Missing("movebwd".into()));
    assert_eq!(garbled(&["twice"]).1, Fault::Twice("movefwd".into()));
    assert_eq!(garbled(&["endless-line"]).1, Fault::TooLong(65536));
    let (error, _) = fails(&["half-a-line"], HASTY);
    assert!(matches!(error, SystemError::Garbled { fault: Fault::Unfinished(_), .. }), "{error}");
}

#[test]
fn a_line_too_many_is_noticed_wherever_it_stands() {
    // Long enough for any machine; the extra line ends the wait.
    let options = &format!("{PATIENT}\nsettle_ms = 60000");
    for way in ["two-lines", "two-lines-late", "floods-stdout"] {
        // In the middle of a run, or with the verdict on its last step.
        for steps in [1, 2, 5] {
            let mut system = start(&[way, "0"], options);
            system.reset().unwrap();
            let result = (0..steps).try_for_each(|_| system.step(Letter::default()).map(drop));
            let error = result.and_then(|()| system.settle()).unwrap_err();
            let extra = matches!(error, SystemError::Garbled { fault: Fault::Extra, .. });
            assert!(extra, "{way} after {steps}: {error}");
        }
    }
    let mut greets = start(&["greets"], options);
    greets.reset().unwrap();
    let result = greets.step(Letter::default()).and_then(|_| greets.settle());
    assert!(matches!(result, Err(SystemError::Garbled { fault: Fault::Extra, .. })), "{result:?}");
}

#[test]
fn a_failed_system_comes_back_with_a_reset() {
    let mut system = start(&["exits", "4"], PATIENT);
    for _ in 0..3 {
        system.reset().unwrap();
        deliver(&mut system).unwrap();
        assert!(matches!(system.step(Letter::default()), Err(SystemError::Gone { .. })));
        assert!(matches!(system.step(Letter::default()), Err(SystemError::Gone { .. })));
    }
}

#[test]
fn what_cannot_be_started_says_so() {
    let launch = Launch { command: vec!["./no-such-program".into(), "-v".into()], ..Launch::default() };
    let mut system = Lines::process(launch, &carriage(), Protocol::default()).unwrap();
    assert_eq!(
        system.reset().unwrap_err().to_string(),
        "the system cannot be started: `./no-such-program -v`: no such program or directory"
    );
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut system = Lines::tcp(&free.to_string(), &carriage(), Protocol::default()).unwrap();
    let error = system.reset().unwrap_err().to_string();
    assert!(error.ends_with("connection refused: nobody listens there"), "{error}");
    let mut system = Lines::tcp("7000", &carriage(), Protocol::default()).unwrap();
    assert!(matches!(system.reset(), Err(SystemError::Unstartable { .. })));
}

/// Whether a process is there and not a zombie.
fn lives(id: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{id}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("").trim_start().starts_with('Z'))
}

#[test]
fn nothing_is_left_behind() {
    for way in ["has-child", "stays", "ignores-sigterm"] {
        let mut system = start(&[way, "9"], PATIENT);
        system.reset().unwrap();
        deliver(&mut system).unwrap();
        let words = system.last_words();
        let child = words.iter().find_map(|line| line.strip_prefix("child "));
        assert_eq!(child.is_some(), way == "has-child");
        assert!(child.is_none_or(lives));
        // A second reset must end the first program and all it started.
        system.reset().unwrap();
        deliver(&mut system).unwrap();
        // Once killed, a grandchild is reaped by init, which may take a moment.
        while child.is_some_and(lives) {
            std::thread::yield_now();
        }
    }
}

/// Serves the carriage over TCP, one client after another; a client's state ends with its connection only
/// when it says so.
fn serve(listener: TcpListener, clients: usize) {
    let mut moving = false;
    for stream in listener.incoming().take(clients) {
        let mut stream = stream.unwrap();
        for line in BufReader::new(stream.try_clone().unwrap()).lines() {
            let Ok(line) = line else { break };
            if line == "reset" {
                moving = false;
                continue;
            }
            let on = |name: &str| line.contains(&format!("{name}=1"));
            moving = !on("fwdlimit") && (moving || on("bwdlimit") && on("cargo"));
            stream.write_all(format!("movefwd={} movebwd=0\n", u8::from(moving)).as_bytes()).unwrap();
        }
    }
}

#[test]
fn a_server_delivers_over_tcp() {
    for options in ["", "reset = \"reset\""] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let clients = if options.is_empty() { 3 } else { 1 };
        let server = std::thread::spawn(move || serve(listener, clients));
        let mut system =
            Lines::tcp(&address, &carriage(), toml::from_str(&format!("{PATIENT}\n{options}")).unwrap())
                .unwrap();
        for _ in 0..3 {
            system.reset().unwrap();
            deliver(&mut system).unwrap();
            system.settle().unwrap();
        }
        drop(system);
        server.join().unwrap();
    }
}

#[test]
fn a_server_that_hangs_up_is_gone() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line
    });
    let mut system = Lines::tcp(&address, &carriage(), toml::from_str(PATIENT).unwrap()).unwrap();
    system.reset().unwrap();
    let gone = system.step(Letter::from_index(1)).unwrap_err();
    assert_eq!(gone, SystemError::Gone { during: Phase::Start, how: Ending::HungUp });
    assert_eq!(server.join().unwrap(), "bwdlimit=1 fwdlimit=0 cargo=0\n");
}
