//! A curve that is sampled more and more coarsely as it gets longer.

use crate::session::Progress;

/// The most samples that are kept.
const MOST: usize = 600;

/// Samples of how far a search was, evenly spread over its steps, whatever their number.
#[derive(Clone, Debug, Default)]
pub struct Series {
    samples: Vec<Progress>,
    /// Samples are at least so many steps apart.
    apart: u64,
}

impl Series {
    /// Adds a sample.
    pub fn add(&mut self, sample: &Progress) {
        let is_news = |last: &Progress| {
            (last.best_distance, last.covered, last.violated)
                != (sample.best_distance, sample.covered, sample.violated)
        };
        match self.samples.as_mut_slice() {
            // The last one stands for where the search is.
            [.., before, last] if last.steps - before.steps < self.apart.max(1) && !is_news(before) => {
                *last = sample.clone();
            }
            _ => self.samples.push(sample.clone()),
        }
        if self.samples.len() > MOST {
            self.apart = (self.apart * 2).max(sample.steps / MOST as u64).max(1);
            self.thin();
        }
    }

    /// Leaves out samples that are too near to the one before.
    fn thin(&mut self) {
        let all = std::mem::take(&mut self.samples);
        let last = all.len() - 1;
        for (at, sample) in all.into_iter().enumerate() {
            let is_far = self.samples.last().is_none_or(|kept| sample.steps - kept.steps >= self.apart);
            if is_far || at == last {
                self.samples.push(sample);
            }
        }
        // News may stand very close; half of them is enough to see.
        if self.samples.len() > MOST {
            let mut at = 0;
            self.samples.retain(|_| {
                at += 1;
                at % 2 == 1
            });
        }
    }

    /// The samples, in order.
    pub fn samples(&self) -> &[Progress] {
        &self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_stays_small_and_keeps_its_ends() {
        let mut series = Series::default();
        for step in 0..200_000u64 {
            let sample = Progress { steps: step, situations: step / 1000, ..Progress::default() };
            series.add(&sample);
            assert!(series.samples().len() <= MOST + 1);
        }
        let samples = series.samples();
        assert_eq!((samples[0].steps, samples[samples.len() - 1].steps), (0, 199_999));
        assert!(samples.len() > MOST / 4, "{}", samples.len());
        let gaps = samples.windows(2).map(|pair| pair[1].steps - pair[0].steps);
        assert!(gaps.max().unwrap() < 200_000 / 50);
    }
}
