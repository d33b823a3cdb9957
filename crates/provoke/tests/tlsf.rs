//! TLSF files: those of the repository, and published ones where they are present.

mod common;

use std::path::{Path, PathBuf};

use provoke::diagnostic::Source;
use provoke::format::machine;
use provoke::format::tlsf::{MachineKind, Section, Tlsf, read};
use provoke::ltl;
use provoke::machine::Machine;
use provoke::rng::Rng;

fn own(name: &str) -> Source {
    Source::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tlsf").join(name))
        .expect("a file of the repository")
}

fn shared() -> Option<Vec<PathBuf>> {
    let entries = std::fs::read_dir(common::data("tlsf")?).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "tlsf"));
    files.sort();
    Some(files)
}

fn section(tlsf: &Tlsf, section: Section) -> Vec<String> {
    tlsf.section(section).iter().map(ToString::to_string).collect()
}

#[test]
fn the_arbiter_grows_with_its_parameter() {
    let source = own("arbiter.tlsf");
    let tlsf = read(&source, &[]).unwrap();
    assert_eq!(tlsf.title, "Round-robin arbiter");
    assert_eq!(tlsf.tags, ["arbiter", "parameterised"]);
    assert_eq!(tlsf.parameters, [("n".to_owned(), 3), ("patience".to_owned(), 6)]);
    assert_eq!(
        tlsf.interface.inputs.names().collect::<Vec<_>>(),
        ["request_0", "request_1", "request_2", "lock"]
    );
    assert_eq!(section(&tlsf, Section::Preset), ["!grant_1", "!grant_2"]);
    assert_eq!(section(&tlsf, Section::Assert).len(), 7);
    assert_eq!(
        section(&tlsf, Section::Guarantee),
        [
            "G(request_0 -> F[0:6](grant_0 | lock))",
            "G(request_1 -> F[0:6](grant_1 | lock))",
            "G(request_2 -> F[0:6](grant_2 | lock))",
            "G(grant_2 & X !grant_2 -> X grant_0)",
        ]
    );
    let wide = read(&source, &[("n", 5)]).unwrap();
    assert_eq!(wide.parameters, [("n".to_owned(), 5), ("patience".to_owned(), 10)]);
    assert_eq!(wide.interface.outputs.len(), 5);
    assert_eq!(section(&wide, Section::Assert).len(), 21);
    let error = read(&source, &[("m", 5)]).unwrap_err();
    assert!(error.message().ends_with("has no parameter `m`"), "{error}");
}

#[test]
fn the_lift_has_enumerations() {
    let tlsf = read(&own("lift.tlsf"), &[]).unwrap();
    assert!(tlsf.semantics.strict);
    // Every code of a button is a value; code 11 of a motion is none.
    assert_eq!(section(&tlsf, Section::Require), ["obstacle -> !(!pressed_0 & pressed_1)"]);
    assert_eq!(
        section(&tlsf, Section::Assert),
        [
            "!motor_0 & !motor_1 | !motor_0 & motor_1 | motor_0 & !motor_1",
            "!motor_0 & motor_1 | motor_0 & !motor_1 -> !open",
            "pressed_0 & !motor_0 & !motor_1 -> open",
        ]
    );
    assert_eq!(section(&tlsf, Section::Guarantee), ["!open W pressed_0", "GF(!motor_0 & !motor_1)"]);
}

#[test]
fn the_lamp_answers_before_it_is_asked() {
    let tlsf = read(&own("lamp.tlsf"), &[]).unwrap();
    assert_eq!(tlsf.semantics.machine, MachineKind::Moore);
    let over_exchanges = tlsf.over_exchanges(&tlsf.guarantees()[1]);
    assert_eq!(over_exchanges.to_string(), "G(X pressed -> (X light <-> !light))");
}

#[test]
fn every_shared_specification_is_read() {
    let Some(files) = shared() else { return };
    let mut signals = 0;
    for path in &files {
        let tlsf = read(&Source::read(path).unwrap(), &[]).unwrap_or_else(|error| panic!("{error}"));
        let formula = tlsf.formula();
        let again = ltl::parse(&formula.to_string()).unwrap_or_else(|error| panic!("{error}"));
        assert!(again.formula == formula, "{}", path.display());
        for name in formula.propositions() {
            let known = tlsf.interface.inputs.position(&name).or(tlsf.interface.outputs.position(&name));
            assert!(known.is_some(), "{}: {name}", path.display());
        }
        assert_eq!(tlsf.semantics.machine, MachineKind::Mealy);
        signals += tlsf.interface.inputs.len() + tlsf.interface.outputs.len();
    }
    assert_eq!(files.len(), 91);
    println!("{signals} signals in {} specifications", files.len());
}

