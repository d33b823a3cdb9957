//! The one source of randomness: the same seed gives the same numbers on every machine, in every version.

/// Xoshiro256++ (Blackman and Vigna), seeded through SplitMix64.
///
/// Written out here because a campaign's seed must mean the same in five years: the derived methods of
/// general-purpose crates change between versions.
#[derive(Clone, Debug)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator of a master seed.
    pub fn new(seed: u64) -> Rng {
        Rng::stream(seed, 0)
    }

    /// The `stream`-th independent generator of a master seed: one per attempt, run or thread.
    pub fn stream(seed: u64, stream: u64) -> Rng {
        let mut mix = seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95);
        let mut split = || {
            mix = mix.wrapping_add(0x9e37_79b9_7f4a_7c15);
            scramble(mix)
        };
        Rng { state: [split(), split(), split(), split()] }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, each with exactly the same chance. `bound` must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        debug_assert!(bound > 0, "no number is below 0");
        // Lemire's method: the high word of a product is uniform once the few low words that would
        // give some results one chance more are thrown away.
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            let uneven = bound.wrapping_neg() % bound;
            while (product as u64) < uneven {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// An index below `len`.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// One of the items, or none where there are none.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { Some(&items[self.index(items.len())]) }
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }
}

/// A number that has nothing to do with this one, but is the same each time: the last part of SplitMix64.
pub(crate) fn scramble(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_raw_generator_is_the_published_one() {
        // First outputs of the reference C code from the state 1, 2, 3, 4.
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let first: Vec<u64> = (0..4).map(|_| rng.bits()).collect();
        assert_eq!(first, [41943041, 58720359, 3588806011781223, 3591011842654386]);
    }

    #[test]
    fn a_seed_means_the_same_for_ever() {
        let mut rng = Rng::new(7);
        assert_eq!([rng.below(1000), rng.below(1000), rng.below(1000)], [55, 172, 717]);
    }

    #[test]
    fn below_is_even() {
        // 60,000 throws of a die: each face within 5 standard deviations (457) of 10,000.
        let mut rng = Rng::new(1);
        let mut faces = [0i64; 6];
        for _ in 0..60_000 {
            faces[rng.index(6)] += 1;
        }
        assert!(faces.iter().all(|count| (count - 10_000).abs() < 457), "{faces:?}");
    }
}
