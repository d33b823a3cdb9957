//! A family of sets that answers fast whether one of them holds all of a given set.

/// Sets of states, 512 to a chunk; in a chunk, each state has one bit per set that holds it.
pub(crate) struct Family {
    states: usize,
    chunks: Vec<[u64; 8]>,
    count: usize,
    /// How many sets hold each state: the rarest states rule out most.
    popularity: Vec<u32>,
}

impl Family {
    pub(crate) fn new(states: usize) -> Family {
        Family { states, chunks: Vec::new(), count: 0, popularity: vec![0; states] }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Adds a set; sets are numbered in the order in which they are added.
    pub(crate) fn push(&mut self, set: impl Iterator<Item = u32>) {
        if self.count.is_multiple_of(512) {
            self.chunks.resize(self.chunks.len() + self.states, [0; 8]);
        }
        let (chunk, bit) = (self.count / 512, self.count % 512);
        let rows = &mut self.chunks[chunk * self.states..];
        for state in set {
            rows[state as usize][bit >> 6] |= 1 << (bit & 63);
            self.popularity[state as usize] += 1;
        }
        self.count += 1;
    }

    /// The first set that holds every state of `set`, which gets put in order of rarity.
    pub(crate) fn holding(&self, set: &mut [u32]) -> Option<usize> {
        if self.count > 2048 {
            set.sort_unstable_by_key(|&state| self.popularity[state as usize]);
        }
        for (index, rows) in self.chunks.chunks_exact(self.states).enumerate() {
            let mut left = [u64::MAX; 8];
            let mut any = true;
            for &state in set.iter() {
                let row = &rows[state as usize];
                let mut union = 0;
                for (word, row) in left.iter_mut().zip(row) {
                    *word &= row;
                    union |= *word;
                }
                any = union != 0;
                if !any {
                    break;
                }
            }
            if any {
                let found = left.iter().position(|&word| word != 0).unwrap_or(0);
                let number = index * 512 + found * 64 + left[found].trailing_zeros() as usize;
                return (number < self.count).then_some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn it_finds_the_first_superset() {
        let mut rng = Rng::new(9);
        let mut family = Family::new(40);
        let mut sets: Vec<Vec<u32>> = Vec::new();
        for round in 0..4000 {
            let set: Vec<u32> = (0..40).filter(|_| rng.chance(0.3)).collect();
            let mut query: Vec<u32> = (0..40).filter(|_| rng.chance(0.15)).collect();
            let expected = sets.iter().position(|set| query.iter().all(|state| set.contains(state)));
            assert_eq!(family.holding(&mut query), expected, "round {round}");
            family.push(set.iter().copied());
            sets.push(set);
        }
    }
}
