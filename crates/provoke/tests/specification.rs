//! Specifications in formulas mean what the same specifications in automata mean.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use provoke::game::explicit::Product;
use provoke::game::{Next, State, Tier};
use provoke::specification::{Guidance, STATE_LIMIT, Specification};
use provoke::trace::RequirementNumber;

const SIGNALS: &str =
    "[signals]\ninputs = [\"bwdlimit\", \"fwdlimit\", \"cargo\"]\noutputs = [\"movefwd\", \"movebwd\"]\n";

fn carriage(text: &str) -> Specification {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/carriage/test.toml");
    Specification::from_text(&path, &format!("{SIGNALS}{text}")).unwrap()
}

fn solved(specification: &Specification) -> Guidance {
    specification.guidance(specification.objectives.first(), STATE_LIMIT).unwrap()
}

fn numbers(numbers: &[usize]) -> Vec<RequirementNumber> {
    numbers.iter().copied().map(RequirementNumber).collect()
}

fn product(guidance: &Guidance) -> &Product {
    guidance.inside.product().unwrap()
}

/// Walks two games together and compares ranks, distances and inputs; gives the number of pairs met.
fn same_game(left: &Guidance, right: &Guidance) -> usize {
    let (one, other) = (product(left), product(right));
    let mut pairs = vec![(left.game.initial(), right.game.initial())];
    let mut next = 0;
    while next < pairs.len() {
        let (a, b) = pairs[next];
        next += 1;
        assert_eq!(left.guide.rank(a), right.guide.rank(b), "rank of {}", one.state_name(a));
        assert_eq!(left.guide.distance(a), right.guide.distance(b));
        assert!(left.game.inputs(a) == right.game.inputs(b));
        for tier in Tier::ALL {
            assert!(left.guide.inputs(a, tier) == right.guide.inputs(b, tier), "{tier:?}");
        }
        for (guard, to) in one.edges(a) {
            for (other, other_to) in other.edges(b) {
                let (to, other_to) = match (to, other_to) {
                    (Next::To(to), Next::To(other_to)) => (to, Some(other_to)),
                    (Next::To(to), Next::Violates(_)) => (to, None),
                    _ => continue,
                };
                if guard.is_none()
                    || other.is_none()
                    || pairs.iter().any(|pair| Some(pair.1) == other_to && pair.0 == to)
                {
                    continue;
                }
                // Guards of two spaces cannot be compared: ask both about every exchange.
                let bits = one.space().input_bits() + one.space().output_bits();
                let both = |code: u32| {
                    guard.contains(|at| code >> at & 1 == 1) && other.contains(|at| code >> at & 1 == 1)
                };
                if (0..1u32 << bits).any(both) {
                    pairs.push((to, other_to.expect("one game allows what the other forbids")));
                }
            }
        }
    }
    pairs.len()
}

#[test]
fn the_carriage_in_ltl_is_the_carriage_in_automata() {
    let automata = carriage(
        "[[requirement]]\nid = \"R1\"\nautomaton = \"r1.hoa\"\n[[requirement]]\nid = \"R3\"\nautomaton = \"r3.hoa\"\n\
         [[objective]]\nid = \"o\"\nautomaton = \"delivered.hoa\"\n",
    );
    let formulas = carriage(
        "[[requirement]]\nid = \"R1\"\nltl = \"G((bwdlimit & cargo) -> (movefwd W fwdlimit))\"\n\
         [[requirement]]\nid = \"R3\"\npattern = \"Globally, it is never the case that cargo & fwdlimit & movefwd holds\"\n\
         [[objective]]\nid = \"o\"\nltl = \"F(bwdlimit & cargo & !fwdlimit & movefwd & X((!fwdlimit & movefwd) U (fwdlimit & cargo & !movefwd)))\"\n",
    );
    let (left, right) = (solved(&automata), solved(&formulas));
    assert_eq!(product(&left).states(), product(&right).states());
    assert_eq!(same_game(&left, &right), product(&left).states());
}

#[test]
fn inputs_that_break_an_assumption_are_not_offered() {
    let specification = carriage(
        "[[assumption]]\nid = \"A\"\nltl = \"G !(bwdlimit & fwdlimit) & G(cargo -> X !cargo)\"\n\
         [[requirement]]\nid = \"R\"\nltl = \"G(cargo -> movefwd)\"\n[[objective]]\nid = \"o\"\nviolates = \"R\"\n",
    );
    let guidance = solved(&specification);
    let game = &guidance.game;
    // Not both limits, and at first any cargo: 3 * 2 of 8.
    assert_eq!(game.inputs(game.initial()).count().to_u64(), Some(6));
    let after_cargo =
        (0..product(&guidance).states() as u32).map(State).find(|&at| at != game.initial()).unwrap();
    assert_eq!(game.inputs(after_cargo).count().to_u64(), Some(3));
    assert_eq!(guidance.guide.distance(game.initial()), Some(1));
}

