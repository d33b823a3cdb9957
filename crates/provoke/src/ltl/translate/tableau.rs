//! From forms to generalised Büchi automata.

use rustc_hash::{FxHashMap, FxHashSet};

use super::TranslationError;
use super::draft::{Arrow, Draft, EMPTY, Lists, Marks, Store, all_marks};
use super::history::History;
use crate::bdd::Space;
use crate::connected::Components;
use crate::ltl::forest::{Forest, Tree};
use crate::ltl::forms::{FALSE, Form, Id, TRUE};
use crate::ltl::simplify::Logic;

/// What a translation may take before it gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) states: usize,
    /// How many pairs of choices are compared; a letter's worth of choices costs [`JOIN`] by itself.
    pub(crate) effort: usize,
    /// How many ways lead from a state to another, those of different letters counted apart.
    pub(crate) ways: usize,
}

/// The limits of what was asked for.
pub(crate) const ASKED: Limits = Limits { states: 30_000, effort: 30_000_000, ways: 1_000_000 };
const JOIN: usize = 50;
/// How many states are looked at for a word.
const SEARCHED: usize = 4_000;
/// How many pairs of conjuncts of what they ask for.
const CONJUNCTS: usize = 200_000_000;

/// One way to meet a form now: what must hold from the next step on, and which goals it puts off.
///
/// On finite traces there is one thing to put off, [`MORE`]: the trace cannot end here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Choice {
    next: Id,
    put_off: Marks,
}

const MORE: Marks = 1;
const NOW: Choice = Choice { next: TRUE, put_off: 0 };

/// Builds the automaton of a form: each state is what must hold from there on, each letter offers the
/// choices that meet it.
///
/// This is the tableau of Couvreur (1999) with two departures. Letters are decided before choices, so that
/// every letter sees the choices it really has and choices that another one makes needless are dropped at once
/// (a choice is needless where another asks for no more, by the rules of implication, and puts off no more).
/// And states are told apart by their row alone: two forms whose choices agree for every letter are one state.
struct Tableau<'a> {
    logic: &'a mut Logic,
    forest: Forest,
    choices: Lists<Choice>,
    rows: FxHashMap<Id, Tree>,
    literals: Vec<Tree>,
    /// The goals of `U`: each is an acceptance mark, absent where the goal is put off.
    goals: Vec<Id>,
    ands: FxHashMap<(Tree, Tree), Tree>,
    ors: FxHashMap<(Tree, Tree), Tree>,
    now: u32,
    limits: Limits,
    /// The forms `G F a` whose rounds are followed one at a time.
    rounds: FxHashSet<Id>,
    /// How many pairs of choices were compared. Once there are too many, choices are lost.
    effort: usize,
}

/// The automaton of a simplified form, over the letters of a space.
///
/// On finite traces it accepts a word where its last arrow has the one mark.
pub(crate) fn tableau(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
) -> Result<Draft, TranslationError> {
    tableau_within(logic, form, space, store, ASKED, FxHashSet::default())
}

/// The same within some limits, with some forms `G F a` followed one round at a time: see
/// [`rounds`](super::rounds::rounds).
pub(crate) fn tableau_within(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
    limits: Limits,
    rounds: FxHashSet<Id>,
) -> Result<Draft, TranslationError> {
    let (mut tableau, mut history, valid) = Tableau::new(logic, space, store, limits, rounds)?;
    let explored = tableau.explore(form, valid);
    store.forest = tableau.forest;
    let (rows, places) = explored?;
    let marks = if tableau.logic.forms.finite() { 1 } else { tableau.goals.len() as u32 };
    let (choices, arrows, forest) = (tableau.choices, &mut store.arrows, &mut store.forest);
    let arrow =
        |choice: &Choice| Arrow { to: places[&choice.next], marks: all_marks(marks) & !choice.put_off };
    let number = |leaf: u32| choices.get(leaf).iter().map(arrow).collect::<Vec<Arrow>>();
    let rows = rows.into_iter().map(|row| forest.map(row, |leaf| arrows.number(number(leaf)))).collect();
    let draft = Draft { rows, initial: 0, marks };
    if history.is_empty() { Ok(draft) } else { history.follow(store, &draft, limits.states) }
}

