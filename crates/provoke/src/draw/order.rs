//! The order of items within their rows: as few crossings as a few sweeps can find.

use super::layers::Layers;

/// For each row, its items from left to right.
///
/// Barycentre sweeps, down and up in turn, keeping the best order seen; then swaps of neighbours.
pub(super) fn order(layers: &Layers) -> Vec<Vec<usize>> {
    let (above, below) = layers.neighbours();
    let mut rows = depth_first(layers, &below);
    let mut place = vec![0; layers.items.len()];
    number(&rows, &mut place);
    let mut best = (crossings(&rows, &below, &place), rows.clone());
    let sweeps = (1_500_000 / layers.items.len().max(1)).clamp(2, 24);
    for sweep in 0..sweeps {
        if best.0 == 0 {
            break;
        }
        let down = sweep % 2 == 0;
        let neighbours = if down { &above } else { &below };
        let count = rows.len();
        for at in 0..count {
            let row = &mut rows[if down { at } else { count - 1 - at }];
            sort_by_barycentre(row, neighbours, &place);
            row.iter().enumerate().for_each(|(at, &item)| place[item] = at);
        }
        swap_neighbours(&mut rows, &above, &below, &mut place);
        let found = crossings(&rows, &below, &place);
        if found < best.0 {
            best = (found, rows.clone());
        }
    }
    best.1
}

fn number(rows: &[Vec<usize>], place: &mut [usize]) {
    for row in rows {
        row.iter().enumerate().for_each(|(at, &item)| place[item] = at);
    }
}

/// A first order: each item beside what was reached just before it.
fn depth_first(layers: &Layers, below: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); layers.rows];
    let mut seen = vec![false; layers.items.len()];
    let mut roots: Vec<usize> = (0..layers.items.len()).collect();
    roots.sort_by_key(|&item| layers.items[item].row);
    for root in roots {
        let mut open = vec![root];
        while let Some(item) = open.pop() {
            if !std::mem::replace(&mut seen[item], true) {
                rows[layers.items[item].row].push(item);
                open.extend(below[item].iter().rev());
            }
        }
    }
    rows
}

fn sort_by_barycentre(row: &mut [usize], neighbours: &[Vec<usize>], place: &[usize]) {
    let mut keyed: Vec<(f64, usize)> = row
        .iter()
        .enumerate()
        .map(|(at, &item)| {
            let near = &neighbours[item];
            let sum: usize = near.iter().map(|&other| place[other]).sum();
            (if near.is_empty() { at as f64 } else { sum as f64 / near.len() as f64 }, item)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    row.iter_mut().zip(keyed).for_each(|(slot, (_, item))| *slot = item);
}

fn swap_neighbours(rows: &mut [Vec<usize>], above: &[Vec<usize>], below: &[Vec<usize>], place: &mut [usize]) {
    for row in rows {
        for at in 1..row.len() {
            let (left, right) = (row[at - 1], row[at]);
            let cost = |first: usize, second: usize| {
                pairs(&above[first], &above[second], place) + pairs(&below[first], &below[second], place)
            };
            if cost(right, left) < cost(left, right) {
                row.swap(at - 1, at);
                (place[left], place[right]) = (at, at - 1);
            }
        }
    }
}

/// Crossings between the edges of two neighbours, the first standing left of the second.
fn pairs(first: &[usize], second: &[usize], place: &[usize]) -> usize {
    // Hubs have many edges; a sample decides as well.
    let (first, second) = (&first[..first.len().min(24)], &second[..second.len().min(24)]);
    first.iter().map(|&a| second.iter().filter(|&&b| place[b] < place[a]).count()).sum()
}

/// All crossings, row by row, by counting inversions.
fn crossings(rows: &[Vec<usize>], below: &[Vec<usize>], place: &[usize]) -> u64 {
    let mut total = 0;
    for pair in rows.windows(2) {
        let mut tree = vec![0u64; pair[1].len() + 1];
        let mut seen = 0;
        for &item in &pair[0] {
            let mut ends: Vec<usize> = below[item].iter().map(|&other| place[other]).collect();
            ends.sort_unstable();
            for &end in &ends {
                // Edges seen so far that end right of this one.
                let (mut at, mut not_right) = (end + 1, 0);
                while at > 0 {
                    not_right += tree[at];
                    at &= at - 1;
                }
                total += seen - not_right;
            }
            for end in ends {
                let mut at = end + 1;
                while at < tree.len() {
                    tree[at] += 1;
                    at += at & at.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::super::layers::{Item, Way, layers};
    use super::*;

    fn picture(nodes: usize, edges: &[(usize, usize)]) -> Layers {
        let item = Item { left: 10.0, right: 10.0, height: 10.0, row: 0, is_node: true };
        let ways: Vec<Way> =
            edges.iter().map(|&(from, to)| Way { from, to, width: 5.0, height: 5.0 }).collect();
        layers(vec![item; nodes], &[0], &ways)
    }

    fn crossings_of(layers: &Layers, rows: &[Vec<usize>]) -> u64 {
        let mut place = vec![0; layers.items.len()];
        number(rows, &mut place);
        crossings(rows, &layers.neighbours().1, &place)
    }

    #[test]
    fn planar_graphs_are_drawn_without_crossings() {
        // A tree given in a mixed-up order, and a ladder.
        let tree = picture(7, &[(0, 2), (0, 1), (1, 6), (2, 3), (1, 4), (2, 5)]);
        let ladder = picture(6, &[(0, 2), (1, 3), (2, 4), (3, 5), (0, 1), (2, 3), (4, 5)]);
        for layers in [tree, ladder] {
            assert_eq!(crossings_of(&layers, &order(&layers)), 0);
        }
    }

    #[test]
    fn every_item_stands_in_its_row_once() {
        let layers = picture(5, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 0), (3, 1)]);
        let rows = order(&layers);
        let mut all: Vec<usize> = rows.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..layers.items.len()).collect::<Vec<usize>>());
        for (row, items) in rows.iter().enumerate() {
            assert!(items.iter().all(|&item| layers.items[item].row == row));
        }
    }
}
