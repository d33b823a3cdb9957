//! Loops of a node: on its right, one below the other, each beside its own label.

/// How far a loop reaches out of its node, and the arrow at a start.
pub(super) const REACH: f64 = 24.0;

/// The least height that a loop takes, and the room between one and the next.
const LEAST: f64 = 18.0;
const BETWEEN: f64 = 6.0;

/// How high the loops of a node are together, given how high their labels are.
pub(super) fn height(labels: &[f64]) -> f64 {
    let bands: f64 = labels.iter().map(|label| label.max(LEAST)).sum();
    bands + BETWEEN * labels.len().saturating_sub(1) as f64
}

/// One loop, as it lies from the middle of its node.
pub(super) struct Loop {
    /// Where it leaves and enters: how far below the middle.
    pub(super) ends: [f64; 2],
    /// Where its curve is drawn towards: how far below the middle.
    pub(super) pulls: [f64; 2],
    /// The middle of its label: how far below the middle.
    pub(super) label: f64,
}

/// The loops of a node that is so high, from top to bottom.
pub(super) fn loops(labels: &[f64], node: f64) -> Vec<Loop> {
    let count = labels.len() as f64;
    // All ends share the straight part of the node's side, or nearly.
    let share = ((node - 12.0) / count).min(14.0);
    let mut top = -height(labels) / 2.0;
    let mut placed = Vec::with_capacity(labels.len());
    for (at, label) in labels.iter().enumerate() {
        let band = label.max(LEAST);
        let (middle, side) = (top + band / 2.0, (at as f64 - (count - 1.0) / 2.0) * share);
        // The tip of a cubic curve is three quarters of the way to where it is drawn.
        let towards = (middle - side / 4.0) / 0.75;
        let bulge = if labels.len() == 1 { 22.0 } else { 13.0 };
        placed.push(Loop {
            ends: [side - share / 2.0, side + share / 2.0],
            pulls: [towards - bulge, towards + bulge],
            label: middle,
        });
        top += band + BETWEEN;
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_loops_keep_apart() {
        let labels = [14.0, 112.0, 0.0, 28.0];
        let placed = loops(&labels, 46.0);
        for at in 1..labels.len() {
            let (above, below) = (&placed[at - 1], &placed[at]);
            assert!(above.label + labels[at - 1] / 2.0 < below.label - labels[at] / 2.0);
            assert!(above.ends[1] <= below.ends[0]);
        }
        assert!(placed[0].label - labels[0] / 2.0 >= -height(&labels) / 2.0);
        assert!(placed[3].label + labels[3] / 2.0 <= height(&labels) / 2.0);
    }
}
