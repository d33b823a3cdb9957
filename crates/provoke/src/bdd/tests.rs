//! Operations on diagrams against tables of truth.

use super::*;
use crate::rng::Rng;

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
    assert_eq!(bdds.none().products(), Vec::<Vec<(usize, bool)>>::new());
    assert_eq!(bdds.all().products(), [vec![]]);
    assert!(either.contains(|variable| variable == 1));
    assert!(!either.contains(|variable| variable == 2));
}

#[test]
fn products_cover_exactly_the_set() {
    let bdds = Bdds::new(5);
    let mut rng = Rng::new(2);
    for _ in 0..50 {
        let table = rng.bits() as u32;
        let minterm =
            |row: usize| (0..5).fold(bdds.all(), |all, at| &all & &bdds.literal(at, row >> at & 1 == 1));
        let set =
            (0..32).filter(|row| table >> row & 1 == 1).fold(bdds.none(), |set, row| &set | &minterm(row));
        let again = set.products().iter().fold(bdds.none(), |sum, product| {
            let term = product.iter().fold(bdds.all(), |term, &(at, value)| &term & &bdds.literal(at, value));
            &sum | &term
        });
        assert!(same(&set, &again));
    }
}

const VARIABLES: usize = 5;
const ROWS: usize = 1 << VARIABLES;

/// A set, and whether each valuation is in it: bit `row` for the valuation whose bits are those of `row`.
#[derive(Clone, Debug)]
struct Both {
    set: Bdd,
    table: u32,
}

fn value(row: usize) -> impl Fn(usize) -> bool {
    move |variable| row >> variable & 1 == 1
}

fn table_of(test: impl Fn(usize) -> bool) -> u32 {
    (0..ROWS).filter(|&row| test(row)).fold(0, |table, row| table | 1 << row)
}

impl Both {
    fn of(bdds: &Bdds, table: u32) -> Both {
        let row = |row: usize| bdds.cube_of((0..VARIABLES).map(|at| (at, value(row)(at))));
        let rows = (0..ROWS).filter(|&at| table >> at & 1 == 1);
        Both { set: rows.fold(bdds.none(), |set, at| &set | &row(at)), table }
    }

    fn random(bdds: &Bdds, rng: &mut Rng) -> Both {
        // Sparse, dense and middling tables alike.
        let (first, second) = (rng.bits() as u32, rng.bits() as u32);
        Both::of(bdds, [first, first & second, first | second][rng.below(3) as usize])
    }

    fn has(&self, row: usize) -> bool {
        self.table >> row & 1 == 1
    }
}

/// The valuation with other values for the variables of `mask`.
fn with(row: usize, mask: usize, values: usize) -> usize {
    row & !mask | values & mask
}

fn is(set: &Bdd, expected: impl Fn(usize) -> bool) -> bool {
    (0..ROWS).all(|row| set.contains(value(row)) == expected(row))
}

#[test]
fn operations_agree_with_tables() {
    let (bdds, mut rng) = (Bdds::new(VARIABLES), Rng::new(5));
    for _ in 0..60 {
        let [a, b, c] = [(); 3].map(|()| Both::random(&bdds, &mut rng));
        let (mask, values) = (rng.below(ROWS as u64) as usize, rng.below(ROWS as u64) as usize);
        let cube = bdds.cube((0..VARIABLES).filter(|at| mask >> at & 1 == 1));
        let some = |row: usize, test: &dyn Fn(usize) -> bool| (0..ROWS).any(|at| test(with(row, mask, at)));
        assert!(is(&(&a.set - &b.set), |row| a.has(row) && !b.has(row)));
        assert!(is(&a.set.choose(&b.set, &c.set), |row| if a.has(row) { b.has(row) } else { c.has(row) }));
        assert!(is(&a.set.exists(&cube), |row| some(row, &|at| a.has(at))));
        assert!(is(&a.set.and_exists(&b.set, &cube), |row| some(row, &|at| a.has(at) && b.has(at))));
        assert!(a.set.and_exists(&b.set, &cube) == (&a.set & &b.set).exists(&cube));
        let fixed =
            bdds.cube_of((0..VARIABLES).filter(|at| mask >> at & 1 == 1).map(|at| (at, value(values)(at))));
        let left = a.set.restrict(&fixed);
        assert!(is(&left, |row| a.has(with(row, mask, values))));
        assert!(left.node_count() <= a.set.node_count());
        assert!(left.support().iter().all(|at| mask >> at & 1 == 0));
    }
}