#[test]
fn a_liveness_objective_is_seen_several_times() {
    let specification =
        carriage("[[objective]]\nid = \"o\"\nltl = \"G F (movefwd & X movebwd)\"\ntimes = 3\n");
    let guidance = solved(&specification);
    // The second half of a round may be the first half of the next: three rounds in four steps.
    assert_eq!(guidance.guide.distance(guidance.game.initial()), Some(4));
}

#[test]
fn a_tlsf_file_is_a_specification() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arbiter.tlsf");
    let text = "INFO { TITLE: \"arbiter\" DESCRIPTION: \"two clients\" SEMANTICS: Mealy TARGET: Mealy }\n\
                MAIN { INPUTS { r0; r1; } OUTPUTS { g0; g1; }\n\
                ASSUME { G !(r0 && r1); } INVARIANTS { !(g0 && g1); } GUARANTEE { G (r0 -> F g0); G (r1 -> F g1); } }\n";
    std::fs::write(&path, text).unwrap();
    let specification = Specification::load(&path).unwrap();
    let ids: Vec<&str> =
        specification.requirements.iter().map(|requirement| requirement.id.as_str()).collect();
    assert_eq!(ids, ["G1", "G2", "G3"]);
    assert_eq!(specification.assumptions.len(), 1);
    std::fs::write(
        folder.path().join("s.toml"),
        "tlsf = \"arbiter.tlsf\"\n[[objective]]\nid = \"o\"\nviolates = \"G1\"\n",
    )
    .unwrap();
    let specification = Specification::load(&folder.path().join("s.toml")).unwrap();
    assert_eq!(solved(&specification).guide.distance(State(0)), Some(1));
}

#[test]
fn faults_in_formulas_are_shown_in_the_file() {
    let path = Path::new("spec.toml");
    for (line, message, place) in [
        ("ltl = \"G(cargo -> \"", "", Some((6, 8))),
        ("ltl = \"G(carg -> movefwd)\"", "carg", Some((6, 10))),
        ("ltl = \"G cargo & F !cargo\"", "no run satisfies this", Some((6, 7))),
        ("pattern = \"Globally, whatever\"", "", Some((6, 12))),
    ] {
        let text = format!("{SIGNALS}\n[[requirement]]\n{line}\nid = \"R\"\n");
        let error = Specification::from_text(path, &text).err().unwrap();
        assert!(error.message().contains(message), "{line}: {error}");
        let found = error.line_column().unwrap();
        assert_eq!(found.0, place.unwrap().0, "{line}: {error}");
    }
}

fn relations(demands: &[&str]) -> (Vec<Option<&'static str>>, provoke::specification::Relations) {
    let tables = demands.iter().enumerate().map(|(at, ltl)| match ltl.strip_prefix("assume ") {
        Some(ltl) => format!("[[assumption]]\nid = \"A{at}\"\nltl = \"{ltl}\"\n"),
        None => format!("[[requirement]]\nid = \"R{at}\"\nltl = \"{ltl}\"\n"),
    });
    let found = carriage(&tables.collect::<String>()).relations().unwrap();
    (found.classes.iter().map(|class| class.map(|class| class.word())).collect(), found)
}

#[test]
fn requirements_have_classes() {
    let (classes, _) = relations(&[
        "G(cargo -> movefwd)",
        "F movefwd",
        "G F movefwd",
        "G(cargo -> X movefwd) & G F movebwd",
        "X movefwd",
        "G(cargo -> F movefwd)",
        "movefwd W fwdlimit",
        "movefwd U fwdlimit",
    ]);
    let expected = [
        "safety",
        "co-safety",
        "liveness",
        "mixed",
        "safety and co-safety",
        "liveness",
        "safety",
        "co-safety",
    ];
    assert_eq!(classes, expected.map(Some));
}

#[test]
fn contradictions_are_narrowed_down() {
    let (_, found) = relations(&["G(cargo -> movefwd)", "G !movebwd", "G(cargo -> !movefwd)", "F cargo"]);
    assert_eq!(found.conflict, Some(numbers(&[0, 2, 3])));
    let (_, found) = relations(&["assume G !cargo", "G(cargo -> movefwd)", "F cargo"]);
    assert_eq!(found.conflict, Some(numbers(&[1])));
    let (_, found) = relations(&["G F movefwd", "F G !movefwd", "G !movebwd"]);
    assert_eq!(found.conflict, Some(numbers(&[0, 1])));
    let (_, found) = relations(&["G(cargo -> movefwd)", "G(cargo -> F movefwd)"]);
    assert_eq!(found.conflict, None);
}

#[test]
fn what_follows_and_what_is_vacuous() {
    let (_, found) =
        relations(&["G(cargo -> movefwd)", "G(cargo & bwdlimit -> movefwd)", "G(movefwd -> !movebwd)"]);
    assert_eq!(found.implied, [(RequirementNumber(1), numbers(&[0]))]);
    assert!(found.vacuous.is_empty() && !found.undecided);
    let (_, found) = relations(&["assume G !(cargo & fwdlimit)", "G(cargo & fwdlimit -> X movefwd)"]);
    assert_eq!(found.vacuous.len(), 1);
    assert_eq!(found.implied, [(RequirementNumber(0), vec![])]);
}
