use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::automaton::four_valued;
use crate::bdd::Space;
use crate::letter::Interface;
use crate::ltl::parse;
use crate::rng::Rng;
use crate::trace::RequirementNumber;

fn monitor(text: &str, space: &Arc<Space>) -> Monitor {
    let monitor = four_valued(&parse(text).unwrap().formula, space).unwrap();
    Monitor::new(&monitor.automaton, monitor.verdicts).unwrap()
}

/// A random requirement over signals that are far apart.
fn requirement(rng: &mut Rng, names: &[String]) -> String {
    let [a, b, c, d] = [(); 4].map(|()| &names[rng.index(names.len())]);
    let most = rng.below(4);
    match rng.below(9) {
        0 => format!("G({a} -> F[0:{most}] {b})"),
        1 => format!("G({a} -> F {b})"),
        2 => format!("(!{a} W {b}) & G({c} -> X !{d})"),
        3 => format!("G F {a} & ({b} U {c})"),
        4 => format!("F({a} & X X {b})"),
        5 => format!("G({a} | {b} | {c} | {d})"),
        6 => "1".to_owned(),
        // Too many signals for the table.
        7 => format!("G({} -> X {a})", names[..12].join(" | ")),
        _ => format!("G({a} & X {b} -> X X({c} W {d}))"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn together_they_say_what_they_say_one_by_one(seed in any::<u64>(), count in 0usize..40) {
        let mut rng = Rng::new(seed);
        let list = |letter: char| (0..70).map(|at| format!("{letter}{at}")).collect::<Vec<_>>();
        let space = Arc::new(Space::new(Interface::signals(list('i'), list('o')).unwrap()));
        let mut names = [list('i'), list('o')].concat();
        rng.shuffle(&mut names);
        names.truncate(20);
        let mut alone: Vec<Monitor> =
            (0..count).map(|_| monitor(&requirement(&mut rng, &names), &space)).collect();
        let mut together = Monitors::new(&alone);
        prop_assert_eq!(together.len(), count);
        for _ in 0..4 {
            together.reset();
            alone.iter_mut().for_each(Monitor::reset);
            let mut open = vec![0; count];
            // Seldom violated at once, seldom never.
            let mostly = rng.below(4);
            for _ in 0..40 {
                let mut letter = || (0..70).fold(Letter::default(), |letter, at| letter.with(at, rng.below(4) >= mostly));
                let step = Step { input: letter(), output: letter() };
                let violated = together.violates(&step);
                for (at, monitor) in alone.iter_mut().enumerate() {
                    let verdict = monitor.step(step.input, step.output);
                    open[at] = if verdict == Verdict::SoFarBad { open[at] + 1 } else { 0 };
                    prop_assert_eq!(together.verdict(RequirementNumber(at)), verdict);
                    prop_assert_eq!(together.open_for(RequirementNumber(at)), open[at]);
                }
                let objecting: Vec<usize> =
                    (0..count).filter(|&at| alone[at].verdict() == Verdict::Violated).collect();
                prop_assert_eq!(violated, !objecting.is_empty());
                prop_assert_eq!(together.all(Verdict::Violated).map(|number| number.0).collect::<Vec<_>>(), objecting);
            }
        }
    }
}

#[test]
fn an_obligation_ages_until_it_is_met() {
    let space = Arc::new(Space::new(Interface::signals(["a"], ["b"]).unwrap()));
    let two = [monitor("G(a -> F b)", &space), monitor("F[0:3] b", &space)];
    // By themselves, and in the bank.
    for mut monitors in [Monitors::new(&two), Monitors::new(&[&two[..], &two[..]].concat())] {
        obligations_age(&mut monitors);
    }
}

fn obligations_age(monitors: &mut Monitors) {
    let step = |a: u64, b: u64| Step { input: Letter::from_index(a), output: Letter::from_index(b) };
    let mut ages = |a, b| {
        monitors.violates(&step(a, b));
        [0, 1].map(RequirementNumber).map(|at| (monitors.verdict(at), monitors.open_for(at)))
    };
    use Verdict::{Satisfied, SoFarBad, SoFarGood, Violated};
    assert_eq!(ages(0, 0), [(SoFarGood, 0), (SoFarBad, 1)]);
    assert_eq!(ages(1, 0), [(SoFarBad, 1), (SoFarBad, 2)]);
    assert_eq!(ages(1, 0), [(SoFarBad, 2), (SoFarBad, 3)]);
    assert_eq!(ages(0, 0), [(SoFarBad, 3), (Violated, 0)]);
    assert_eq!(ages(0, 1), [(SoFarGood, 0), (Violated, 0)]);
    monitors.reset();
    assert_eq!([0, 1].map(RequirementNumber).map(|at| monitors.open_for(at)), [0, 0]);
    monitors.violates(&step(1, 1));
    assert_eq!([0, 1].map(RequirementNumber).map(|at| monitors.verdict(at)), [SoFarGood, Satisfied]);
}

#[test]
fn no_monitor_objects_to_nothing() {
    let mut none = Monitors::default();
    assert!(none.is_empty());
    assert!(!none.violates(&Step { input: Letter::default(), output: Letter::default() }));
}