/// Reads damaged files: an error or a specification, never a panic.
#[test]
fn damaged_files_are_errors_or_specifications() {
    let mut sources: Vec<String> =
        ["arbiter.tlsf", "lift.tlsf", "lamp.tlsf"].iter().map(|name| own(name).text.to_string()).collect();
    for path in shared().into_iter().flatten().step_by(9) {
        sources.push(std::fs::read_to_string(path).unwrap());
    }
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        ";",
        ":",
        "=",
        "==",
        "&&",
        "||[",
        "&&[0 <= i < n]",
        "~",
        "_",
        "X[",
        "F[1:",
        "..",
        ",",
        "otherwise",
        "n",
        "0",
        "9999999999",
        "U",
        "G",
        "enum",
        "IN",
        "*",
        "\"",
        "//",
        "/*",
        "é",
        "|",
        "SIZEOF",
        "MIN",
        "(+)",
        "!",
        "- 1",
        "/ 0",
        "% 0",
        "f(",
        "r[0]",
        "true",
        "CUP[",
    ];
    let mut rng = Rng::new(11);
    let mut fine = 0;
    for round in 0..3000 {
        let mut text = sources[round % sources.len()].clone();
        for _ in 0..=rng.below(3) {
            let mut place = || {
                let mut at = rng.below(text.len() as u64 + 1) as usize;
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                at
            };
            let (from, to) = (place(), place());
            match rng.below(4) {
                0 => text.insert_str(from, pieces[rng.below(pieces.len() as u64) as usize]),
                1 if from < to && to - from < 40 => drop(text.drain(from..to)),
                2 if from < to && to - from < 400 => text = format!("{}{}", &text[..to], &text[from..]),
                _ => {
                    let piece = pieces[rng.below(pieces.len() as u64) as usize];
                    let word = text[from..].find(|c: char| !c.is_alphanumeric()).unwrap_or(0);
                    text.replace_range(from..from + word, piece);
                }
            }
        }
        match read(&Source::new("damaged.tlsf", text), &[]) {
            Ok(_) => fine += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(fine < 2000, "{fine}");
}

/// The exchanges of an infinite run of a machine, and the step it repeats from: random inputs, at times the
/// same for a while, until a state returns.
fn lasso(table: &Machine, rng: &mut Rng) -> (Vec<(u32, u32)>, usize) {
    let mut state = table.initial().expect("an initial state");
    let mut input = 0;
    let (mut visited, mut steps) = (vec![state], Vec::new());
    let patience = rng.unit();
    let least = rng.index(40);
    loop {
        if !rng.chance(patience) {
            input = rng.index(table.inputs().len()) as u32;
        }
        steps.push((input, table.output(state, input).expect("an answer")));
        state = table.next(state, input).expect("a complete machine");
        let back = visited.iter().position(|&seen| seen == state);
        visited.push(state);
        match back {
            Some(back) if steps.len() > least => return (steps, back),
            _ => {}
        }
    }
}

/// For each shared specification there is a machine that a model checker found to satisfy it: an independent
/// judge of what we read, precedence and all.
#[test]
fn the_shared_machines_satisfy_their_specifications() {
    let Some(files) = shared() else { return };
    let mut rng = Rng::new(4);
    let (mut judged, mut broken) = (0, 0);
    for path in &files {
        let tlsf = read(&Source::read(path).expect("a file"), &[]).expect("a specification");
        let model = path.with_extension("kiss2");
        let name = model.file_name().expect("a name");
        let table = machine::read(&path.with_file_name("../machines").join(name)).expect("a machine");
        let formula = tlsf.formula();
        let value = |output_flipped: bool, &(input, output): &(u32, u32), name: &str| {
            let place = |signals: &[String]| signals.iter().position(|signal| signal == name);
            match place(table.input_signals()) {
                Some(at) => input >> at & 1 == 1,
                None => {
                    let at = place(table.output_signals()).expect("a signal of the machine");
                    (table.outputs().name(output).as_bytes()[at] == b'1') != output_flipped
                }
            }
        };
        let mut wrong = false;
        for _ in 0..60 {
            let (steps, back) = lasso(&table, &mut rng);
            let (prefix, cycle) = steps.split_at(back);
            let holds = |flipped: bool| {
                ltl::holds_for_ever(&formula, prefix, cycle, |step, name| value(flipped, step, name))
            };
            assert!(holds(false), "{}: {formula} fails on {prefix:?} {cycle:?}", path.display());
            wrong |= !holds(true);
            judged += 1;
        }
        broken += usize::from(wrong);
    }
    // The judge can say no: with all outputs inverted most machines fail.
    assert!(broken > files.len() / 2, "{broken}");
    println!("{judged} runs judged; inverted, {broken} machines of {} fail", files.len());
}
