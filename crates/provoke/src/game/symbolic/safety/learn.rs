//! Clauses of what the system must keep true, learnt from counterexamples that a SAT solver finds.

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};

use super::{Plain, Until};
use crate::format::aiger::Literal;

/// Learns a set of states, as clauses over latches, from which the system can always go on: whatever the tester sends, some
/// answer is no violation and stays in the set.
///
/// Bloem, Könighofer and Seidl's SAT-based learning (SAT-Based Synthesis Methods for Safety Specs, 2014): a state of the
/// set and an input are guessed after which the set can be left; where some answer stays inside after all, the guess and
/// those like it are put aside; where none does, the state and those like it are taken out of the set. Guesses are made
/// against an older set until there are none left.
pub(super) struct Learn<'a> {
    game: &'a Plain<'a>,
    /// Guesses: in the set, and one step leads out of it.
    leaving: BasicSolver,
    /// One step that stays inside.
    staying: BasicSolver,
    /// Clauses over latches.
    clauses: Vec<Vec<Literal>>,
    /// How many of them the next state is held against.
    held: usize,
    /// True in `leaving` where the next state breaks a clause that is not held yet.
    tail: Lit,
    /// True in `leaving` where guesses that were put aside stay so.
    aside: Lit,
    /// True in `staying` where a constraint is broken, which ends the run.
    unfair: Option<Lit>,
    literals: usize,
}

fn lit(literal: Literal) -> Lit {
    Lit::new(Var::unsafe_from_idx(literal.node() as u32), !literal.is_negated())
}

/// A solver that knows the gates.
fn with_gates(game: &Plain<'_>) -> BasicSolver {
    let mut solver = BasicSolver::default();
    let circuit = game.circuit;
    (0..circuit.nodes()).for_each(|_| {
        solver.new_var_default();
    });
    solver.add_clause_reuse(&mut vec![lit(Literal::TRUE)]);
    for (at, &[left, right]) in circuit.gates.iter().enumerate() {
        let gate = Literal::of(circuit.first_gate() + at);
        solver.add_clause_reuse(&mut vec![lit(!gate), lit(left)]);
        solver.add_clause_reuse(&mut vec![lit(!gate), lit(right)]);
        solver.add_clause_reuse(&mut vec![lit(gate), lit(!left), lit(!right)]);
    }
    solver
}

/// Whether something satisfies all of these; none where time is over.
fn satisfies(solver: &mut BasicSolver, all: &[Lit]) -> Option<bool> {
    let answer = solver.solve_limited(all);
    if answer == lbool::UNDEF { None } else { Some(answer == lbool::TRUE) }
}

fn fresh(solver: &mut BasicSolver) -> Lit {
    Lit::new(solver.new_var_default(), true)
}

