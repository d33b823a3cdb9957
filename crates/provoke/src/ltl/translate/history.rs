//! What operators that look back remember of a run.
//!
//! A formula is translated as if whatever in it looks back were a proposition: a variable of its own beside those of
//! the letters. Then the automaton is followed together with the memory of the operators, which says at every step
//! what these variables are. So only the part that looks ahead is ever guessed, and whatever makes automata smaller
//! sees letters alone.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::TranslationError;
use super::draft::{Arrow, Draft, Store};
use crate::bdd::Space;
use crate::ltl::forest::{Forest, Tree};
use crate::ltl::{Formula, Op};

/// One part of what looks back; operands stand before what they stand in.
enum Part {
    /// What holds now, of the letter alone.
    Now(Tree),
    /// What holds now, of the letter and of the one before: registers are variables of it.
    Related(Tree),
    /// A bit of the letter one step ago, at the first step that of the letter itself; the bit, of now.
    Register(Tree),
    Not(usize),
    All(Vec<usize>),
    Any(Vec<usize>),
    Alike(usize, usize),
    /// What held one step ago, and what is said of the first step.
    Before(usize, bool),
    /// `a S b`
    Since(usize, usize),
    /// `O[0:n] a`
    Recently(u32, usize),
}

/// The memory of all operators of a formula that look back, and the states it was found to have.
pub(super) struct History {
    parts: Vec<Part>,
    /// The parts that are variables, with those: from `first` on the bits of the letter before, each where it is needed,
    /// and behind them whatever else looks back.
    asked: Vec<(u32, usize)>,
    first: u32,
    /// Where the variables behind the bits begin.
    behind: u32,
    /// One number for each part that remembers something.
    states: Vec<Vec<u32>>,
    known_states: FxHashMap<Vec<u32>, u32>,
    /// What a step may bring: the state after it, and the values of the variables.
    moments: Vec<(u32, Vec<bool>)>,
    known_moments: FxHashMap<(u32, Vec<bool>), u32>,
}

impl History {
    /// The memory of these formulas, each a proposition or one that looks back, and the letters that each holds for: of
    /// one that looks back, those and the variable that stands for it.
    pub(super) fn new(
        atoms: &[Formula],
        space: &Space,
        forest: &mut Forest,
    ) -> Result<(History, Vec<Tree>), TranslationError> {
        let mut history = History {
            parts: Vec::new(),
            asked: Vec::new(),
            first: space.bits() as u32,
            behind: 2 * space.bits() as u32,
            states: Vec::new(),
            known_states: FxHashMap::default(),
            moments: Vec::new(),
            known_moments: FxHashMap::default(),
        };
        let mut literals = Vec::new();
        let mut places = FxHashMap::default();
        for atom in atoms {
            literals.push(match atom.op() {
                Op::Proposition(name) => history.proposition(name, space, forest)?.0,
                _ => {
                    let part = history.part(atom, space, forest, &mut places)?;
                    let variable = history.behind;
                    history.behind += 1;
                    history.asked.push((variable, part));
                    bit(variable, forest)
                }
            });
        }
        let start = history.parts.iter().filter_map(Part::at_first).collect();
        history.state(start);
        Ok((history, literals))
    }

