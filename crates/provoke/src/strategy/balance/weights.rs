//! How often abstract transitions were taken.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Keys are fingerprints, whose bits are mixed already.
#[derive(Clone, Copy, Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}

/// The test-trace graph of paper 2, section 3.2: the weight of an abstract transition is 1, and more by what it counts
/// each time it is taken.
#[derive(Clone, Debug)]
pub struct Weights {
    weights: HashMap<u64, u32, BuildHasherDefault<Mixed>>,
    most: usize,
}

impl Weights {
    /// No transition was taken yet. Beyond so many of them, new ones are not remembered.
    pub fn new(most: usize) -> Weights {
        Weights { weights: HashMap::default(), most }
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
