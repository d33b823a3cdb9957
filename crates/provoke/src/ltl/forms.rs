//! Formulas in negation normal form, each kept once: the working form of everything that computes with them.

use rustc_hash::FxHashMap;

use super::{Formula, Op};

/// The number of a form in its [`Forms`]; operands have smaller numbers than what they stand in.
pub(crate) type Id = u32;

/// A formula whose negations stand at propositions only.
///
/// Two temporal operators are enough besides next: `a R b` is `b W (a & b)`, `a M b` is `b U (a & b)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Form {
    True,
    False,
    /// A proposition, or a formula that looks back, by its place in [`Forms::atoms`], or its negation.
    Literal(u32, bool),
    // invariant: two or more, in ascending order, none twice, none of the same kind or constant.
    And(Box<[Id]>),
    Or(Box<[Id]>),
    Next(Id),
    /// Next, but true at the end of a finite trace.
    WeakNext(Id),
    /// `a U b`; `F b` is `1 U b`.
    Until(Id, Id),
    /// `a W b`; `G a` is `a W 0`.
    Unless(Id, Id),
    /// `F[0:n] a`, n at least 1.
    Within(u32, Id),
    /// `G[0:n] a`, n at least 1.
    Throughout(u32, Id),
    /// `G F a & b`, where `b` is what is left of the round of `F a` that a tableau follows. Only a tableau makes
    /// these.
    Again(Id, Id),
}

/// What the shape of a form tells about its words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Traits {
    /// No temporal operator.
    pub(crate) boolean: bool,
    /// Stays true when steps are put in front: `F e` is `e`.
    pub(crate) eventual: bool,
    /// Stays true when steps are taken off the front: `G u` is `u`.
    pub(crate) universal: bool,
    /// Violated after finitely many steps, if ever.
    pub(crate) safety: bool,
    /// Satisfied after finitely many steps, if ever.
    pub(crate) guarantee: bool,
    /// A Boolean combination of such, by its shape (Chang, Manna, Pnueli 1992).
    pub(crate) obligation: bool,
}

impl Traits {
    /// True or false of all suffixes alike, so that waiting changes nothing.
    pub(crate) fn suspendable(self) -> bool {
        self.eventual && self.universal
    }
}

/// A store of forms.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    forms: Vec<Form>,
    traits: Vec<Traits>,
    known: FxHashMap<Form, Id>,
    atoms: Vec<Formula>,
    atom_places: FxHashMap<Formula, u32>,
    negations: FxHashMap<Id, Id>,
    /// Whether the forms are to be read on finite traces, where the two nexts differ.
    finite: bool,
}

pub(crate) const TRUE: Id = 0;
pub(crate) const FALSE: Id = 1;

impl Forms {
    /// Forms to be read on infinite traces, or on finite ones.
    pub(crate) fn new(finite: bool) -> Forms {
        let mut forms = Forms { finite, ..Forms::default() };
        forms.intern(Form::True);
        forms.intern(Form::False);
        forms.negations.extend([(TRUE, FALSE), (FALSE, TRUE)]);
        forms
    }

    /// Whether the forms are to be read on finite traces.
    pub(crate) fn finite(&self) -> bool {
        self.finite
    }

    pub(crate) fn get(&self, id: Id) -> &Form {
        &self.forms[id as usize]
    }

    pub(crate) fn traits(&self, id: Id) -> Traits {
        self.traits[id as usize]
    }

    /// The propositions and the formulas that look back, in order of first appearance. The rules know no more of
    /// the latter than that each is true or false at every step.
    pub(crate) fn atoms(&self) -> &[Formula] {
        &self.atoms
    }

    /// Whether a form may depend on what was before the step it is about.
    pub(crate) fn look_back(&self) -> bool {
        self.atoms.iter().any(Formula::looks_back)
    }

    fn intern(&mut self, form: Form) -> Id {
        if let Some(&id) = self.known.get(&form) {
            return id;
        }
        let id = self.forms.len() as Id;
        self.traits.push(self.traits_of(&form));
        self.forms.push(form.clone());
        self.known.insert(form, id);
        id
    }

    pub(crate) fn literal(&mut self, atom: &Formula, value: bool) -> Id {
        let place = *self.atom_places.entry(atom.clone()).or_insert_with(|| {
            self.atoms.push(atom.clone());
            (self.atoms.len() - 1) as u32
        });
        self.intern(Form::Literal(place, value))
    }

