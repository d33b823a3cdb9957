//! Whatever is asked of a specification with too few decision-diagram nodes either fails and says so, or has the same
//! answer as with many.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use provoke::automaton::write_hoa;
use provoke::bdd::NODES;
use provoke::campaign::{Event, Limits, Observer};
use provoke::diagnostic::SpecError;
use provoke::draw::{Graph, game_graph, game_overview, product_overview};
use provoke::game::{State, Tier};
use provoke::letter::Letter;
use provoke::session::{self, Settings};
use provoke::specification::{Guidance, Loading, Specification};
use provoke::strategy;
use provoke::system::Closure;

/// Assumptions, safety and liveness, a requirement that only the environment can keep, two that clash, and every kind
/// of objective.
const SIGNALS: &str = r#"
    [signals]
    inputs  = ["a", "b", "c"]
    outputs = ["x", "y"]

    [[assumption]]
    id  = "A1"
    ltl = "G !(a & b)"

    [[requirement]]
    id  = "R1"
    ltl = "G(a -> X x)"

    [[requirement]]
    id  = "R2"
    ltl = "G((a xor b xor c) -> F y)"

    [[requirement]]
    id  = "R3"
    ltl = "G(c & b -> X !b)"

    [[requirement]]
    id  = "R4"
    pattern = "Globally, it is never the case that y & !x & c holds."

    [[requirement]]
    id  = "R5"
    ltl = "G(b & X c -> X !x)"

    [[objective]]
    id  = "both"
    ltl = "F(x & y & X(x xor y))"

    [[objective]]
    id    = "often"
    ltl   = "G F (y & !x)"
    times = 2

    [[objective]]
    id       = "broken"
    violates = "R4"
"#;

const LABELS: &str = r#"
    [labels]
    inputs  = ["coin", "tea", "milk", "wait", "kick"]
    outputs = ["nothing", "cup", "change"]

    [[requirement]]
    id  = "paid"
    ltl = "!cup W coin"

    [[requirement]]
    id  = "served"
    ltl = "G(coin & X tea -> X cup)"

    [[objective]]
    id  = "two"
    ltl = "F(cup & X F cup)"
"#;

/// No game here is larger.
const LIMIT: usize = 10_000;

/// Notes what could not be told of a violation, so that it may be missing.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Observer for Warnings {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        if let Event::Warning(warning) = event {
            self.0.push((*warning).to_owned());
        }
        Ok(())
    }
}

fn guided(found: &Guidance) -> String {
    let product = found.inside.product().unwrap();
    let mut text = format!("{} states, {} edges\n", product.states(), product.edge_count());
    let guide = &*found.guide;
    for at in (0..product.states() as u32).map(State) {
        let inputs = [Tier::Forcing, Tier::Helpful, Tier::Hopeful]
            .map(|tier| guide.inputs(at, tier).iter().map(Letter::index).collect::<Vec<_>>());
        text += &format!("{:?} {:?} {inputs:?}\n", guide.distance(at), guide.rank(at));
    }
    text + &format!("left out {:?}, gate open {}", found.left_out, found.gate.is_open())
}

/// Tests a system that answers the parity of its inputs and what it was sent before.
fn tested(specification: &Specification) -> Answer {
    let outputs = specification.interface().outputs.clone();
    let letters = 1 << outputs.bits().min(10);
    let labels = outputs.as_labels().map(|_| outputs.len() as u64);
    let mut system = Closure::new(
        || 0u64,
        move |before: &mut u64, input: Letter| {
            *before = (*before * 3 + input.index() + 1) % 97;
            Letter::from_index(*before % labels.unwrap_or(letters))
        },
    );
    let mut settings = Settings::new(strategy::find("frontier").unwrap(), 1);
    settings.limits = Limits { runs: 3, steps: 6, ..Limits::default() };
    settings.keep_going = true;
    let objectives: Vec<_> = specification.objectives.iter().collect();
    let mut warnings = Warnings::default();
    let report = session::test(specification, &objectives, None, &mut system, &settings, &mut warnings);
    let mut report = report.map_err(|error| error.to_string())?;
    report.seconds = 0.0;
    if let Some(warning) = warnings.0.iter().find(|warning| warning.contains("decision-diagram nodes")) {
        return Err(warning.clone());
    }
    Ok(report.to_json(specification.interface()).to_string())
}

/// A question about a specification.
type Question<'a> = (String, Box<dyn Fn(&Specification) -> Answer + 'a>);

/// What is answered, or the message of the error.
type Answer = Result<String, String>;

fn told<T, E: std::fmt::Display>(result: Result<T, E>, show: impl Fn(&T) -> String) -> Answer {
    result.map(|found| show(&found)).map_err(|error| error.to_string())
}

fn question<'a>(what: impl Into<String>, ask: impl Fn(&Specification) -> Answer + 'a) -> Question<'a> {
    (what.into(), Box::new(ask))
}

fn debug(found: &impl std::fmt::Debug) -> String {
    format!("{found:?}")
}

