//! Letters at the edges of a set: where a value of a field is in it and the one beside it is not, or has another effect on
//! the rest of the letter. Faults like to hide there.

use std::ops::Range;

use super::set::{Diagram, OUT};
use super::{Letter, LetterSet, reversed};
use crate::rng::Rng;

/// How the value of a field is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// As in a letter drawn by chance.
    Chance,
    /// The least that there is, or the greatest.
    Extreme(bool),
    /// At an edge; behind it the value that is nearest to it, `true` for the greatest.
    Edge(Option<bool>),
}

impl LetterSet {
    /// Whether its letters have fields whose values lie side by side.
    pub fn has_edges(&self) -> bool {
        !self.diagram().fields.is_empty()
    }

    /// One letter of the set, its values often at an edge of it or just beside one; by chance alone where all signals are
    /// Boolean.
    pub fn edge(&self, rng: &mut Rng) -> Option<Letter> {
        let drawn = self.sample(rng)?;
        if !self.has_edges() {
            return Some(drawn);
        }
        let letter = self.diagram().edge(drawn, rng);
        let beside = if rng.below(4) == 0 { self.diagram().beside(letter, rng) } else { letter };
        let found = [beside, letter].into_iter().find(|&letter| self.contains(letter));
        Some(found.unwrap_or(drawn))
    }
}

impl Diagram {
    fn edge(&self, drawn: Letter, rng: &mut Rng) -> Letter {
        let mut letter = Letter::default();
        let mut at = self.root;
        let mut fields = self.fields.iter().peekable();
        let mut field: Range<usize> = 0..0;
        let mut way = Way::Chance;
        for bit in 0..self.bits {
            if let Some(next) = fields.next_if(|next| next.start == bit) {
                field = next.clone();
                way = match rng.below(4) {
                    0 => Way::Chance,
                    1 => Way::Extreme(rng.below(2) == 1),
                    _ => Way::Edge(None),
                };
            } else if bit == field.end {
                way = Way::Chance;
            }
            let node = &self.nodes[at as usize];
            let high = match (node.low, node.high) {
                (OUT, _) => {
                    if let Way::Edge(_) = way {
                        way = Way::Edge(Some(false));
                    }
                    true
                }
                (_, OUT) => {
                    if let Way::Edge(_) = way {
                        way = Way::Edge(Some(true));
                    }
                    false
                }
                (low, high) => match way {
                    Way::Chance => drawn.get(bit),
                    Way::Extreme(greatest) => greatest,
                    Way::Edge(nearest) => {
                        let is_settled = |child: u32| bit + 1 == field.end || self.settled[child as usize];
                        match (is_settled(low), is_settled(high)) {
                            (true, false) => true,
                            (false, true) => false,
                            (true, true) if low == high => nearest.unwrap_or(drawn.get(bit)),
                            _ => {
                                let high = rng.below(2) == 1;
                                way = Way::Edge(Some(!high));
                                high
                            }
                        }
                    }
                },
            };
            at = if high { node.high } else { node.low };
            letter = letter.with(bit, high);
        }
        letter
    }

    /// A letter with a value beside that of one of its fields, or one further: a set may go on behind a value that is not
    /// in it.
    fn beside(&self, letter: Letter, rng: &mut Rng) -> Letter {
        let Some(field) = rng.pick(&self.fields) else { return letter };
        let code = reversed(letter.code(field), field.len());
        let far = 1 + rng.below(2);
        let code = if rng.below(2) == 0 { code.wrapping_add(far) } else { code.wrapping_sub(far) };
        letter.with_code(field, reversed(code, field.len()))
    }

    /// For each node, whether every value of the rest of its field leads to the same place; `heights` says how many bits
    /// it and those below it decide.
    pub(super) fn settle(&mut self, heights: impl Iterator<Item = u32>) {
        let mut settled: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for (node, height) in self.nodes.iter().zip(heights) {
            let level = self.bits - height as usize;
            let is_last = !self.fields.iter().any(|field| field.contains(&level) && level + 1 < field.end);
            let below = || settled.get(node.low as usize).copied().unwrap_or(true);
            settled.push(node.low == node.high && (is_last || below()));
        }
        self.settled = settled;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::bdd::Space;
    use crate::letter::{Alphabet, Interface, Kind};
    use crate::rng::Rng;

    #[test]
    fn edges_of_a_set_are_drawn_often() {
        let fields = [("door", Kind::Boolean), ("x", Kind::Number { low: -1, high: 9_999 })];
        let inputs = Alphabet::of_fields(fields).unwrap();
        let space = Space::new(Interface::new(inputs.clone(), Alphabet::signals(["y"]).unwrap()).unwrap());
        let mut rng = Rng::new(1);
        for (text, edges) in [
            ("x >= 5000", vec![5_000, 9_999]),
            ("x < 5000", vec![-1, 4_999]),
            ("x in 17..4711 & door", vec![17, 4_711]),
            ("x != 1234", vec![-1, 1_233, 1_235, 9_999]),
            ("x in {3, 77, 900}", vec![3, 77, 900]),
        ] {
            let set = space.input_letters(&space.proposition(text).unwrap());
            let mut seen: BTreeMap<i64, u32> = BTreeMap::new();
            for _ in 0..800 {
                let letter = set.edge(&mut rng).unwrap();
                assert!(set.contains(letter));
                *seen.entry(inputs.int(letter, "x").unwrap()).or_default() += 1;
            }
            // Each edge has at least one chance in 80: 800 draws meet it less than once with p < 1e-4.
            for edge in edges {
                assert!(seen.get(&edge).is_some_and(|&times| times >= 1), "{text}: {edge}: {seen:?}");
            }
        }
        let plain = space.output_letters(&space.bdds().all());
        assert!(!plain.has_edges() && plain.edge(&mut rng).is_some());
    }

    #[test]
    fn edges_of_sums_are_drawn_often() {
        let field = |name| (name, Kind::Number { low: 0, high: 9_999 });
        let inputs = Alphabet::of_fields([field("a"), field("b")]).unwrap();
        let space = Space::new(Interface::new(inputs.clone(), Alphabet::signals(["y"]).unwrap()).unwrap());
        let mut rng = Rng::new(1);
        for (text, sum) in [("a + b >= 500", 500), ("a + b < 500", 499)] {
            let set = space.input_letters(&space.proposition(text).unwrap());
            let value = |letter, name| inputs.int(letter, name).unwrap();
            let drawn: Vec<i64> = (0..1_000)
                .filter_map(|_| set.edge(&mut rng))
                .map(|letter| value(letter, "a") + value(letter, "b"))
                .collect();
            let times = drawn.iter().filter(|&&drawn| drawn == sum).count();
            // About one in seven, and more: fewer than 100 of 1,000 with p < 1e-4.
            assert!(times >= 100, "{text}: {times}");
        }
    }
}