/// Whether a simplified form has a word at all, looked for depth first; nothing where too many states do not
/// tell, or where the form looks back. Few states do where it has many words, however many states its automaton has.
pub(crate) fn has_word(logic: &mut Logic, form: Id, space: &Space, store: &mut Store) -> Option<bool> {
    if logic.forms.look_back() {
        return None;
    }
    let (mut tableau, _, valid) = Tableau::new(logic, space, store, ASKED, FxHashSet::default()).ok()?;
    let found = tableau.search(form, valid);
    store.forest = tableau.forest;
    found
}

impl<'a> Tableau<'a> {
    /// An empty tableau, what is remembered beside it, and the letters that there are. It has the store's forest.
    fn new(
        logic: &'a mut Logic,
        space: &Space,
        store: &mut Store,
        limits: Limits,
        rounds: FxHashSet<Id>,
    ) -> Result<(Tableau<'a>, History, Tree), TranslationError> {
        logic.compared = 0;
        let mut forest = std::mem::take(&mut store.forest);
        let (history, literals) = History::new(logic.forms.atoms(), space, &mut forest)?;
        let valid = forest.import(&space.exchanges());
        let mut choices = Lists::default();
        let now = choices.number(vec![NOW]);
        let tableau = Tableau {
            logic,
            forest,
            choices,
            rows: FxHashMap::default(),
            literals,
            goals: Vec::new(),
            ands: FxHashMap::default(),
            ors: FxHashMap::default(),
            now,
            limits,
            rounds,
            effort: 0,
        };
        Ok((tableau, history, valid))
    }

    fn search(&mut self, form: Id, valid: Tree) -> Option<bool> {
        let mut places: FxHashMap<Id, u32> = FxHashMap::default();
        places.insert(form, 0);
        let mut arrows: Vec<Vec<Arrow>> = vec![Vec::new()];
        let mut explored: FxHashSet<Id> = FxHashSet::default();
        let mut open = vec![form];
        let mut look = 64;
        while let Some(at) = open.pop() {
            if !explored.insert(at) {
                continue;
            }
            let row = self.row(at).ok()?;
            let row = self.forest.zip(valid, row, |valid, leaf| if valid == 1 { leaf } else { EMPTY });
            let from = places[&at] as usize;
            for leaf in self.forest.leaves(row) {
                for choice in self.choices.get(leaf).iter() {
                    let to = *places.entry(choice.next).or_insert_with(|| {
                        arrows.push(Vec::new());
                        (arrows.len() - 1) as u32
                    });
                    arrows[from].push(Arrow { to, marks: !choice.put_off });
                    open.push(choice.next);
                }
            }
            if explored.len() >= look {
                if self.accepts(&arrows) {
                    return Some(true);
                }
                look *= 2;
            }
            if explored.len() > SEARCHED {
                return None;
            }
        }
        Some(self.accepts(&arrows))
    }

    /// Whether some component of what was explored has all marks.
    fn accepts(&self, arrows: &[Vec<Arrow>]) -> bool {
        let all = all_marks(self.goals.len() as u32);
        Components::of_arrows(arrows).marks(arrows).into_iter().flatten().any(|marks| marks & all == all)
    }
}

