//! How far apart two methods are, as paper 5 measures it: Cohen's d, in its tables I to VI.

use super::measure::Row;

/// Cohen's d of three quantities: how many standard deviations the baseline's mean lies above the method's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effect {
    /// Of the seconds a search takes (tables I and IV).
    pub(super) time: Option<f64>,
    /// Of the words' lengths (tables II and V).
    pub(super) length: Option<f64>,
    /// Of the memory (tables III and VI).
    pub(super) memory: Option<f64>,
}

impl Effect {
    /// Of a method against the one it is compared with.
    pub(super) fn of(row: &Row, baseline: &Row) -> Effect {
        let lengths =
            |row: &Row| row.lengths.iter().flatten().map(|&length| length as f64).collect::<Vec<_>>();
        Effect {
            time: cohen(&baseline.each, &row.each),
            length: cohen(&lengths(baseline), &lengths(row)),
            memory: cohen(&baseline.peaks, &row.peaks),
        }
    }

    /// The three numbers in a line.
    pub(super) fn show(&self) -> String {
        let one = |d: Option<f64>| d.map_or("-".to_owned(), |d| format!("{d:.3}"));
        format!("time {}, length {}, memory {}", one(self.time), one(self.length), one(self.memory))
    }
}

/// The difference of two means in standard deviations, pooled over both; none where nothing varies or too little is known.
pub(super) fn cohen(one: &[f64], other: &[f64]) -> Option<f64> {
    if one.len() < 2 || other.len() < 2 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let squares = |values: &[f64]| {
        let mean = mean(values);
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>()
    };
    let freedom = (one.len() + other.len() - 2) as f64;
    let deviation = ((squares(one) + squares(other)) / freedom).sqrt();
    (deviation > 0.0).then(|| (mean(one) - mean(other)) / deviation)
}

/// The paper's numbers for Q-Synch against its baseline: Greedy on S1 (tables I to III), exhaustive search on S2 (IV to VI).
pub(super) fn published(part: &str, states: usize, inputs: usize) -> Option<Effect> {
    let table: &[(usize, usize, f64, f64, f64)] = match part {
        "S1" => &COMPLETE,
        "S2" => &PARTIAL,
        _ => return None,
    };
    table.iter().find(|(n, p, ..)| (*n, *p) == (states, inputs)).map(|&(_, _, time, length, memory)| Effect {
        time: Some(time),
        length: Some(length),
        memory: Some(memory),
    })
}

const COMPLETE: [(usize, usize, f64, f64, f64); 15] = [
    (32, 10, 13.863, 0.200, 43.385),
    (32, 16, 1.837, 0.802, 32.861),
    (32, 22, 2.488, 0.998, 6.456),
    (64, 10, 8.123, 0.301, 1394.707),
    (64, 16, 19.045, 0.945, 33.283),
    (64, 22, 33.176, 1.204, 1215.009),
    (128, 10, 30.253, 0.588, 1599.230),
    (128, 16, 47.210, 1.173, 452.060),
    (128, 22, 63.369, 1.518, 481.147),
    (256, 10, 60.639, 0.475, 1005.881),
    (256, 16, 74.934, 1.466, 852.319),
    (256, 22, 83.587, 1.648, 825.083),
    (512, 10, 30.491, 0.618, 2307.331),
    (512, 16, 42.241, 1.427, 2426.511),
    (512, 22, 46.386, 2.272, 1901.071),
];

const PARTIAL: [(usize, usize, f64, f64, f64); 6] = [
    (32, 10, 0.870, -2.304, 89.739),
    (32, 16, 0.751, -2.586, 105.909),
    (32, 22, 1.221, -3.058, 115.326),
    (64, 10, 0.887, -2.393, 132.892),
    (64, 16, 1.125, -2.748, 235.355),
    (64, 22, 1.511, -2.866, 260.244),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_two_deviations() {
        // Both vary by one around their means, 5 and 3.
        let (one, other) = ([4.0, 5.0, 6.0], [2.0, 3.0, 4.0]);
        assert_eq!(cohen(&one, &other), Some(2.0));
        assert_eq!(cohen(&other, &one), Some(-2.0));
        assert_eq!(cohen(&[1.0, 1.0], &[1.0, 1.0]), None);
        assert_eq!(cohen(&[1.0], &other), None);
    }

    #[test]
    fn published_numbers_are_found_by_size() {
        assert_eq!(published("S1", 512, 22).and_then(|effect| effect.length), Some(2.272));
        assert_eq!(published("S2", 64, 10).and_then(|effect| effect.memory), Some(132.892));
        assert_eq!(published("S1", 1024, 10), None);
    }
}
