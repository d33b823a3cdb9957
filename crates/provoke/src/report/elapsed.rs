//! How long answers took where a requirement is about that.

/// How long the system took to answer the last step of a story, in the runs that told it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct ElapsedReport {
    /// The least milliseconds.
    pub min_ms: u64,
    /// As many runs took at most so long as took at least so long; of two in the middle, the lesser.
    pub median_ms: u64,
    /// The most.
    pub max_ms: u64,
    /// In how many runs this violated the requirement.
    pub violated: u32,
    /// How many runs there were.
    pub runs: u32,
}

impl ElapsedReport {
    /// Of runs, each with how long the answer took and whether that violated the requirement; none of no runs.
    pub fn of(mut runs: Vec<(u64, bool)>) -> Option<ElapsedReport> {
        runs.sort_unstable();
        Some(ElapsedReport {
            min_ms: runs.first()?.0,
            median_ms: runs[(runs.len() - 1) / 2].0,
            max_ms: runs.last()?.0,
            violated: runs.iter().filter(|(_, violated)| *violated).count() as u32,
            runs: runs.len() as u32,
        })
    }
}

impl std::fmt::Display for ElapsedReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ElapsedReport { min_ms, median_ms, max_ms, violated, runs } = self;
        match min_ms == max_ms {
            true => write!(f, "the last answer took {min_ms} ms each time")?,
            false => write!(f, "the last answer took {min_ms} to {max_ms} ms, median {median_ms} ms")?,
        }
        write!(f, "; too long in {violated} of {runs} runs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_summed_up() {
        let report = ElapsedReport::of(vec![(30, true), (2, false), (25, true), (40, true)]).unwrap();
        assert_eq!((report.min_ms, report.median_ms, report.max_ms), (2, 25, 40));
        assert_eq!((report.violated, report.runs), (3, 4));
        assert_eq!(ElapsedReport::of(Vec::new()), None);
    }
}
