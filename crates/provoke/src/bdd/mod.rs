//! Sets of valuations as binary decision diagrams. The only folder that names the BDD crate.

mod space;

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::{BooleanFunction, BooleanFunctionQuant, Function, HasLevel, Manager, ManagerRef};

pub use self::space::Space;

/// How many nodes one manager may hold. Memory is touched only as nodes are made: full, it is about 400 MB.
const NODES: usize = 1 << 24;
const CACHE: usize = 1 << 16;

/// The variables that diagrams are made of. Cloning shares them.
#[derive(Clone)]
pub struct Bdds {
    manager: BCDDManagerRef,
    variables: u32,
}

/// A set of valuations: a Boolean function of the variables of one [`Bdds`].
///
/// Functions of different managers must not be mixed. Equality is equality of the functions.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

/// The payload of the panic that ends a computation which needs more nodes than a manager holds. The command
/// turns it into a message about the specification; a library user may catch it likewise.
#[derive(Debug)]
pub struct OutOfNodes;

impl fmt::Display for OutOfNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the specification needs more than {NODES} decision-diagram nodes")
    }
}

fn made(result: oxidd::util::AllocResult<BCDDFunction>) -> Bdd {
    match result {
        Ok(function) => Bdd(function),
        Err(_) => std::panic::panic_any(OutOfNodes),
    }
}

impl fmt::Debug for Bdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdds({} variables)", self.variables)
    }
}

impl Bdds {
    /// A manager with variables `0..variables`, in this order.
    pub fn new(variables: usize) -> Bdds {
        let manager = oxidd::bcdd::new_manager(NODES, CACHE, 1);
        let variables = variables as u32;
        manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        Bdds { manager, variables }
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.variables as usize
    }

    /// Every valuation.
    pub fn all(&self) -> Bdd {
        Bdd(self.manager.with_manager_shared(BCDDFunction::t))
    }

    /// No valuation.
    pub fn none(&self) -> Bdd {
        Bdd(self.manager.with_manager_shared(BCDDFunction::f))
    }

    /// The valuations where the variable is true.
    pub fn variable(&self, variable: usize) -> Bdd {
        made(self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, variable as u32)))
    }

    /// The valuations where the variable has this value.
    pub fn literal(&self, variable: usize, value: bool) -> Bdd {
        if value { self.variable(variable) } else { !&self.variable(variable) }
    }

    /// The conjunction of the variables, as [`Bdd::exists`] and [`Bdd::forall`] want it.
    pub fn cube(&self, variables: impl IntoIterator<Item = usize>) -> Bdd {
        let mut variables: Vec<usize> = variables.into_iter().collect();
        variables.sort_unstable_by(|a, b| b.cmp(a));
        variables.iter().fold(self.all(), |cube, &variable| &self.variable(variable) & &cube)
    }
}

impl Bdd {
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
        made(self.0.exists(&cube.0))
    }

    /// The valuations that are in the set for every value of the cube's variables.
    #[must_use]
    pub fn forall(&self, cube: &Bdd) -> Bdd {
        made(self.0.forall(&cube.0))
    }

    /// `then` inside this set, `other` outside.
    #[must_use]
    pub fn choose(&self, then: &Bdd, other: &Bdd) -> Bdd {
        made(self.0.ite(&then.0, &other.0))
    }

    /// The first variable the set depends on, with what is left when it is false and when it is true;
    /// nothing for the constant sets.
    pub fn split(&self) -> Option<(usize, Bdd, Bdd)> {
        let (high, low) = self.0.cofactors()?;
        Some((self.top()?, Bdd(low), Bdd(high)))
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
        let mut products = irredundant(self, self).0;
        for product in &mut products {
            product.reverse();
        }
        products
    }
}

type Products = Vec<Vec<(usize, bool)>>;

