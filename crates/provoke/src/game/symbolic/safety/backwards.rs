//! Backwards from the violation, with decision diagrams.

use super::Plain;
use super::forest::{Edge, Forest};
use super::growing::Growing;
use crate::format::aiger::Literal;
use crate::game::symbolic::diagrams::{Board, values};
use crate::game::symbolic::work::Spent;

/// The most parts of a violation that are looked at one by one.
const MOST_PARTS: usize = 96;

/// By putting next-state functions in place of latches, as far as the initial state needs. The violation is taken apart
/// where it is a disjunction: what the tester can force of each part is a smaller game, and what it can force of all
/// together starts from there.
pub(super) struct Backwards<'a> {
    game: &'a Plain<'a>,
    /// The nodes of the variables, in order.
    pub(super) order: Vec<usize>,
    /// Whether the violation is taken apart.
    parts: bool,
}

/// Places in the list of a computation, and variables.
struct Places {
    next: Vec<(usize, usize)>,
    /// Exchanges in which every constraint holds.
    fair: usize,
    outputs: Vec<usize>,
    inputs: Vec<usize>,
}

impl<'a> Backwards<'a> {
    pub(super) fn new(game: &'a Plain<'a>, order: Vec<usize>, parts: bool) -> Backwards<'a> {
        Backwards { game, order, parts }
    }

    /// How many nodes the functions took, and the answer, whoever found it.
    pub(super) fn solve(&self, work: &mut Growing<'_>) -> (usize, Option<bool>) {
        let Ok((places, parts)) = self.build(work) else { return (usize::MAX, work.answered) };
        let built = work.tidied();
        let can = self.play(work, &places, &parts);
        (built, can.ok().or(work.answered))
    }

    fn build(&self, work: &mut Growing<'_>) -> Result<(Places, Vec<usize>), Spent> {
        let (circuit, first_latch) = (self.game.circuit, self.game.first_latch());
        let mut variables = vec![None; circuit.first_gate()];
        self.order.iter().enumerate().for_each(|(variable, &node)| variables[node] = Some(variable));
        let latches: Vec<usize> = self.order.iter().copied().filter(|&node| node >= first_latch).collect();
        let parts = if self.parts { self.disjuncts() } else { self.game.violations.to_vec() };
        let mut wanted = parts.clone();
        wanted.extend(self.game.constraints);
        wanted.extend(latches.iter().map(|&node| circuit.latches[node - first_latch].next));
        let made = values(work, circuit, &wanted, &|node| variables[node])?;
        let (parts, rest) = made.split_at(parts.len());
        let (constraints, next) = rest.split_at(self.game.constraints.len());
        let fair = work.keep(Edge::TRUE);
        for &constraint in constraints {
            work.set(fair, |forest, roots| forest.and(roots[fair], roots[constraint]))?;
        }
        let next =
            latches.iter().zip(next).map(|(&node, &place)| (variables[node].unwrap_or(0), place)).collect();
        let chosen = |nodes: &[usize]| nodes.iter().filter_map(|&node| variables[node]).collect();
        let (outputs, inputs) = (chosen(&self.game.system), chosen(&self.game.tester));
        Ok((Places { next, fair, outputs, inputs }, parts.to_vec()))
    }

    /// What the violation is a disjunction of.
    fn disjuncts(&self) -> Vec<Literal> {
        let first_gate = self.game.circuit.first_gate();
        let mut open = self.game.violations.to_vec();
        let mut found: Vec<Literal> = Vec::new();
        while let Some(value) = open.pop() {
            if value.is_negated() && value.node() >= first_gate && found.len() + open.len() < MOST_PARTS {
                open.extend(self.game.circuit.gates[value.node() - first_gate].map(|side| !side));
            } else if !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }

    fn play(&self, work: &mut Growing<'_>, places: &Places, parts: &[usize]) -> Result<bool, Spent> {
        let lost = work.keep(Edge::FALSE);
        let error = work.keep(Edge::FALSE);
        if parts.len() > 1 && self.parts {
            for &part in parts {
                let here = work.keep(Edge::FALSE);
                if self.force(work, places, (part, here))? {
                    return Ok(true);
                }
                work.set(lost, |forest, roots| forest.or(roots[lost], roots[here]))?;
                work.forget(here);
            }
        }
        for &part in parts {
            work.set(error, |forest, roots| forest.or(roots[error], roots[part]))?;
            work.forget(part);
        }
        self.force(work, places, (error, lost))
    }

    /// Adds the states from which the tester forces an error to those that are lost already; whether the initial one is
    /// among them.
    fn force(
        &self,
        work: &mut Growing<'_>,
        places: &Places,
        (error, lost): (usize, usize),
    ) -> Result<bool, Spent> {
        let Places { next, fair, outputs, inputs } = places;
        let cube = |forest: &mut Forest, variables: &[usize]| forest.cube(variables.iter().copied());
        let after = work.keep(Edge::FALSE);
        loop {
            work.set(after, |forest, roots| {
                let mut functions = vec![None; self.order.len()];
                next.iter().for_each(|&(variable, place)| functions[variable] = Some(roots[place]));
                forest.substitute(roots[lost], &functions)
            })?;
            if work.roots[*fair] != Edge::TRUE {
                work.set(after, |forest, roots| {
                    let wins = forest.or(roots[after], roots[error])?;
                    forest.and(wins, roots[*fair])
                })?;
            }
            // An answer with which nothing is won escapes.
            work.set(after, |forest, roots| {
                let cube = cube(forest, outputs)?;
                let more = if roots[*fair] == Edge::TRUE { roots[error] } else { Edge::FALSE };
                Ok(!forest.and_exists(!roots[after], !more, cube)?)
            })?;
            let more = work.attempt(|forest, roots| {
                let cube = cube(forest, inputs)?;
                let more = forest.exists(roots[after], cube)?;
                forest.or(roots[lost], more)
            })?;
            if work.forest.contains(more, |variable| self.initially(variable)) {
                return Ok(true);
            }
            if more == work.roots[lost] {
                work.forget(after);
                return Ok(false);
            }
            work.roots[lost] = more;
            work.forget(after);
        }
    }

    /// What a variable is at the start.
    fn initially(&self, variable: usize) -> bool {
        let node = self.order[variable];
        node >= self.game.first_latch() && self.game.initially(Literal::of(node))
    }
}