    /// Whether there is nothing to remember.
    pub(super) fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }

    /// The letters that a proposition holds for, and whether it depends on the letter before: then on its bits as well,
    /// which are remembered from now on.
    fn proposition(
        &mut self,
        name: &Arc<str>,
        space: &Space,
        forest: &mut Forest,
    ) -> Result<(Tree, bool), TranslationError> {
        let Some(relation) = space.relation(name) else {
            let set = space.proposition(name).ok_or_else(|| TranslationError::Unknown(name.clone()))?;
            return Ok((forest.import(&set), false));
        };
        let relation = relation?;
        for variable in relation.support().into_iter().map(|variable| variable as u32) {
            let is_known = self.asked.iter().any(|&(known, _)| known == variable);
            if let (Some(now), false) = (variable.checked_sub(self.first), is_known) {
                let now = bit(now, forest);
                let register = self.push(Part::Register(now));
                self.asked.push((variable, register));
            }
        }
        Ok((forest.import(&relation), true))
    }

    fn push(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// The part of a formula, with those of its operands.
    fn part(
        &mut self,
        formula: &Formula,
        space: &Space,
        forest: &mut Forest,
        known: &mut FxHashMap<Formula, usize>,
    ) -> Result<usize, TranslationError> {
        formula.fold(|formula, args: &[Result<usize, TranslationError>]| {
            if let Some(&part) = known.get(formula) {
                return Ok(part);
            }
            let args = args.iter().cloned().collect::<Result<Vec<usize>, _>>()?;
            let part = self.part_of(formula.op(), args, space, forest)?;
            known.insert(formula.clone(), part);
            Ok(part)
        })
    }

    fn part_of(
        &mut self,
        op: &Op,
        args: Vec<usize>,
        space: &Space,
        forest: &mut Forest,
    ) -> Result<usize, TranslationError> {
        Ok(match *op {
            Op::True => self.push(Part::Now(Tree::leaf(1))),
            Op::False => self.push(Part::Now(Tree::leaf(0))),
            Op::Proposition(ref name) => {
                let (now, related) = self.proposition(name, space, forest)?;
                self.push(if related { Part::Related(now) } else { Part::Now(now) })
            }
            Op::Not => self.push(Part::Not(args[0])),
            Op::And => self.push(Part::All(args)),
            Op::Or => self.push(Part::Any(args)),
            Op::Implies => {
                let not = self.push(Part::Not(args[0]));
                self.push(Part::Any(vec![not, args[1]]))
            }
            Op::Iff => self.push(Part::Alike(args[0], args[1])),
            Op::Xor => {
                let alike = self.push(Part::Alike(args[0], args[1]));
                self.push(Part::Not(alike))
            }
            Op::Yesterday => self.push(Part::Before(args[0], false)),
            Op::WeakYesterday => self.push(Part::Before(args[0], true)),
            Op::Once => self.once(args[0], 0, None),
            Op::OnceIn(first, last) => self.once(args[0], first, last),
            // H a is !O !a, and a T b is !(!a S !b).
            Op::Historically | Op::HistoricallyIn(..) => {
                let not = self.push(Part::Not(args[0]));
                let (first, last) = match *op {
                    Op::HistoricallyIn(first, last) => (first, last),
                    _ => (0, None),
                };
                let once = self.once(not, first, last);
                self.push(Part::Not(once))
            }
            Op::Since => self.push(Part::Since(args[0], args[1])),
            Op::Triggered => {
                let (one, other) = (self.push(Part::Not(args[0])), self.push(Part::Not(args[1])));
                let since = self.push(Part::Since(one, other));
                self.push(Part::Not(since))
            }
            Op::Next | Op::WeakNext | Op::Finally | Op::Globally | Op::FinallyIn(..) | Op::GloballyIn(..) => {
                return Err(TranslationError::PastOfFuture);
            }
            Op::Until | Op::WeakUntil | Op::Release | Op::StrongRelease => {
                return Err(TranslationError::PastOfFuture);
            }
        })
    }

    /// `O[first:last] a`: so many steps ago `O[0:last - first] a`.
    fn once(&mut self, arg: usize, first: u32, last: Option<u32>) -> usize {
        let recent = match last {
            Some(last) if last == first => arg,
            Some(last) => self.push(Part::Recently(last - first, arg)),
            None => {
                let all = self.push(Part::Now(Tree::leaf(1)));
                self.push(Part::Since(all, arg))
            }
        };
        (0..first).fold(recent, |part, _| self.push(Part::Before(part, false)))
    }

    fn state(&mut self, memory: Vec<u32>) -> u32 {
        let fresh = self.states.len() as u32;
        let number = *self.known_states.entry(memory.clone()).or_insert(fresh);
        if number == fresh {
            self.states.push(memory);
        }
        number
    }

    fn moment(&mut self, after: u32, values: Vec<bool>) -> u32 {
        let fresh = self.moments.len() as u32;
        let number = *self.known_moments.entry((after, values.clone())).or_insert(fresh);
        if number == fresh {
            self.moments.push((after, values));
        }
        number
    }

    /// What each letter brings in a state: the number of a moment.
    fn step(&mut self, state: u32, forest: &mut Forest) -> Tree {
        let memory = self.states[state as usize].clone();
        let mut remembered = memory.iter();
        let mut now: Vec<Tree> = Vec::with_capacity(self.parts.len());
        let mut after: Vec<Tree> = Vec::new();
        for part in &self.parts {
            let value = match *part {
                Part::Now(tree) => tree,
                Part::Related(tree) => {
                    let known: Vec<(u32, Tree)> = self
                        .asked
                        .iter()
                        .filter(|&&(variable, part)| variable < 2 * self.first && part < now.len())
                        .map(|&(variable, part)| (variable, now[part]))
                        .collect();
                    let mut tuples = Tuples::default();
                    let registers = known.iter().fold(Tree::leaf(0), |all, &(_, one)| {
                        forest.zip(all, one, |all, one| tuples.number(all, one))
                    });
                    let value = |leaf: u32, variable: u32| {
                        let place = known.iter().position(|&(known, _)| known == variable);
                        place.is_some_and(|place| tuples.get(leaf, known.len())[place] == 1)
                    };
                    forest.decided(registers, tree, self.first, value, |_, leaf| leaf)
                }
                Part::Register(bit) => {
                    after.push(bit);
                    match remembered.next().copied() {
                        Some(value @ (0 | 1)) => Tree::leaf(value),
                        _ => bit,
                    }
                }
                Part::Not(arg) => forest.map(now[arg], |value| 1 - value),
                Part::All(ref args) => {
                    args.iter().fold(Tree::leaf(1), |all, &arg| forest.zip(all, now[arg], |a, b| a & b))
                }
                Part::Any(ref args) => {
                    args.iter().fold(Tree::leaf(0), |any, &arg| forest.zip(any, now[arg], |a, b| a | b))
                }
                Part::Alike(one, other) => forest.zip(now[one], now[other], |a, b| u32::from(a == b)),
                Part::Before(arg, _) => {
                    after.push(now[arg]);
                    Tree::leaf(remembered.next().copied().unwrap_or_default())
                }
                Part::Since(held, goal) => {
                    let before = remembered.next().copied().unwrap_or_default();
                    let value = forest.zip(now[held], now[goal], |held, goal| goal | held & before);
                    after.push(value);
                    value
                }
                Part::Recently(steps, arg) => {
                    // For how many steps it still holds.
                    let before = remembered.next().copied().unwrap_or_default();
                    let left = forest.map(now[arg], |arg| if arg == 1 { steps + 1 } else { before });
                    after.push(forest.map(left, |left| left.saturating_sub(1)));
                    forest.map(left, |left| u32::from(left > 0))
                }
            };
            now.push(value);
        }
        let asked: Vec<Tree> = self.asked.iter().map(|&(_, part)| now[part]).collect();
        let mut tuples = Tuples::default();
        let both = after
            .iter()
            .chain(&asked)
            .fold(Tree::leaf(0), |all, &one| forest.zip(all, one, |all, one| tuples.number(all, one)));
        forest.map(both, |leaf| {
            let mut memory = tuples.get(leaf, after.len() + asked.len());
            let values = memory.split_off(after.len()).into_iter().map(|value| value == 1).collect();
            let after = self.state(memory);
            self.moment(after, values)
        })
    }

    /// The automaton that follows a draft and the memory together: its rows are about letters alone.
    pub(super) fn follow(
        &mut self,
        store: &mut Store,
        draft: &Draft,
        most: usize,
    ) -> Result<Draft, TranslationError> {
        let asked = self.asked.iter().enumerate();
        let places: FxHashMap<u32, usize> = asked.map(|(at, &(variable, _))| (variable, at)).collect();
        let mut steps: Vec<Option<Tree>> = Vec::new();
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut pairs = vec![(draft.initial, 0)];
        numbers.insert(pairs[0], 0);
        let mut rows: Vec<Tree> = Vec::new();
        while let Some(&(at, state)) = pairs.get(rows.len()) {
            steps.resize(steps.len().max(state as usize + 1), None);
            let step = match steps[state as usize] {
                Some(step) => step,
                None => *steps[state as usize].insert(self.step(state, &mut store.forest)),
            };
            let moments = &self.moments;
            let value = |moment: u32, variable: u32| {
                let place = places.get(&variable).copied();
                place.is_some_and(|place: usize| moments[moment as usize].1[place])
            };
            let Store { forest, arrows } = store;
            let row = forest.decided(step, draft.rows[at as usize], self.first, value, |moment, leaf| {
                let after = moments[moment as usize].0;
                let list = arrows.get(leaf).clone();
                let arrow = |arrow: &Arrow| {
                    let to = *numbers.entry((arrow.to, after)).or_insert_with(|| {
                        pairs.push((arrow.to, after));
                        (pairs.len() - 1) as u32
                    });
                    Arrow { to, marks: arrow.marks }
                };
                arrows.number(list.iter().map(arrow).collect())
            });
            rows.push(row);
            if pairs.len() > most || store.forest.is_full() {
                return Err(TranslationError::TooLarge);
            }
        }
        Ok(Draft { rows, initial: 0, marks: draft.marks })
    }
}