    pub(crate) fn and(&mut self, ids: impl IntoIterator<Item = Id>) -> Id {
        let mut args = Vec::new();
        for id in ids {
            match self.get(id) {
                Form::True => {}
                Form::False => return FALSE,
                Form::And(inner) => args.extend_from_slice(inner),
                _ => args.push(id),
            }
        }
        match self.tidy(&mut args) {
            Some(opposite) => {
                if opposite {
                    FALSE
                } else {
                    self.and_or_less(args, TRUE, Form::And)
                }
            }
            None => TRUE,
        }
    }

    pub(crate) fn or(&mut self, ids: impl IntoIterator<Item = Id>) -> Id {
        let mut args = Vec::new();
        for id in ids {
            match self.get(id) {
                Form::False => {}
                Form::True => return TRUE,
                Form::Or(inner) => args.extend_from_slice(inner),
                _ => args.push(id),
            }
        }
        match self.tidy(&mut args) {
            Some(opposite) => {
                if opposite {
                    TRUE
                } else {
                    self.and_or_less(args, FALSE, Form::Or)
                }
            }
            None => FALSE,
        }
    }

    /// Sorts and removes duplicates; says whether a proposition and its negation are both there, and
    /// nothing where nothing is.
    fn tidy(&self, args: &mut Vec<Id>) -> Option<bool> {
        args.sort_unstable();
        args.dedup();
        let opposite = |id: &Id| match self.get(*id) {
            Form::Literal(name, true) => self
                .known
                .get(&Form::Literal(*name, false))
                .is_some_and(|other| args.binary_search(other).is_ok()),
            _ => false,
        };
        if args.is_empty() { None } else { Some(args.iter().any(opposite)) }
    }

    fn and_or_less(&mut self, args: Vec<Id>, none: Id, form: impl FnOnce(Box<[Id]>) -> Form) -> Id {
        match args[..] {
            [] => none,
            [only] => only,
            _ => self.intern(form(args.into())),
        }
    }

    /// `X a`. Not folded even over constants: at the end of a finite trace `X 1` is false.
    pub(crate) fn next(&mut self, arg: Id) -> Id {
        self.intern(Form::Next(arg))
    }

    pub(crate) fn weak_next(&mut self, arg: Id) -> Id {
        self.intern(Form::WeakNext(arg))
    }

    pub(crate) fn until(&mut self, left: Id, right: Id) -> Id {
        match (left, right) {
            (FALSE, _) | (_, TRUE | FALSE) => right,
            _ if left == right => right,
            _ => self.intern(Form::Until(left, right)),
        }
    }

    pub(crate) fn unless(&mut self, left: Id, right: Id) -> Id {
        match (left, right) {
            (TRUE, _) => TRUE,
            (FALSE, _) | (_, TRUE) => right,
            _ if left == right => right,
            _ => self.intern(Form::Unless(left, right)),
        }
    }

    pub(crate) fn finally(&mut self, arg: Id) -> Id {
        self.until(TRUE, arg)
    }

    pub(crate) fn globally(&mut self, arg: Id) -> Id {
        self.unless(arg, FALSE)
    }

    pub(crate) fn within(&mut self, steps: u32, arg: Id) -> Id {
        match (steps, arg) {
            (0, _) | (_, TRUE | FALSE) => arg,
            _ => self.intern(Form::Within(steps, arg)),
        }
    }

    pub(crate) fn throughout(&mut self, steps: u32, arg: Id) -> Id {
        match (steps, arg) {
            (0, _) | (_, TRUE | FALSE) => arg,
            _ => self.intern(Form::Throughout(steps, arg)),
        }
    }

    /// `again & round`, where `again` is `G F a` and `round` what is left of one `F a`.
    pub(crate) fn again(&mut self, again: Id, round: Id) -> Id {
        match *self.get(again) {
            _ if round == TRUE => again,
            Form::Unless(whole, FALSE) if whole == round => again,
            _ => self.intern(Form::Again(again, round)),
        }
    }

    /// The operands of a form.
    pub(crate) fn operands(&self, id: Id) -> Vec<Id> {
        match self.get(id) {
            Form::True | Form::False | Form::Literal(..) => Vec::new(),
            Form::And(args) | Form::Or(args) => args.to_vec(),
            &Form::Next(arg) | &Form::WeakNext(arg) => vec![arg],
            &Form::Within(_, arg) | &Form::Throughout(_, arg) => vec![arg],
            &Form::Until(left, right) | &Form::Unless(left, right) | &Form::Again(left, right) => {
                vec![left, right]
            }
        }
    }

