//! Tuples of component states, and the numbers of those that were met.

use rustc_hash::FxHashMap;

use super::Component;

/// The component state of a purpose that can no longer be met.
pub(super) const LOST: u32 = u32::MAX;

/// The number of each tuple that was met: tuples are digits of one large number, [`LOST`] being digit 0.
pub(super) struct Tuples {
    strides: Vec<u128>,
    known: FxHashMap<u128, u32>,
    /// The same as a list, where there cannot be many tuples; [`LOST`] where a tuple was not met.
    listed: Vec<u32>,
}

/// So many tuples are few.
const FEW_TUPLES: u128 = 1 << 12;

impl Tuples {
    /// None where the tuples do not fit into the digits.
    pub(super) fn new(components: &[Component]) -> Option<Tuples> {
        let mut strides = Vec::new();
        let mut stride = 1u128;
        for component in components {
            strides.push(stride);
            stride = stride.checked_mul(component.automaton.states.len() as u128 + 1)?;
        }
        let listed = vec![LOST; if stride <= FEW_TUPLES { stride as usize } else { 0 }];
        Some(Tuples { strides, known: FxHashMap::default(), listed })
    }

    /// What a component in this state adds to the number of a tuple.
    #[inline]
    pub(super) fn digit(&self, place: usize, state: u32) -> u128 {
        self.strides[place] * u128::from(state + 1)
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn number(&mut self, tuple: &[u32]) -> u32 {
        let digits = tuple.iter().map(|state| u128::from(state.wrapping_add(1)));
        let key = digits.zip(&self.strides).map(|(digit, stride)| digit * stride).sum();
        let next = self.known.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if let Some(listed) = self.listed.get_mut(key as usize) {
            *listed = number;
        }
        number
    }

    #[inline]
    pub(super) fn find(&self, key: u128) -> Option<u32> {
        if self.listed.is_empty() {
            return self.known.get(&key).copied();
        }
        self.listed.get(key as usize).copied().filter(|&number| number != LOST)
    }
}
