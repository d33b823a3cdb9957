//! What leaves one state of a product.

use super::tuples::LOST;
use super::{Component, Role};
use crate::automaton::Automaton;
use crate::bdd::Bdd;
use crate::bdd::Space;

/// More edges than this out of one state mean that the components have little to do with each other, and that
/// their product is hopeless long before its states are counted.
const EDGES_A_STATE: usize = 4096;

/// What leaves one state of the product; `T` is a tuple while exploring and a number afterwards.
pub(super) struct Row<T = u32> {
    pub(super) edges: Vec<(Bdd, T)>,
    pub(super) violations: Vec<(Bdd, u32)>,
    /// Inputs that the assumptions let the tester send.
    pub(super) legal: Bdd,
    /// Whether one of them leaves no answer that every requirement allows.
    pub(super) corner: bool,
}

/// For each component and each of its states, the exchanges it has edges for; nothing for purposes.
pub(super) fn allowed_by(components: &[Component]) -> Vec<Vec<Bdd>> {
    let allowed =
        |automaton: &Automaton| (0..automaton.states.len() as u32).map(|at| automaton.allowed(at)).collect();
    let purpose = |component: &Component| component.role == Role::Purpose;
    let by = |component| if purpose(component) { Vec::new() } else { allowed(&component.automaton) };
    components.iter().map(by).collect()
}

/// What leaves a tuple; nothing where it is more than [`EDGES_A_STATE`].
pub(super) fn explore(
    space: &Space,
    components: &[Component],
    allowed: &[Vec<Bdd>],
    tuple: &[u32],
) -> Option<Row<Vec<u32>>> {
    let by_role = |role: Role| {
        let all = components.iter().zip(allowed).zip(tuple).enumerate();
        all.filter(move |(_, ((component, _), _))| component.role == role)
            .map(|(place, ((_, allowed), &at))| (place, &allowed[at as usize]))
    };
    let fair = by_role(Role::Assumption).fold(space.exchanges(), |fair, (_, allowed)| &fair & allowed);
    let all = by_role(Role::Requirement).fold(fair.clone(), |all, (_, allowed)| &all & allowed);
    let legal = space.some_output(&fair);
    let corner = legal != space.some_output(&all);
    let mut open = fair;
    let mut violations = Vec::new();
    for (place, allowed) in by_role(Role::Requirement) {
        let broken = &open - allowed;
        if !broken.is_none() {
            violations.push((broken, place as u32));
            open = &open & allowed;
        }
    }
    let mut partial = vec![(all, Vec::with_capacity(tuple.len()))];
    for (component, &at) in components.iter().zip(tuple) {
        let mut extended = Vec::new();
        for (guard, prefix) in partial {
            extend(component, at, &guard, &prefix, &mut extended);
        }
        if extended.len() > EDGES_A_STATE {
            return None;
        }
        partial = extended;
    }
    Some(Row { edges: partial, violations, legal, corner })
}

fn extend(component: &Component, at: u32, guard: &Bdd, prefix: &[u32], into: &mut Vec<(Bdd, Vec<u32>)>) {
    let mut push = |guard: Bdd, to: u32| {
        if !guard.is_none() {
            into.push((guard, prefix.iter().copied().chain([to]).collect()));
        }
    };
    let mut rest = guard.clone();
    if at != LOST {
        for edge in &component.automaton.states[at as usize].edges {
            push(guard & &edge.guard, edge.to);
            if component.role == Role::Purpose {
                rest = &rest - &edge.guard;
            }
        }
    }
    if component.role == Role::Purpose {
        push(rest, LOST);
    }
}