    /// The conjuncts of a form: itself, if it is no conjunction.
    pub(crate) fn conjuncts(&self, id: Id) -> Vec<Id> {
        match self.get(id) {
            Form::And(args) => args.to_vec(),
            _ => vec![id],
        }
    }

    /// The disjuncts of a form: itself, if it is no disjunction.
    pub(crate) fn disjuncts(&self, id: Id) -> Vec<Id> {
        match self.get(id) {
            Form::Or(args) => args.to_vec(),
            _ => vec![id],
        }
    }

    /// The form that holds where this one does not.
    pub(crate) fn negate(&mut self, id: Id) -> Id {
        let mut open = vec![id];
        while let Some(&at) = open.last() {
            if self.negations.contains_key(&at) {
                open.pop();
                continue;
            }
            let operands = self.operands(at);
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !self.negations.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let not: Vec<Id> = operands.iter().map(|arg| self.negations[arg]).collect();
            let negation = match *self.get(at) {
                Form::True => FALSE,
                Form::False => TRUE,
                Form::Literal(name, value) => self.intern(Form::Literal(name, !value)),
                Form::And(_) => self.or(not),
                Form::Or(_) => self.and(not),
                Form::Next(_) => self.weak_next(not[0]),
                Form::WeakNext(_) => self.next(not[0]),
                // !(a U b) is !b W (!a & !b)
                Form::Until(..) => {
                    let both = self.and([not[0], not[1]]);
                    self.unless(not[1], both)
                }
                Form::Unless(..) => {
                    let both = self.and([not[0], not[1]]);
                    self.until(not[1], both)
                }
                Form::Within(steps, _) => self.throughout(steps, not[0]),
                Form::Throughout(steps, _) => self.within(steps, not[0]),
                Form::Again(..) => self.or(not),
            };
            self.negations.insert(at, negation);
        }
        self.negations[&id]
    }

    /// The form of a formula.
    pub(crate) fn import(&mut self, formula: &Formula) -> Id {
        let atom = |formula: &Formula| formula.op().is_past();
        formula.fold_down_to(atom, |formula, args: &[Id]| match formula.op() {
            Op::True => TRUE,
            Op::False => FALSE,
            Op::Proposition(_) => self.literal(formula, true),
            Op::Yesterday | Op::WeakYesterday | Op::Once | Op::Historically => self.literal(formula, true),
            Op::OnceIn(..) | Op::HistoricallyIn(..) => self.literal(formula, true),
            Op::Since | Op::Triggered => self.literal(formula, true),
            Op::Not => self.negate(args[0]),
            Op::And => self.and(args.iter().copied()),
            Op::Or => self.or(args.iter().copied()),
            Op::Implies => {
                let not = self.negate(args[0]);
                self.or([not, args[1]])
            }
            Op::Iff => self.differ(args[0], args[1], false),
            Op::Xor => self.differ(args[0], args[1], true),
            Op::Next => self.next(args[0]),
            Op::WeakNext => self.weak_next(args[0]),
            Op::Finally => self.finally(args[0]),
            Op::Globally => self.globally(args[0]),
            &Op::FinallyIn(first, last) => {
                let inner = match last {
                    Some(last) => self.within(last - first, args[0]),
                    None => self.finally(args[0]),
                };
                (0..first).fold(inner, |inner, _| self.next(inner))
            }
            &Op::GloballyIn(first, last) => {
                let inner = match last {
                    Some(last) => self.throughout(last - first, args[0]),
                    None => self.globally(args[0]),
                };
                (0..first).fold(inner, |inner, _| self.weak_next(inner))
            }
            Op::Until => self.until(args[0], args[1]),
            Op::WeakUntil => self.unless(args[0], args[1]),
            Op::Release => {
                let both = self.and([args[0], args[1]]);
                self.unless(args[1], both)
            }
            Op::StrongRelease => {
                let both = self.and([args[0], args[1]]);
                self.until(args[1], both)
            }
        })
    }

    /// `a xor b`, or `a <-> b`.
    fn differ(&mut self, a: Id, b: Id, differ: bool) -> Id {
        let (not_a, not_b) = (self.negate(a), self.negate(b));
        let (first, second) = if differ { ([a, not_b], [not_a, b]) } else { ([a, b], [not_a, not_b]) };
        let (first, second) = (self.and(first), self.and(second));
        self.or([first, second])
    }

