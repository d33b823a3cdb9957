//! The strongly connected components of a draft, and the marks inside them.

use super::draft::{Arrow, Marks};
use crate::connected::Components;

impl Components {
    /// The components of a draft, given the arrows that leave each state.
    pub(crate) fn of_arrows(arrows: &[Vec<Arrow>]) -> Components {
        Components::new(arrows.len(), |at| arrows[at as usize].iter().map(|arrow| arrow.to))
    }

    /// Whether an arrow stays inside a component.
    pub(crate) fn inside(&self, from: usize, arrow: &Arrow) -> bool {
        self.of[from] == self.of[arrow.to as usize]
    }

    /// For each component, the marks of the arrows inside; nothing where there is no arrow inside.
    pub(crate) fn marks(&self, arrows: &[Vec<Arrow>]) -> Vec<Option<Marks>> {
        let mut marks = vec![None; self.count];
        for (at, list) in arrows.iter().enumerate() {
            for arrow in list.iter().filter(|arrow| self.inside(at, arrow)) {
                *marks[self.of[at] as usize].get_or_insert(0) |= arrow.marks;
            }
        }
        marks
    }
}
