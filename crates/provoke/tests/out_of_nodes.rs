//! Whatever is asked of a specification with too few decision-diagram nodes either fails and says so, or has the same
//! answer as with many.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use provoke::automaton::write_hoa;
use provoke::campaign::{Event, Limits, Observer};
use provoke::draw::{game_graph, game_overview, product_overview};
use provoke::game::{State, Tier};
use provoke::letter::Letter;
use provoke::session::{self, Settings, Watcher};
use provoke::spec::SpecError;
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

/// One question and its answer.
type Answers = Vec<(String, Result<String, String>)>;

/// Notes what could not be told of a violation, so that it may be missing.
#[derive(Default)]
struct Warnings(Vec<String>);

impl Observer for Warnings {
    fn on(&mut self, _: &Event<'_>) -> std::io::Result<()> {
        Ok(())
    }
}

impl Watcher for Warnings {
    fn warn(&mut self, warning: &str) {
        self.0.push(warning.to_owned());
    }
}

fn guided(found: Guidance) -> String {
    let mut text = format!("{} states, {} edges\n", found.game.states(), found.game.edge_count());
    let guide = &*found.guide;
    for at in (0..found.game.states() as u32).map(State) {
        let inputs = [Tier::Forcing, Tier::Helpful, Tier::Hopeful]
            .map(|tier| guide.inputs(at, tier).iter().map(Letter::index).collect::<Vec<_>>());
        text += &format!("{:?} {:?} {inputs:?}\n", guide.distance(at), guide.rank(at));
    }
    text + &format!("left out {:?}, gate open {}", found.left_out, found.gate.is_open())
}

/// Tests a system that answers the parity of its inputs and what it was sent before.
fn tested(specification: &Specification) -> Result<String, String> {
    let outputs = specification.interface().outputs.clone();
    let letters = 1 << outputs.bits().min(10);
    let labels = outputs.is_labelled().then(|| outputs.names().len() as u64);
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

/// Everything that can be asked of a specification.
fn ask(loaded: Result<Specification, SpecError>) -> Answers {
    let mut answers = Answers::new();
    let specification = match loaded {
        Ok(specification) => specification,
        Err(error) => return vec![("load".to_owned(), Err(error.message().to_owned()))],
    };
    fn told<T, E: std::fmt::Display>(
        result: Result<T, E>,
        show: impl Fn(T) -> String,
    ) -> Result<String, String> {
        result.map(show).map_err(|error| error.to_string())
    }
    let mut answer = |what: &str, result: Result<String, String>| answers.push((what.to_owned(), result));
    for one in specification.requirements.iter().chain(&specification.assumptions) {
        answer(&format!("hoa {}", one.id), told(write_hoa(&one.demand.automaton), |text| text));
    }
    answer("gate", told(specification.gate(), |gate| gate.is_open().to_string()));
    answer("conflict", told(specification.conflict(), |found| format!("{found:?}")));
    answer("check", told(specification.check(10_000), |found| format!("{found:?}")));
    answer("realisability", told(specification.realisability(10_000), |found| format!("{found:?}")));
    answer("relations", told(specification.relations(), |found| format!("{found:?}")));
    answer("unguided", told(specification.guidance(None, 10_000), guided));
    answer("past", told(specification.guidance_past_violations(10_000), guided));
    answer("permitted", told(specification.permitted(10_000), guided));
    for objective in &specification.objectives {
        let id = &objective.id;
        answer(&format!("guidance {id}"), told(specification.guidance(Some(objective), 10_000), guided));
        let Ok(guidance) = specification.guidance(Some(objective), 10_000) else { continue };
        let solved = guidance.solved.unwrap();
        answer(&format!("picture {id}"), told(game_graph(&solved, id), |graph| graph.to_dot()));
        answer(&format!("overview {id}"), told(game_overview(&solved, id), |graph| graph.to_dot()));
        answer(
            &format!("product {id}"),
            told(product_overview(solved.product(), id), |graph| graph.to_dot()),
        );
    }
    answer("session", tested(&specification));
    answers
}

/// Asks everything with each of these numbers of nodes; says how many of them were too few to load the
/// specification, and for how many that was enough but not for everything.
fn sweep(bounds: impl IntoIterator<Item = usize>, load: impl Fn(&Loading) -> Answers) -> (usize, usize) {
    let expected = load(&Loading::default());
    assert!(expected.iter().all(|(_, answer)| answer.is_ok()), "{expected:?}");
    let (mut unloaded, mut partial) = (0, 0);
    for nodes in bounds {
        for (what, answer) in load(&Loading::with_nodes(nodes)) {
            match answer {
                Ok(answer) => {
                    let known = expected.iter().find(|(known, _)| *known == what).unwrap();
                    assert_eq!(Ok(&answer), known.1.as_ref(), "{what} with {nodes} nodes");
                }
                Err(error) => {
                    let says = format!("more than {nodes} decision-diagram nodes");
                    assert!(error.contains(&says), "{what} with {nodes} nodes: {error}");
                    unloaded += usize::from(what == "load");
                    partial += usize::from(what == "session");
                }
            }
        }
    }
    (unloaded, partial)
}

fn from_text(text: &'static str) -> impl Fn(&Loading) -> Answers {
    move |loading| ask(Specification::from_text_with("spec.toml".as_ref(), text, loading))
}

fn from_file(path: &str) -> impl Fn(&Loading) -> Answers {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    move |loading| ask(Specification::load_with(&path, loading))
}

#[test]
fn signals() {
    let (unloaded, partial) = sweep(1..160, from_text(SIGNALS));
    assert!(unloaded > 10 && partial > 10, "{unloaded} {partial}");
}

#[test]
fn labels() {
    let (unloaded, partial) = sweep(1..80, from_text(LABELS));
    assert!(unloaded > 10 && partial > 10, "{unloaded} {partial}");
}

#[test]
fn automata_and_tlsf() {
    for path in [
        "../../examples/carriage/carriage.toml",
        "../../examples/carriage/figure3.toml",
        "../../examples/carriage/r1.hoa",
        "tests/data/tlsf/arbiter.tlsf",
    ] {
        let (unloaded, partial) = sweep(1..80, from_file(path));
        assert!(unloaded > 5 && unloaded + partial < 80, "{path}: {unloaded} {partial}");
    }
}
