//! Coordinates: items as near as possible to their neighbours in other rows, never too near in their own.

use super::layers::Layers;

/// Room between items of a row.
const BETWEEN: f64 = 16.0;

/// The middle of each item.
pub(super) fn place(layers: &Layers, rows: &[Vec<usize>]) -> (Vec<f64>, Vec<f64>) {
    let x = across(layers, rows);
    let y = down(layers, rows, &x);
    (x, y)
}

/// Sweeps down and up; each row takes the places its neighbours ask for, as nearly as its order allows.
fn across(layers: &Layers, rows: &[Vec<usize>]) -> Vec<f64> {
    let (above, below) = layers.neighbours();
    let mut x = vec![0.0; layers.items.len()];
    for row in rows {
        let wanted = vec![0.0; row.len()];
        settle(layers, row, &wanted, &mut x);
    }
    let sweeps = (1_500_000 / layers.items.len().max(1)).clamp(4, 40);
    for sweep in 0..sweeps {
        let is_down = sweep % 2 == 0;
        // The last sweeps listen to both sides, so that neither end of an edge has the last word.
        let is_last = sweep + 6 >= sweeps;
        for at in 0..rows.len() {
            let row = &rows[if is_down { at } else { rows.len() - 1 - at }];
            let wanted: Vec<f64> = row
                .iter()
                .map(|&item| {
                    let (mut sum, mut weight) = (0.0, 0.0);
                    let from_above = above[item].iter().filter(|_| is_down || is_last);
                    let from_below = below[item].iter().filter(|_| !is_down || is_last);
                    for &other in from_above.chain(from_below) {
                        let bend = !layers.items[item].is_node && !layers.items[other].is_node;
                        let pull = if bend { 4.0 } else { 1.0 };
                        sum += pull * x[other];
                        weight += pull;
                    }
                    if weight == 0.0 { x[item] } else { sum / weight }
                })
                .collect();
            settle(layers, row, &wanted, &mut x);
        }
    }
    let left = (0..x.len()).map(|item| x[item] - layers.items[item].left).fold(f64::INFINITY, f64::min);
    x.iter_mut().for_each(|x| *x -= left);
    x
}

/// Gives the items of one row the places nearest to those wanted (least squares) that keep their order and
/// distance: isotonic regression by pooling neighbours that would overlap.
fn settle(layers: &Layers, row: &[usize], wanted: &[f64], x: &mut [f64]) {
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(row.len());
    // Blocks of (sum of wanted places, count) whose items stand shoulder to shoulder.
    let mut blocks: Vec<(f64, usize)> = Vec::with_capacity(row.len());
    for (at, &item) in row.iter().enumerate() {
        if let Some(&before) = at.checked_sub(1).and_then(|before| row.get(before)) {
            offset += layers.items[before].right + BETWEEN + layers.items[item].left;
        }
        offsets.push(offset);
        blocks.push((wanted[at] - offset, 1));
        while let [.., (first, few), (second, more)] = blocks[..]
            && first / few as f64 >= second / more as f64
        {
            blocks.truncate(blocks.len() - 2);
            blocks.push((first + second, few + more));
        }
    }
    let middles = blocks.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    for ((&item, offset), middle) in row.iter().zip(offsets).zip(middles) {
        x[item] = middle + offset;
    }
}

/// Rows as high as what stands in them; more room between rows whose edges run far to the side.
fn down(layers: &Layers, rows: &[Vec<usize>], x: &[f64]) -> Vec<f64> {
    let (above, _) = layers.neighbours();
    let mut y = vec![0.0; layers.items.len()];
    let mut bottom: f64 = 0.0;
    for row in rows {
        let height = row.iter().map(|&item| layers.items[item].height).fold(0.0, f64::max);
        let aside = row
            .iter()
            .flat_map(|&item| above[item].iter().map(move |&other| (x[item] - x[other]).abs()))
            .fold(0.0, f64::max);
        let gap = if bottom == 0.0 { 0.0 } else { (aside / 7.0).clamp(16.0, 60.0) };
        row.iter().for_each(|&item| y[item] = bottom + gap + height / 2.0);
        bottom += gap + height;
    }
    y
}