#[test]
fn substitution_is_of_all_variables_at_once() {
    let (bdds, mut rng) = (Bdds::new(VARIABLES), Rng::new(6));
    for _ in 0..60 {
        let of = Both::random(&bdds, &mut rng);
        let mask = rng.below(ROWS as u64) as usize;
        let mut by: Vec<(usize, Both)> = (0..VARIABLES)
            .filter(|at| mask >> at & 1 == 1)
            .map(|at| (at, Both::random(&bdds, &mut rng)))
            .collect();
        rng.shuffle(&mut by);
        let replaced = |row: usize| {
            let bits = by.iter().map(|(at, set)| usize::from(set.has(row)) << at);
            with(row, mask, bits.sum())
        };
        let result = of.set.substitute(by.iter().map(|(at, set)| (*at, &set.set)));
        assert!(is(&result, |row| of.has(replaced(row))));
    }
    let [a, b] = [0, 1].map(|variable| bdds.variable(variable));
    let swapped = (&a & &!&b).substitute([(0, &b), (1, &a)]);
    assert!(swapped == &b & &!&a);
}

#[test]
fn nodes_are_counted() {
    let bdds = Bdds::new(4);
    assert_eq!((bdds.all().node_count(), bdds.none().node_count(), bdds.node_count()), (0, 0, 0));
    let parity = (0..4).fold(bdds.none(), |sum, at| &sum ^ &bdds.variable(at));
    // With complemented edges a parity takes one node a variable.
    assert_eq!((parity.node_count(), (!&parity).node_count()), (4, 4));
    assert!(bdds.node_count() >= 4);
    bdds.collect();
    assert_eq!(bdds.node_count(), 4);
    drop(parity);
    assert_eq!((bdds.collect(), bdds.node_count()), (4, 0));
    assert_eq!((bdds.limit(), bdds.within_bounds()), (NODES, Ok(())));
}

/// The functions of a chain of operations, with at most so many nodes.
fn chain(nodes: usize) -> (Bdds, Vec<u32>) {
    let (bdds, mut rng) = (Bdds::with_limit(VARIABLES, nodes), Rng::new(7));
    let mut kept = vec![bdds.variable(0), bdds.variable(1)];
    for _ in 0..60 {
        let [a, b] = [(); 2].map(|()| kept[rng.below(kept.len() as u64) as usize].clone());
        let variable = rng.below(VARIABLES as u64) as usize;
        let cube = bdds.cube([variable]);
        kept.push(match rng.below(7) {
            0 => &a & &b,
            1 => &a ^ &b,
            2 => a.and_exists(&b, &cube),
            3 => a.substitute([(variable, &b)]),
            4 => a.restrict(&cube),
            5 => bdds.variable(variable).choose(&a, &b),
            _ => !&(&a - &b),
        });
        if kept.len() > 6 {
            kept.remove(0);
        }
    }
    let tables = kept.iter().map(|set| table_of(|row| set.contains(value(row)))).collect();
    (bdds, tables)
}

#[test]
fn a_chain_of_operations_is_right_or_runs_out() {
    let (enough, expected) = chain(10_000);
    assert_eq!(enough.within_bounds(), Ok(()));
    let mut ran_out = 0;
    for nodes in 1..120 {
        let (bdds, tables) = chain(nodes);
        match bdds.within_bounds() {
            Ok(()) => assert_eq!(tables, expected, "{nodes} nodes"),
            Err(error) => {
                assert_eq!(error, OutOfNodes { nodes });
                ran_out += 1;
            }
        }
    }
    assert!(ran_out > 5 && ran_out < 100, "{ran_out}");
}

#[test]
fn an_exhausted_manager_stays_so_and_gives_nothing() {
    let bdds = Bdds::with_limit(8, 4);
    assert_eq!(bdds.clone().within_bounds(), Ok(()));
    let parity = (0..8).fold(bdds.none(), |sum, at| &sum ^ &bdds.variable(at));
    assert_eq!(bdds.clone().within_bounds(), Err(OutOfNodes { nodes: 4 }));
    drop(parity);
    bdds.collect();
    assert!((&bdds.all() | &bdds.all()).is_none() && bdds.variable(0).is_none());
    assert_eq!(bdds.variable(0).products().len(), 0);
    assert!(bdds.within_bounds().is_err());
}

#[test]
fn garbage_does_not_count() {
    // Hundreds of diagrams, one after another, where there is room for few of them.
    let (bdds, mut rng) = (Bdds::with_limit(VARIABLES, 100), Rng::new(8));
    for _ in 0..300 {
        let both = Both::random(&bdds, &mut rng);
        assert!(is(&both.set, |row| both.has(row)));
    }
    assert_eq!(bdds.within_bounds(), Ok(()));
}

#[test]
fn memory_in_megabytes() {
    assert_eq!(nodes_within(384), NODES);
    assert_eq!(Bdds::with_limit(1, 0).limit(), 1);
}