    /// The formula of a form.
    pub(crate) fn export(&self, id: Id) -> Formula {
        let mut known: FxHashMap<Id, Formula> = FxHashMap::default();
        let mut open = vec![id];
        while let Some(&at) = open.last() {
            let operands = self.operands(at);
            let before = open.len();
            open.extend(operands.iter().filter(|arg| !known.contains_key(arg)));
            if open.len() > before {
                continue;
            }
            open.pop();
            let args: Vec<Formula> = operands.iter().map(|arg| known[arg].clone()).collect();
            let formula = match *self.get(at) {
                Form::True => Formula::constant(true),
                Form::False => Formula::constant(false),
                Form::Literal(name, value) => {
                    let atom = self.atoms[name as usize].clone();
                    if value { atom } else { atom.not() }
                }
                Form::And(_) | Form::Again(..) => Formula::all_of(args),
                Form::Or(_) => Formula::any_of(args),
                Form::Next(_) => args[0].clone().next(),
                Form::WeakNext(_) => args[0].clone().weak_next(),
                Form::Until(TRUE, _) => args[1].clone().finally(),
                Form::Unless(_, FALSE) => args[0].clone().globally(),
                Form::Until(left, right) | Form::Unless(left, right) => {
                    let strong = matches!(self.get(at), Form::Until(..));
                    self.export_until(left, right, strong, &args)
                }
                Form::Within(steps, _) => args[0].clone().finally_in(0..=steps),
                Form::Throughout(steps, _) => args[0].clone().globally_in(0..=steps),
            };
            known.insert(at, formula);
        }
        known[&id].clone()
    }

    /// `b W (a & b)` reads better as `a R b`, and `b U (a & b)` as `a M b`.
    fn export_until(&self, left: Id, right: Id, strong: bool, args: &[Formula]) -> Formula {
        let (held, goal) = (args[0].clone(), args[1].clone());
        let (inside, kept) = (self.conjuncts(right), self.conjuncts(left));
        if kept.len() < inside.len() && kept.iter().all(|conjunct| inside.contains(conjunct)) {
            let rest = inside.iter().zip(goal.args()).filter(|(conjunct, _)| !kept.contains(conjunct));
            let release = Formula::all_of(rest.map(|(_, formula)| formula.clone()));
            return if strong { release.strong_release(held) } else { release.release(held) };
        }
        if strong { held.until(goal) } else { held.weak_until(goal) }
    }

    fn traits_of(&self, form: &Form) -> Traits {
        let all = |args: &[Id], what: fn(Traits) -> bool| args.iter().all(|&arg| what(self.traits(arg)));
        let joint = |args: &[Id]| Traits {
            boolean: all(args, |of| of.boolean),
            eventual: all(args, |of| of.eventual),
            universal: all(args, |of| of.universal),
            safety: all(args, |of| of.safety),
            guarantee: all(args, |of| of.guarantee),
            obligation: all(args, |of| of.obligation),
        };
        match form {
            Form::True | Form::False => joint(&[]),
            Form::Literal(..) => Traits { eventual: false, universal: false, ..joint(&[]) },
            Form::And(args) | Form::Or(args) => joint(args),
            &Form::Next(arg) => {
                let of = self.traits(arg);
                Traits { boolean: false, universal: of.universal && !self.finite, ..of }
            }
            &Form::WeakNext(arg) => {
                let of = self.traits(arg);
                Traits { boolean: false, eventual: of.eventual && !self.finite, ..of }
            }
            &Form::Within(_, arg) | &Form::Throughout(_, arg) => {
                // At the end of a finite trace the steps may run out.
                let of = self.traits(arg);
                let (eventual, universal) = (of.eventual && !self.finite, of.universal && !self.finite);
                Traits { boolean: false, eventual, universal, ..of }
            }
            Form::Again(..) => Traits::default(),
            &Form::Until(left, right) => {
                let (held, goal) = (self.traits(left), self.traits(right));
                Traits {
                    boolean: false,
                    eventual: left == TRUE || goal.eventual,
                    universal: held.universal && goal.universal,
                    safety: false,
                    guarantee: held.guarantee && goal.guarantee,
                    obligation: held.obligation && goal.guarantee,
                }
            }
            &Form::Unless(left, right) => {
                let (held, goal) = (self.traits(left), self.traits(right));
                Traits {
                    boolean: false,
                    eventual: held.eventual && goal.eventual,
                    universal: right == FALSE || held.universal && goal.universal,
                    safety: held.safety && goal.safety,
                    guarantee: false,
                    obligation: held.safety && goal.obligation,
                }
            }
        }
    }
}