/// Products that cover `lower` and stay within `upper`, and the set they cover. Literals come last-first.
fn irredundant(lower: &Bdd, upper: &Bdd) -> (Products, Bdd) {
    if lower.is_none() {
        return (Vec::new(), lower.clone());
    }
    if upper.is_all() {
        return (vec![Vec::new()], upper.clone());
    }
    let variable = match (lower.top(), upper.top()) {
        (Some(a), Some(b)) => a.min(b),
        (a, b) => a.or(b).expect("two constant sets were dealt with above"),
    };
    let around = |set: &Bdd| match set.split() {
        Some((top, low, high)) if top == variable => (low, high),
        _ => (set.clone(), set.clone()),
    };
    let ((lower_low, lower_high), (upper_low, upper_high)) = (around(lower), around(upper));
    let (mut low, low_covers) = irredundant(&(&lower_low - &upper_high), &upper_low);
    let (mut high, high_covers) = irredundant(&(&lower_high - &upper_low), &upper_high);
    let rest = &(&lower_low - &low_covers) | &(&lower_high - &high_covers);
    let (both, both_cover) = irredundant(&rest, &(&upper_low & &upper_high));
    low.iter_mut().for_each(|product| product.push((variable, false)));
    high.iter_mut().for_each(|product| product.push((variable, true)));
    let decision = variable_like(lower, variable);
    let covers = decision.choose(&(&high_covers | &both_cover), &(&low_covers | &both_cover));
    low.append(&mut high);
    low.extend(both);
    (low, covers)
}

/// The variable's own diagram, in the manager of `like`.
fn variable_like(like: &Bdd, variable: usize) -> Bdd {
    made(like.0.with_manager_shared(|manager, _| BCDDFunction::var(manager, variable as u32)))
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let products = self.products();
        if products.is_empty() {
            return f.write_str("none");
        }
        for (at, product) in products.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " | " })?;
            for (position, (variable, value)) in product.iter().enumerate() {
                let and = if position == 0 { "" } else { "&" };
                write!(f, "{and}{}{variable}", if *value { "" } else { "!" })?;
            }
            if product.is_empty() {
                f.write_str("all")?;
            }
        }
        Ok(())
    }
}

impl BitAnd for &Bdd {
    type Output = Bdd;
    fn bitand(self, other: &Bdd) -> Bdd {
        made(self.0.and(&other.0))
    }
}

impl BitOr for &Bdd {
    type Output = Bdd;
    fn bitor(self, other: &Bdd) -> Bdd {
        made(self.0.or(&other.0))
    }
}

impl BitXor for &Bdd {
    type Output = Bdd;
    fn bitxor(self, other: &Bdd) -> Bdd {
        made(self.0.xor(&other.0))
    }
}

impl Not for &Bdd {
    type Output = Bdd;
    fn not(self) -> Bdd {
        made(self.0.not())
    }
}

/// The valuations of the left set that are not in the right.
impl Sub for &Bdd {
    type Output = Bdd;
    fn sub(self, other: &Bdd) -> Bdd {
        self & &!other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(left: &Bdd, right: &Bdd) -> bool {
        left == right
    }

    #[test]
    fn quantifiers_and_products() {
        let bdds = Bdds::new(3);
        let [a, b, c] = [0, 1, 2].map(|variable| bdds.variable(variable));
        let either = &a | &b;
        assert!(same(&either.exists(&bdds.cube([0])), &bdds.all()));
        assert!(same(&either.forall(&bdds.cube([0])), &b));
        assert_eq!(either.support(), [0, 1]);
        assert_eq!((&a & &!&c).products(), [vec![(0, true), (2, false)]]);
        assert_eq!(bdds.none().products(), Products::new());
        assert_eq!(bdds.all().products(), [vec![]]);
        assert!(either.contains(|variable| variable == 1));
        assert!(!either.contains(|variable| variable == 2));
    }

    #[test]
    fn products_cover_exactly_the_set() {
        let bdds = Bdds::new(5);
        let mut rng = crate::rng::Rng::new(2);
        for _ in 0..50 {
            let table = rng.bits() as u32;
            let minterm =
                |row: usize| (0..5).fold(bdds.all(), |all, at| &all & &bdds.literal(at, row >> at & 1 == 1));
            let set = (0..32)
                .filter(|row| table >> row & 1 == 1)
                .fold(bdds.none(), |set, row| &set | &minterm(row));
            let again = set.products().iter().fold(bdds.none(), |sum, product| {
                let term =
                    product.iter().fold(bdds.all(), |term, &(at, value)| &term & &bdds.literal(at, value));
                &sum | &term
            });
            assert!(same(&set, &again));
        }
    }
}