/// What a register remembers before the first step: that there is nothing to remember.
const UNSEEN: u32 = 2;

impl Part {
    /// What it remembers before the first step, if it remembers anything.
    fn at_first(&self) -> Option<u32> {
        match *self {
            Part::Before(_, value) => Some(u32::from(value)),
            Part::Since(..) | Part::Recently(..) => Some(0),
            Part::Register(_) => Some(UNSEEN),
            _ => None,
        }
    }
}

/// The letters that have a bit.
fn bit(variable: u32, forest: &mut Forest) -> Tree {
    forest.node(variable, Tree::leaf(0), Tree::leaf(1))
}

/// Lists of numbers of one length as numbers, made by one more at a time; the empty one is 0.
#[derive(Default)]
struct Tuples {
    made: Vec<(u32, u32)>,
    known: FxHashMap<(u32, u32), u32>,
}

impl Tuples {
    fn number(&mut self, all: u32, one: u32) -> u32 {
        *self.known.entry((all, one)).or_insert_with(|| {
            self.made.push((all, one));
            self.made.len() as u32
        })
    }

    fn get(&self, mut number: u32, length: usize) -> Vec<u32> {
        let mut list = Vec::with_capacity(length);
        while let Some(&(all, one)) = number.checked_sub(1).and_then(|at| self.made.get(at as usize)) {
            list.push(one);
            number = all;
        }
        list.reverse();
        list
    }
}