impl Tableau<'_> {
    /// The rows of all states, and the state of each form that a choice asks for.
    fn explore(
        &mut self,
        form: Id,
        valid: Tree,
    ) -> Result<(Vec<Tree>, FxHashMap<Id, u32>), TranslationError> {
        let mut states: FxHashMap<Tree, u32> = FxHashMap::default();
        let mut rows = Vec::new();
        let mut places = FxHashMap::default();
        let mut open = vec![form];
        let (mut explored, mut ways) = (0, 0);
        loop {
            for form in std::mem::take(&mut open) {
                if places.contains_key(&form) {
                    continue;
                }
                let row = self.row(form)?;
                let row = self.forest.zip(valid, row, |valid, leaf| if valid == 1 { leaf } else { EMPTY });
                let place = *states.entry(row).or_insert_with(|| {
                    rows.push(row);
                    (rows.len() - 1) as u32
                });
                places.insert(form, place);
            }
            if rows.len() > self.limits.states || ways > self.limits.ways || self.forest.is_full() {
                return Err(TranslationError::TooLarge);
            }
            let Some(&row) = rows.get(explored) else { return Ok((rows, places)) };
            explored += 1;
            for leaf in self.forest.leaves(row) {
                ways += self.choices.get(leaf).len();
                for choice in self.choices.get(leaf).iter() {
                    if !places.contains_key(&choice.next) {
                        open.push(choice.next);
                    }
                }
            }
        }
    }

    /// The choices of a form for every letter.
    fn row(&mut self, form: Id) -> Result<Tree, TranslationError> {
        let mut open = vec![form];
        while let Some(&at) = open.last() {
            if self.rows.contains_key(&at) {
                open.pop();
                continue;
            }
            // What stands under next is not looked at yet.
            let operands = match *self.logic.forms.get(at) {
                Form::Next(_) | Form::WeakNext(_) => Vec::new(),
                Form::Again(_, round) => vec![round],
                _ => self.logic.forms.operands(at),
            };
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !self.rows.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let row = self.row_of_known(at, &operands)?;
            self.rows.insert(at, row);
            if self.forest.is_full() || self.effort > self.limits.effort || self.logic.compared > CONJUNCTS {
                return Err(TranslationError::TooLarge);
            }
        }
        Ok(self.rows[&form])
    }

    fn row_of_known(&mut self, at: Id, operands: &[Id]) -> Result<Tree, TranslationError> {
        let args: Vec<Tree> = operands.iter().map(|arg| self.rows[arg]).collect();
        Ok(match *self.logic.forms.get(at) {
            Form::True => Tree::leaf(self.now),
            Form::False => Tree::leaf(EMPTY),
            Form::Literal(name, value) => {
                let now = self.now;
                let literal = self.literals[name as usize];
                self.forest.map(literal, |leaf| if (leaf == 1) == value { now } else { EMPTY })
            }
            Form::And(_) => args.into_iter().fold(Tree::leaf(self.now), |sum, arg| self.and(sum, arg)),
            Form::Or(_) => args.into_iter().fold(Tree::leaf(EMPTY), |sum, arg| self.or(sum, arg)),
            Form::Next(inner) => self.later(inner, self.more()),
            Form::WeakNext(inner) => self.later(inner, 0),
            Form::Until(_, goal) => {
                let put_off = if self.finite() { MORE } else { self.goal(goal)? };
                let later = self.later(at, put_off);
                let wait = self.and(args[0], later);
                self.or(args[1], wait)
            }
            Form::Unless(again, FALSE) if self.rounds.contains(&at) => {
                debug_assert!(matches!(self.logic.forms.get(again), Form::Until(TRUE, _)));
                self.row_of_round(at, args[0])?
            }
            Form::Again(again, _) => self.row_of_round(again, args[0])?,
            Form::Unless(..) => {
                let later = self.later(at, 0);
                let wait = self.and(args[0], later);
                self.or(args[1], wait)
            }
            Form::Within(steps, inner) => {
                let rest = self.logic.forms.within(steps - 1, inner);
                let later = self.later(rest, self.more());
                self.or(args[0], later)
            }
            Form::Throughout(steps, inner) => {
                let rest = self.logic.forms.throughout(steps - 1, inner);
                let later = self.later(rest, 0);
                self.and(args[0], later)
            }
        })
    }

    /// The choices of a round of `G F a`: those of what it still waits for. When nothing is left of it the next
    /// round begins; every other choice puts the whole off, and that is all that is put off.
    fn row_of_round(&mut self, again: Id, row: Tree) -> Result<Tree, TranslationError> {
        let put_off = self.goal(again)?;
        let Tableau { logic, forest, choices, effort, .. } = self;
        Ok(forest.map(row, |leaf| {
            let list = choices.get(leaf).clone();
            *effort += JOIN + list.len().pow(2);
            let go_on = |choice: &Choice| match choice.next {
                TRUE => Choice { next: again, put_off: 0 },
                rest => Choice { next: logic.forms.again(again, rest), put_off },
            };
            let list = list.iter().map(go_on).collect();
            choices.number(needed(logic, list))
        }))
    }

    fn finite(&self) -> bool {
        self.logic.forms.finite()
    }

    /// What a form puts off that needs a next step.
    fn more(&self) -> Marks {
        if self.finite() { MORE } else { 0 }
    }

    /// The only choice is to go on so. What cannot hold next is no choice, unless the trace may end here.
    fn later(&mut self, next: Id, put_off: Marks) -> Tree {
        if next == FALSE && (put_off != 0 || !self.finite()) {
            return Tree::leaf(EMPTY);
        }
        Tree::leaf(self.choices.number(vec![Choice { next, put_off }]))
    }

    fn goal(&mut self, goal: Id) -> Result<Marks, TranslationError> {
        let place = match self.goals.iter().position(|&known| known == goal) {
            Some(place) => place,
            None => {
                self.goals.push(goal);
                self.goals.len() - 1
            }
        };
        if place >= Marks::BITS as usize { Err(TranslationError::TooLarge) } else { Ok(1 << place) }
    }

    fn and(&mut self, a: Tree, b: Tree) -> Tree {
        let Tableau { logic, forest, choices, ands, now, effort, limits, .. } = self;
        let mut join = |a: u32, b: u32| {
            if a == *now || b == EMPTY || a == b {
                return b;
            }
            if b == *now || a == EMPTY {
                return a;
            }
            let (left, right) = (choices.get(a).clone(), choices.get(b).clone());
            *effort += JOIN + (left.len() * right.len()).pow(2);
            if *effort > limits.effort || logic.compared > CONJUNCTS {
                return EMPTY;
            }
            let mut both = Vec::with_capacity(left.len() * right.len());
            for one in left.iter() {
                for other in right.iter() {
                    let next = logic.meet(one.next, other.next);
                    let put_off = one.put_off | other.put_off;
                    if next != FALSE || logic.forms.finite() && put_off == 0 {
                        both.push(Choice { next, put_off });
                    }
                }
            }
            choices.number(needed(logic, both))
        };
        forest.zip_known(a, b, &mut join, ands)
    }

    fn or(&mut self, a: Tree, b: Tree) -> Tree {
        let Tableau { logic, forest, choices, ors, now, effort, limits, .. } = self;
        let mut join = |a: u32, b: u32| {
            if a == *now || b == EMPTY || a == b {
                return a;
            }
            if b == *now || a == EMPTY {
                return b;
            }
            *effort += JOIN + (choices.get(a).len() + choices.get(b).len()).pow(2);
            if *effort > limits.effort {
                return EMPTY;
            }
            let either = choices.get(a).iter().chain(choices.get(b).iter()).copied().collect();
            choices.number(needed(logic, either))
        };
        forest.zip_known(a, b, &mut join, ors)
    }
}

/// The choices without those that ask for more than another and put off no less.
fn needed(logic: &mut Logic, mut choices: Vec<Choice>) -> Vec<Choice> {
    choices.sort_unstable();
    choices.dedup();
    let mut at = 0;
    while at < choices.len() {
        let this = choices[at];
        let needless = (0..choices.len()).any(|other| {
            let better = choices[other];
            other != at && better.put_off & !this.put_off == 0 && logic.implies(this.next, better.next)
        });
        match needless {
            true => drop(choices.remove(at)),
            false => at += 1,
        }
    }
    choices
}
