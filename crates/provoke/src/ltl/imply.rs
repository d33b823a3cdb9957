//! Whether one form follows from another, as far as their shapes tell.

use rustc_hash::{FxHashMap, FxHashSet};

use super::forms::{FALSE, Form, Forms, Id, TRUE};
use crate::ltl::forest::{Forest, Tree};

/// How deep the rules may go into two forms; deeper, the answer is "not known to follow".
const DEPTH: u32 = 400;

/// How many pairs of forms may be compared for one question, and for all questions together; after that the
/// answer is "not known to follow" as well.
const QUESTION: u32 = 100_000;
const TOGETHER: u32 = 10_000_000;

/// What is known so far about which form follows from which. A "no" only means that the rules do not show it.
#[derive(Debug, Default)]
pub(crate) struct Implications {
    known: FxHashMap<(Id, Id), bool>,
    forest: Forest,
    booleans: FxHashMap<Id, Tree>,
    /// Pairs that were compared, for this question and before it.
    asked: u32,
    before: u32,
    /// Whether a limit was met: a "no" then is not one from the rules.
    cut: bool,
}

impl Implications {
    /// Whether every word of `from` is surely one of `to`; infinite words, or finite ones where the forms are
    /// read so.
    pub(crate) fn holds(&mut self, forms: &Forms, from: Id, to: Id) -> bool {
        self.before += std::mem::take(&mut self.asked);
        self.deep(forms, from, to, 0)
    }

    fn deep(&mut self, forms: &Forms, from: Id, to: Id, depth: u32) -> bool {
        if from == to || from == FALSE || to == TRUE {
            return true;
        }
        if from == TRUE || to == FALSE {
            return false;
        }
        if depth > DEPTH || self.asked >= QUESTION || self.before >= TOGETHER {
            self.cut = true;
            return false;
        }
        if let Some(&known) = self.known.get(&(from, to)) {
            return known;
        }
        self.asked += 1;
        let cut = std::mem::take(&mut self.cut);
        let holds = if forms.traits(from).boolean && forms.traits(to).boolean {
            self.boolean(forms, from, to)
        } else {
            self.by_rule(forms, from, to, depth + 1)
        };
        // Near the limit, a "no" that comes from it is not remembered: it may be a "yes" elsewhere.
        if holds || !self.cut || depth < DEPTH / 2 {
            self.known.insert((from, to), holds);
        }
        self.cut |= cut;
        holds
    }

    /// Boolean forms are compared exactly.
    fn boolean(&mut self, forms: &Forms, from: Id, to: Id) -> bool {
        let (from, to) = (self.tree(forms, from), self.tree(forms, to));
        self.forest.all_pairs(from, to, &mut |from, to| from <= to, &mut FxHashSet::default())
    }

    fn tree(&mut self, forms: &Forms, id: Id) -> Tree {
        let mut open = vec![id];
        while let Some(&at) = open.last() {
            let operands = forms.operands(at);
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !self.booleans.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let args: Vec<Tree> = operands.iter().map(|arg| self.booleans[arg]).collect();
            let forest = &mut self.forest;
            let tree = match *forms.get(at) {
                Form::Literal(name, value) => {
                    forest.node(name, Tree::leaf(u32::from(!value)), Tree::leaf(u32::from(value)))
                }
                Form::And(_) => {
                    args.iter().fold(Tree::leaf(1), |sum, &arg| forest.zip(sum, arg, |a, b| a & b))
                }
                Form::Or(_) => {
                    args.iter().fold(Tree::leaf(0), |sum, &arg| forest.zip(sum, arg, |a, b| a | b))
                }
                Form::True => Tree::leaf(1),
                _ => Tree::leaf(0),
            };
            self.booleans.insert(at, tree);
        }
        self.booleans[&id]
    }

    /// The rules. `a U b` and `a W b` both say `a | b` about the first step.
    fn by_rule(&mut self, forms: &Forms, from: Id, to: Id, depth: u32) -> bool {
        let (from_traits, to_traits) = (forms.traits(from), forms.traits(to));
        if let Form::Or(args) = forms.get(from) {
            return args.iter().all(|&arg| self.deep(forms, arg, to, depth));
        }
        if let Form::And(args) = forms.get(to) {
            return args.iter().all(|&arg| self.deep(forms, from, arg, depth));
        }
        if let Form::And(args) = forms.get(from)
            && args.iter().any(|&arg| self.deep(forms, arg, to, depth))
        {
            return true;
        }
        if let Form::Or(args) = forms.get(to)
            && args.iter().any(|&arg| self.deep(forms, from, arg, depth))
        {
            return true;
        }
        let finite = forms.finite();
        match *forms.get(to) {
            Form::Next(goal) if finite => {
                return matches!(*forms.get(from), Form::Next(a) if self.deep(forms, a, goal, depth));
            }
            Form::Next(goal) | Form::WeakNext(goal)
                if from_traits.universal && self.deep(forms, from, goal, depth) =>
            {
                return true;
            }
            Form::Until(_, goal) | Form::Unless(_, goal) | Form::Within(_, goal)
                if self.deep(forms, from, goal, depth) =>
            {
                return true;
            }
            Form::Unless(held, _) | Form::Throughout(_, held)
                if from_traits.universal && self.deep(forms, from, held, depth) =>
            {
                return true;
            }
            _ => {}
        }
        match *forms.get(from) {
            Form::WeakNext(goal) if finite => {
                return matches!(*forms.get(to), Form::WeakNext(b) if self.deep(forms, goal, b, depth));
            }
            Form::Next(goal) | Form::WeakNext(goal)
                if to_traits.eventual && self.deep(forms, goal, to, depth) =>
            {
                return true;
            }
            Form::Until(held, goal) | Form::Unless(held, goal)
                if self.deep(forms, held, to, depth) && self.deep(forms, goal, to, depth) =>
            {
                return true;
            }
            Form::Until(_, goal) | Form::Within(_, goal)
                if to_traits.eventual && self.deep(forms, goal, to, depth) =>
            {
                return true;
            }
            Form::Throughout(_, held) if self.deep(forms, held, to, depth) => return true,
            _ => {}
        }
        match (forms.get(from).clone(), forms.get(to).clone()) {
            (Form::Next(a) | Form::WeakNext(a), Form::Next(b) | Form::WeakNext(b)) => {
                self.deep(forms, a, b, depth)
            }
            (Form::Until(held, goal), Form::Until(kept, _) | Form::Unless(kept, _))
            | (Form::Unless(held, goal), Form::Unless(kept, _)) => {
                self.deep(forms, held, kept, depth) && self.deep(forms, goal, to, depth)
            }
            (Form::Within(few, a), Form::Within(many, b)) => few <= many && self.deep(forms, a, b, depth),
            (Form::Throughout(many, a), Form::Throughout(few, b)) => {
                few <= many && self.deep(forms, a, b, depth)
            }
            // What is so at the next step is so within some, and what is so throughout some is so there.
            (Form::Next(a), Form::Within(many, b)) => {
                self.deep(forms, a, b, depth)
                    || matches!(*forms.get(a), Form::Within(few, c) if few < many && self.deep(forms, c, b, depth))
            }
            (Form::Throughout(many, a), Form::Next(b) | Form::WeakNext(b)) => {
                self.deep(forms, a, b, depth)
                    || matches!(*forms.get(b), Form::Throughout(few, c) if few < many && self.deep(forms, a, c, depth))
            }
            _ => false,
        }
    }
}
