//! How often abstract transitions were taken.

use rustc_hash::FxHashMap;

/// The test-trace graph of paper 2, section 3.2: the weight of an abstract transition is 1, and more by what it counts
/// each time it is taken.
#[derive(Clone, Debug)]
pub struct Weights {
    weights: FxHashMap<u64, u32>,
    most: usize,
}

impl Weights {
    /// No transition was taken yet. Beyond so many of them, new ones are not remembered.
    pub fn new(most: usize) -> Weights {
        Weights { weights: FxHashMap::default(), most }
    }

    /// The weight of a transition.
    #[inline]
    pub fn get(&self, key: u64) -> u32 {
        self.weights.get(&key).copied().unwrap_or(1)
    }

    /// A transition was taken.
    #[inline]
    pub fn raise(&mut self, key: u64, by: u32) {
        if let Some(weight) = self.weights.get_mut(&key) {
            *weight = weight.saturating_add(by);
        } else if self.weights.len() < self.most {
            self.weights.insert(key, 1u32.saturating_add(by));
        }
    }

    /// How many transitions were taken.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Forgets them all.
    pub fn clear(&mut self) {
        self.weights.clear();
    }

    /// How much memory they take, in bytes.
    pub fn memory(&self) -> usize {
        self.weights.capacity() * (size_of::<(u64, u32)>() + 1)
    }
}
