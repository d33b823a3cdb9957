//! Sets of valuations as binary decision diagrams. The only folder that names the BDD crate.

mod atom;
mod bound;
mod exhausted;
mod import;
mod order;
mod products;
mod space;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};
use std::sync::Arc;

use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, Manager,
    ManagerRef, Subst,
};

use self::bound::Bound;
pub use self::bound::{NODES, OutOfNodes, nodes_within};
pub use self::import::{Become, Import};
pub use self::space::Space;

/// The variables that diagrams are made of, and the memory for them. Cloning shares both.
///
/// An operation that needs more nodes than there may be leaves the manager *exhausted*, for good: this and every
/// later operation on any of its diagrams gives a set that means nothing. So operations need no `Result` each, and
/// whoever computes with diagrams asks [`within_bounds`](Bdds::within_bounds) before giving away what came out. All
/// functions of this crate do that, except those of [`Bdd`], of [`Space`] and of
/// [`Automaton`](crate::automaton::Automaton) itself, which are what such computations are made of.
#[derive(Clone)]
pub struct Bdds {
    variables: u32,
    bound: Arc<Bound>,
}

/// A set of valuations: a Boolean function of the variables of one [`Bdds`].
///
/// Functions of different managers must not be mixed. Equality is equality of the functions.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

impl fmt::Debug for Bdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdds({} variables)", self.variables)
    }
}

impl Bdds {
    /// A manager with variables `0..variables`, in this order, and at most [`NODES`] nodes.
    pub fn new(variables: usize) -> Bdds {
        Bdds::with_limit(variables, NODES)
    }

    /// A manager that holds at most so many nodes; [`nodes_within`] tells how many fit into some memory. Memory is
    /// touched only as nodes are made.
    pub fn with_limit(variables: usize, nodes: usize) -> Bdds {
        let bound = Arc::new(Bound::new(nodes));
        let variables = variables as u32;
        bound.manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        Bdds { variables, bound }
    }

    /// A manager for long computations: at most so many nodes, and so many results of operations remembered.
    pub fn with_cache(variables: usize, nodes: usize, cache: usize) -> Bdds {
        let bound = Arc::new(Bound::with_cache(nodes, cache));
        let variables = variables as u32;
        bound.manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        Bdds { variables, bound }
    }

    /// Whether all that was computed so far means something: no operation has needed more nodes than there may be.
    pub fn within_bounds(&self) -> Result<(), OutOfNodes> {
        self.bound.check()
    }

    /// The result of a computation, unless it ran out of nodes; then that, whatever the result is.
    pub fn checked<T, E: From<OutOfNodes>>(&self, result: Result<T, E>) -> Result<T, E> {
        self.within_bounds()?;
        result
    }

    /// How many nodes there may be at once.
    pub fn limit(&self) -> usize {
        self.bound.nodes
    }