/// Everything that can be asked of a specification.
fn questions(specification: &Specification) -> Vec<Question<'_>> {
    let mut all = vec![
        question("gate", |one| told(one.gate(), |gate| gate.is_open().to_string())),
        question("conflict", |one| told(one.conflict(), debug)),
        question("check", |one| told(one.check(LIMIT), debug)),
        question("realisability", |one| told(one.realisability(LIMIT), debug)),
        question("relations", |one| told(one.relations(), debug)),
        question("unguided", |one| told(one.guidance(None, LIMIT), guided)),
        question("past violations", |one| told(one.guidance_past_violations(LIMIT), guided)),
        question("permitted", |one| told(one.permitted(LIMIT), guided)),
        question("all objectives", |one| {
            let objectives: Vec<_> = one.objectives.iter().collect();
            let guided = |all: &Vec<_>| all.iter().map(guided).collect::<Vec<_>>().join("\n");
            told(one.guidance_to_all(&objectives, LIMIT), guided)
        }),
        question("session", tested),
    ];
    all.extend(specification.numbers().map(|number| {
        question(format!("requirement {number:?}"), move |one| {
            let written = write_hoa(one.requirement(number).demand.automaton().unwrap());
            Ok(told(written, String::clone)? + &told(one.withheld_by(number), debug)?)
        })
    }));
    all.extend((0..specification.objectives.len()).map(|at| {
        question(format!("objective {at}"), move |one| {
            let guidance = one.guidance(Some(&one.objectives[at]), LIMIT);
            let guidance = guidance.map_err(|error| error.to_string())?;
            let solved = guidance.inside.solved().unwrap();
            let pictures = [
                told(game_graph(solved, "game"), Graph::to_dot)?,
                told(game_overview(solved, "game"), Graph::to_dot)?,
                told(product_overview(solved.product(), "game"), Graph::to_dot)?,
            ];
            Ok(guided(&guidance) + &pictures.concat())
        })
    }));
    all
}

/// Asks everything with more and more nodes until they suffice. With fewer, each question is asked of a specification
/// of which nothing was asked before, so that each runs out by itself. Says how many numbers of nodes were enough for
/// some questions but not for all.
fn sweep(load: impl Fn(&Loading) -> Result<Specification, SpecError>) -> usize {
    let enough = load(&Loading::default()).unwrap();
    let questions = questions(&enough);
    let expected: Vec<String> = questions.iter().map(|(_, ask)| ask(&enough).unwrap()).collect();
    let (mut unloaded, mut partial, mut answered) = (0, 0, 0);
    let mut nodes = 1;
    while answered < questions.len() {
        assert!(nodes < 10_000, "no number of nodes suffices");
        answered = 0;
        let says = format!("more than {nodes} decision-diagram nodes");
        for ((what, ask), expected) in questions.iter().zip(&expected) {
            let specification = match load(&Loading::with_nodes(nodes)) {
                Ok(specification) => specification,
                Err(error) => {
                    assert!(error.message().contains(&says), "loading with {nodes} nodes: {error}");
                    unloaded += 1;
                    break;
                }
            };
            match ask(&specification) {
                Ok(answer) => {
                    assert_eq!(answer, *expected, "{what} with {nodes} nodes");
                    answered += 1;
                }
                Err(error) => assert!(error.contains(&says), "{what} with {nodes} nodes: {error}"),
            }
        }
        partial += usize::from(answered > 0 && answered < questions.len());
        nodes += 1 + nodes / 8;
    }
    assert!(unloaded > 3, "{unloaded} too few to load");
    partial
}

fn from_text(text: &str) -> usize {
    sweep(|loading| Specification::from_text_with("spec.toml".as_ref(), text, loading))
}

fn from_file(path: &str) -> usize {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    sweep(|loading| Specification::load_with(&path, loading))
}

#[test]
fn signals() {
    assert!(from_text(SIGNALS) > 3);
}

#[test]
fn labels() {
    assert!(from_text(LABELS) > 1);
}

#[test]
fn automata() {
    assert!(from_file("../../examples/carriage/carriage.toml") > 0);
    from_file("../../examples/carriage/figure3.toml");
    // Nothing asked of one small automaton needs more than reading it.
    from_file("../../examples/carriage/r1.hoa");
}

#[test]
fn tlsf() {
    assert!(from_file("tests/data/tlsf/lift.tlsf") > 0);
    from_file("tests/data/tlsf/lamp.tlsf");
}

#[test]
fn the_guide_shows_what_is_printed() {
    let guide = include_str!("../../../docs/guide/specification.md");
    let text = r#"[signals]
inputs  = ["a", "b", "c"]
outputs = ["x", "y", "z"]

[[requirement]]
id  = "same"
ltl = "G((a <-> x) & (b <-> y) & (c <-> z))"
"#;
    // The guide has the usual bound, which takes minutes to reach.
    let loading = Loading::with_nodes(6);
    let error = Specification::from_text_with("spec.toml".as_ref(), text, &loading).err().unwrap();
    let shown = error.to_string().replace("than 6 ", &format!("than {NODES} "));
    assert!(guide.contains(&format!("```\n{shown}\n```\n")), "{shown}");
    assert!(guide.contains("may take 16,777,216 nodes") && NODES == 16_777_216);
}
