//! Runs by chance, from the start or from far away: where there is nothing to fall into, they come farther than anything else.

/// How much of the steps runs by chance are worth.
///
/// As long as they come to where nothing is known, half of all steps, so that nobody who draws inputs by chance is much faster;
/// less and less of that the longer they bring neither a violation nor an answer that is new.
#[derive(Clone, Debug, Default)]
pub(super) struct Roam {
    /// Somebody else says when a run is one.
    pub(super) is_led: bool,
    /// The next run is one.
    pub(super) is_next: bool,
    /// Places that they came to and that are no state that is known.
    met: u64,
    /// How many of the last of them came to none.
    near: f64,
    /// Steps since they brought something.
    stale: u64,
    /// Steps of this run in what seems to be lost.
    lost: u32,
}

/// They have half of their share after so many steps that brought nothing.
const FADES: f64 = 64_000.0;
/// So small a part they have where they do not come far.
const LEAST: f64 = 0.02;
/// After so many steps in what seems to be lost it is believed to be.
const PATIENCE: u32 = 3;
/// No run by chance is longer, but for a part of all steps so far.
const LONGEST: u64 = 64;

impl Roam {
    /// How many steps they should have, beside one step of everything else.
    pub(super) fn share(&self, is_open: bool) -> f64 {
        let far = (1.0 - self.near) / (1.0 + self.stale as f64 / FADES);
        match is_open {
            true => far.max(LEAST),
            false if far < LEAST => 0.0,
            false => far,
        }
    }

    /// Places that they came to and that are no state that is known.
    pub(super) fn met(&self) -> u64 {
        self.met
    }

    /// Whether a run has gone on for long, for as much as was seen so far, or in what seems to be lost. A hypothesis that knows
    /// little takes for lost what is not, so that is not believed at once.
    pub(super) fn is_over(&mut self, length: usize, steps: u64, is_lost: bool) -> bool {
        self.lost = if is_lost { self.lost + 1 } else { 0 };
        length as u64 >= LONGEST + steps / 2 || self.lost > PATIENCE
    }

    /// A run of so many steps is over: to how many unknown places it came, and whether it brought something.
    pub(super) fn book(&mut self, met: u64, steps: usize, is_news: bool) {
        self.met += met;
        self.near = (self.near + f64::from(met == 0)) / 2.0;
        self.stale = if is_news { 0 } else { self.stale + steps as u64 };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_steps_as_long_as_it_comes_far_and_brings_something() {
        let mut roam = Roam::default();
        assert_eq!(roam.share(true), 1.0);
        roam.book(5, 250, true);
        assert_eq!((roam.share(true), roam.met()), (1.0, 5));
        for _ in 0..256 {
            roam.book(5, 250, false);
        }
        assert_eq!(roam.share(true), 0.5, "after 64,000 steps that brought nothing");
        roam.book(0, 250, false);
        assert!(roam.share(true) > 0.2, "one that fell into something does not end it");
        for _ in 0..10 {
            roam.book(0, 10, false);
        }
        assert_eq!((roam.share(true), roam.share(false)), (LEAST, 0.0));
    }

    #[test]
    fn what_seems_to_be_lost_is_not_believed_at_once() {
        let mut roam = Roam::default();
        let over: Vec<bool> = [true, true, false, true, true, true, true]
            .iter()
            .map(|&lost| roam.is_over(10, 0, lost))
            .collect();
        assert_eq!(over, [false, false, false, false, false, false, true]);
        let mut roam = Roam::default();
        assert!(!roam.is_over(63, 0, false) && roam.is_over(64, 0, false));
        assert!(!roam.is_over(563, 1_000, false) && roam.is_over(564, 1_000, false));
    }
}