    /// How many nodes there are at the moment, those that no diagram needs any more included until they are
    /// [collected](Bdds::collect).
    pub fn node_count(&self) -> usize {
        self.bound.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// Frees the nodes that no diagram needs any more, and says how many they were. This happens by itself when
    /// memory runs short.
    pub fn collect(&self) -> usize {
        self.bound.manager.with_manager_exclusive(|manager| manager.gc())
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// Every valuation.
    pub fn all(&self) -> Bdd {
        Bdd(self.bound.manager.with_manager_shared(BCDDFunction::t))
    }

    /// No valuation.
    pub fn none(&self) -> Bdd {
        Bdd(self.bound.manager.with_manager_shared(BCDDFunction::f))
    }

    /// The valuations where the variable is true.
    pub fn variable(&self, variable: usize) -> Bdd {
        self.none().variable(variable)
    }

    /// The valuations where the variable has this value.
    pub fn literal(&self, variable: usize, value: bool) -> Bdd {
        if value { self.variable(variable) } else { !&self.variable(variable) }
    }

    /// The conjunction of the variables, as [`Bdd::exists`] and [`Bdd::forall`] want it.
    pub fn cube(&self, variables: impl IntoIterator<Item = usize>) -> Bdd {
        self.cube_of(variables.into_iter().map(|variable| (variable, true)))
    }

    /// The conjunction of variables with these values, as [`Bdd::restrict`] wants it.
    pub fn cube_of(&self, values: impl IntoIterator<Item = (usize, bool)>) -> Bdd {
        let mut values: Vec<(usize, bool)> = values.into_iter().collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        values.iter().fold(self.all(), |cube, &(variable, value)| &self.literal(variable, value) & &cube)
    }
}

impl Bdd {
    /// The result of an operation. Where nodes run out, those that nobody needs any more are freed and it is tried
    /// once more; where that is not enough, the manager is exhausted.
    ///
    /// On an exhausted manager every operation gives the empty set, so that whatever goes on until a set no longer
    /// changes, or until it is empty, soon ends.
    fn made(&self, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Bdd {
        if exhausted::are_there_any() && exhausted::has(&self.0.manager_ref()) {
            return self.none();
        }
        match operation() {
            Ok(function) => Bdd(function),
            Err(_) => self.made_again(&operation),
        }
    }

    #[cold]
    fn made_again(&self, operation: &dyn Fn() -> AllocResult<BCDDFunction>) -> Bdd {
        self.0.with_manager_exclusive(|manager, _| manager.gc());
        match operation() {
            Ok(function) => Bdd(function),
            Err(_) => {
                exhausted::add(self.0.manager_ref());
                self.none()
            }
        }
    }

    #[cold]
    fn none(&self) -> Bdd {
        Bdd(self.0.with_manager_shared(|manager, _| BCDDFunction::f(manager)))
    }

    /// The variable's own diagram, in the manager of this one.
    fn variable(&self, variable: usize) -> Bdd {
        self.made(|| self.0.with_manager_shared(|manager, _| BCDDFunction::var(manager, variable as u32)))
    }

    /// Whether no valuation is in the set.
    pub fn is_none(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether every valuation is in the set.
    pub fn is_all(&self) -> bool {
        self.0.valid()
    }

    /// Whether some valuation is in both sets.
    pub fn meets(&self, other: &Bdd) -> bool {
        !(self & other).is_none()
    }

    /// Whether every valuation of this set is in the other.
    pub fn is_within(&self, other: &Bdd) -> bool {
        (self - other).is_none()
    }

    /// The valuations that are in the set for some value of the cube's variables.
    #[must_use]
    pub fn exists(&self, cube: &Bdd) -> Bdd {
        self.made(|| self.0.exists(&cube.0))
    }

    /// The valuations that are in the set for every value of the cube's variables.
    #[must_use]
    pub fn forall(&self, cube: &Bdd) -> Bdd {
        self.made(|| self.0.forall(&cube.0))
    }

    /// The valuations that are in both sets for some value of the cube's variables: the image of one set under the
    /// other, without ever making what they have in common.
    #[must_use]
    pub fn and_exists(&self, other: &Bdd, cube: &Bdd) -> Bdd {
        self.made(|| self.0.apply_exists(BooleanOperator::And, &other.0, &cube.0))
    }

    /// The valuations that are in one of the sets whatever the cube's variables are.
    #[must_use]
    pub fn or_forall(&self, other: &Bdd, cube: &Bdd) -> Bdd {
        self.made(|| self.0.apply_forall(BooleanOperator::Or, &other.0, &cube.0))
    }

    /// The set in which these variables, each named once, stand for these sets instead, all at the same time: a
    /// valuation is in it if it is in this set once each variable has the value of its set.
    #[must_use]
    pub fn substitute<'a>(&self, sets: impl IntoIterator<Item = (usize, &'a Bdd)>) -> Bdd {
        let (variables, sets): (Vec<u32>, Vec<BCDDFunction>) =
            sets.into_iter().map(|(variable, set)| (variable as u32, set.0.clone())).unzip();
        let substitution = Subst::new(variables, sets);
        self.made(|| self.0.substitute(&substitution))
    }

    /// What is left of the set when the variables of a [cube](Bdds::cube_of) have the values they have there. It no
    /// longer depends on them, and is never larger.
    #[must_use]
    pub fn restrict(&self, cube: &Bdd) -> Bdd {
        self.made(|| self.0.restrict(&cube.0))
    }

    /// `then` inside this set, `other` outside.
    #[must_use]
    pub fn choose(&self, then: &Bdd, other: &Bdd) -> Bdd {
        self.made(|| self.0.ite(&then.0, &other.0))
    }

    /// How many nodes its diagram has; none for the constant sets. Diagrams share their nodes.
    pub fn node_count(&self) -> usize {
        // The crate counts the terminal as well.
        self.0.node_count() - 1
    }

    /// The first variable the set depends on, with what is left when it is false and when it is true;
    /// nothing for the constant sets.
    pub fn split(&self) -> Option<(usize, Bdd, Bdd)> {
        let (variable, low, high) = self.0.with_manager_shared(|manager, edge| {
            let (high, low) = BCDDFunction::cofactors_edge(manager, edge)?;
            let variable = manager.level_to_var(manager.get_node(edge).unwrap_inner().level());
            let part = |edge| BCDDFunction::from_edge_ref(manager, edge);
            Some((variable as usize, part(low), part(high)))
        })?;
        Some((variable, Bdd(low), Bdd(high)))
    }

    /// The first variable the set depends on.
    pub fn top(&self) -> Option<usize> {
        self.0.with_manager_shared(|manager, edge| {
            let node = manager.get_node(edge);
            if node.is_any_terminal() {
                return None;
            }
            Some(manager.level_to_var(node.unwrap_inner().level()) as usize)
        })
    }

    /// Whether the valuation is in the set.
    pub fn contains(&self, value: impl Fn(usize) -> bool) -> bool {
        let mut at = self.clone();
        while let Some((variable, low, high)) = at.split() {
            at = if value(variable) { high } else { low };
        }
        at.is_all()
    }

    /// The variables the set depends on, in order.
    pub fn support(&self) -> Vec<usize> {
        let mut found = std::collections::BTreeSet::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![self.clone()];
        while let Some(at) = open.pop() {
            if let Some((variable, low, high)) = at.split()
                && seen.insert(at)
            {
                found.insert(variable);
                open.extend([low, high]);
            }
        }
        found.into_iter().collect()
    }

    /// A short sum of products that covers exactly this set: each product is a list of (variable, value).
    ///
    /// Minato's irredundant sum of products.
    pub fn products(&self) -> Vec<Vec<(usize, bool)>> {
        let mut products = products::irredundant(self, self).0;
        for product in &mut products {
            product.reverse();
        }
        products
    }
}

impl BitAnd for &Bdd {
    type Output = Bdd;
    fn bitand(self, other: &Bdd) -> Bdd {
        self.made(|| self.0.and(&other.0))
    }
}

impl BitOr for &Bdd {
    type Output = Bdd;
    fn bitor(self, other: &Bdd) -> Bdd {
        self.made(|| self.0.or(&other.0))
    }
}

impl BitXor for &Bdd {
    type Output = Bdd;
    fn bitxor(self, other: &Bdd) -> Bdd {
        self.made(|| self.0.xor(&other.0))
    }
}

impl Not for &Bdd {
    type Output = Bdd;
    fn not(self) -> Bdd {
        self.made(|| self.0.not())
    }
}

/// The valuations of the left set that are not in the right.
impl Sub for &Bdd {
    type Output = Bdd;
    fn sub(self, other: &Bdd) -> Bdd {
        self & &!other
    }
}