impl<'a> Learn<'a> {
    pub(super) fn new(game: &'a Plain<'a>) -> Learn<'a> {
        let (mut leaving, mut staying) = (with_gates(game), with_gates(game));
        let (tail, aside) = (fresh(&mut leaving), fresh(&mut leaving));
        let mut out: Vec<Lit> = game.violations.iter().map(|&bad| lit(bad)).collect();
        out.push(tail);
        leaving.add_clause_reuse(&mut out);
        for &fair in game.constraints {
            leaving.add_clause_reuse(&mut vec![lit(fair)]);
        }
        let unfair = (!game.constraints.is_empty()).then(|| fresh(&mut staying));
        if let Some(unfair) = unfair {
            let mut some: Vec<Lit> = game.constraints.iter().map(|&fair| lit(!fair)).collect();
            some.push(!unfair);
            staying.add_clause_reuse(&mut some);
        }
        for &bad in game.violations {
            staying.add_clause_reuse(&mut [lit(!bad)].into_iter().chain(unfair).collect());
        }
        Learn { game, leaving, staying, clauses: Vec::new(), held: 0, tail, aside, unfair, literals: 0 }
    }

    /// Whether the tester can force a violation, if that is found out before this time and with so many literals.
    pub(super) fn go_on(&mut self, until: Until, most_literals: usize) -> Option<bool> {
        self.leaving.cb_mut().set_stop(move || until.is_over());
        self.staying.cb_mut().set_stop(move || until.is_over());
        while !until.is_over() && self.literals < most_literals {
            if !satisfies(&mut self.leaving, &[!self.tail, self.aside])? {
                if self.held == self.clauses.len() {
                    return Some(false);
                }
                self.hold();
                continue;
            }
            let inputs = self.guessed(&self.game.tester);
            let state = self.guessed(&self.game.latches());
            let both: Vec<Lit> = inputs.iter().chain(&state).map(|&value| lit(value)).collect();
            if satisfies(&mut self.staying, &both)? {
                self.put_aside(&state, &inputs)?;
            } else if self.take_out(&state, &inputs)? {
                return Some(true);
            }
        }
        None
    }

    /// What nodes are in the guess.
    fn guessed(&self, nodes: &[usize]) -> Vec<Literal> {
        let value = |&node: &usize| value_in(&self.leaving, node);
        nodes.iter().map(value).collect()
    }

    /// Holds the next state against all clauses, and starts over with guesses.
    fn hold(&mut self) {
        let tail = fresh(&mut self.leaving);
        let mut out = vec![!self.tail];
        for clause in &self.clauses[self.held..] {
            let broken = fresh(&mut self.leaving);
            out.push(broken);
            let next = |value: Literal| lit(self.game.next(value));
            for &value in clause {
                self.leaving.add_clause_reuse(&mut vec![!broken, !next(value)]);
            }
            let kept = clause.iter().map(|&value| next(value)).chain(self.unfair);
            self.staying.add_clause_reuse(&mut kept.collect());
        }
        out.push(tail);
        self.leaving.add_clause_reuse(&mut out);
        self.leaving.add_clause_reuse(&mut vec![!self.aside]);
        (self.tail, self.aside) = (tail, fresh(&mut self.leaving));
        self.held = self.clauses.len();
    }

    /// The answer just found stays inside: guesses after which it does so as well are put aside.
    fn put_aside(&mut self, state: &[Literal], inputs: &[Literal]) -> Option<()> {
        let answer = self.game.system.iter().map(|&node| lit(value_in(&self.staying, node)));
        let given: Vec<Lit> = [!self.tail, self.aside].into_iter().chain(answer).collect();
        let wanted: Vec<Literal> = state.iter().chain(inputs).copied().collect();
        let core = shrink(&mut self.leaving, &given, wanted)?;
        let mut clause: Vec<Lit> = core.iter().map(|&value| lit(!value)).collect();
        clause.push(!self.aside);
        self.literals += clause.len();
        self.leaving.add_clause_reuse(&mut clause);
        Some(())
    }

    /// No answer to these inputs stays inside: states in which that is so are taken out. Whether the first is among them.
    fn take_out(&mut self, state: &[Literal], inputs: &[Literal]) -> Option<bool> {
        let given: Vec<Lit> = inputs.iter().map(|&value| lit(value)).collect();
        let core = shrink(&mut self.staying, &given, state.to_vec())?;
        if core.iter().all(|&value| self.game.initially(value)) {
            return Some(true);
        }
        let clause: Vec<Literal> = core.into_iter().map(|value| !value).collect();
        self.literals += 4 * clause.len();
        self.leaving.add_clause_reuse(&mut clause.iter().map(|&value| lit(value)).collect());
        self.clauses.push(clause);
        Some(false)
    }
}

fn value_in(solver: &BasicSolver, node: usize) -> Literal {
    Literal::of(node).negated_if(solver.value_lit(lit(Literal::of(node))) != lbool::TRUE)
}

/// A small part of what is wanted that contradicts the rest already, in which nothing can be left out; none where time
/// is over.
fn shrink(solver: &mut BasicSolver, given: &[Lit], wanted: Vec<Literal>) -> Option<Vec<Literal>> {
    let mut contradicts = |part: &[Literal]| {
        let all: Vec<Lit> = given.iter().copied().chain(part.iter().map(|&value| lit(value))).collect();
        if satisfies(solver, &all)? {
            return Some(None);
        }
        let is_used = |value: &&Literal| solver.unsat_core_contains_var(lit(**value).var());
        Some(Some(part.iter().filter(is_used).copied().collect::<Vec<Literal>>()))
    };
    let mut core = contradicts(&wanted)??;
    let mut at = 0;
    while at < core.len() {
        let mut without = core.clone();
        without.remove(at);
        match contradicts(&without)? {
            None => at += 1,
            Some(smaller) => {
                at = core[..at].iter().filter(|value| smaller.contains(value)).count();
                core = smaller;
            }
        }
    }
    Some(core)
}
