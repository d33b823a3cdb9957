//! Where the result of an operation must lie, from where its parts lie.

use super::tree::{Binary, Function};

/// A range of integers, both ends included.
pub(super) type Interval = (i64, i64);

/// Where results lie; none where every result is too large or too small for 64 bits, or there is none.
pub(super) fn arithmetic(op: Binary, left: Interval, right: Interval) -> Option<Interval> {
    let (a, b) = (wide(left), wide(right));
    match op {
        Binary::Add => narrow(a.0 + b.0, a.1 + b.1),
        Binary::Subtract => narrow(a.0 - b.1, a.1 - b.0),
        Binary::Multiply => {
            let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            narrow(least(&corners), greatest(&corners))
        }
        Binary::Divide => {
            if b == (0, 0) {
                return None;
            }
            if b.0 <= 0 && b.1 >= 0 {
                // A divisor of 1 or -1 is the one that leaves most.
                let most = a.0.abs().max(a.1.abs());
                return narrow(-most, most);
            }
            let corners = [floor(a.0, b.0), floor(a.0, b.1), floor(a.1, b.0), floor(a.1, b.1)];
            narrow(least(&corners), greatest(&corners))
        }
        _ => {
            if b == (0, 0) {
                return None;
            }
            if a.0 >= 0 && a.1 < b.0 {
                return Some(left);
            }
            narrow((b.0 + 1).min(0), (b.1 - 1).max(0))
        }
    }
}

pub(super) fn negated((low, high): Interval) -> Option<Interval> {
    narrow(-i128::from(high), -i128::from(low))
}

pub(super) fn absolute((low, high): Interval) -> Option<Interval> {
    let (low, high) = (i128::from(low), i128::from(high));
    let least = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
    narrow(least, low.abs().max(high.abs()))
}

pub(super) fn extreme(function: Function, left: Interval, right: Interval) -> Interval {
    match function {
        Function::Min => (left.0.min(right.0), left.1.min(right.1)),
        _ => (left.0.max(right.0), left.1.max(right.1)),
    }
}

fn wide((low, high): Interval) -> (i128, i128) {
    (low.into(), high.into())
}

/// What of a range fits 64 bits: results outside are never seen.
fn narrow(low: i128, high: i128) -> Option<Interval> {
    let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
    (low <= most && high >= least).then(|| (low.max(least) as i64, high.min(most) as i64))
}

fn least(corners: &[i128]) -> i128 {
    corners.iter().copied().min().unwrap_or(0)
}

fn greatest(corners: &[i128]) -> i128 {
    corners.iter().copied().max().unwrap_or(0)
}

fn floor(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    quotient - i128::from(a % b != 0 && (a < 0) != (b < 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_lies_where_it_must() {
        let ends = [-5, -3, -1, 0, 1, 2, 4];
        let ranges: Vec<Interval> = ends
            .iter()
            .flat_map(|&low| ends.iter().map(move |&high| (low, high)))
            .filter(|(l, h)| l <= h)
            .collect();
        for op in [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Modulo] {
            for &left in &ranges {
                for &right in &ranges {
                    for a in left.0..=left.1 {
                        for b in right.0..=right.1 {
                            let (x, y) = (i128::from(a), i128::from(b));
                            let result = match op {
                                Binary::Add => x + y,
                                Binary::Subtract => x - y,
                                Binary::Multiply => x * y,
                                _ if b == 0 => continue,
                                Binary::Divide => floor(x, y),
                                _ => x - y * floor(x, y),
                            };
                            let (low, high) = wide(arithmetic(op, left, right).unwrap());
                            assert!(low <= result && result <= high, "{op:?} {left:?} {right:?}: {a} {b}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_must_overflow_has_no_range() {
        let most = (i64::MAX, i64::MAX);
        assert_eq!(arithmetic(Binary::Add, most, (1, 1)), None);
        assert_eq!(arithmetic(Binary::Add, most, (0, 1)), Some(most));
        assert_eq!(negated((i64::MIN, i64::MIN)), None);
        assert_eq!(absolute((-3, 2)), Some((0, 3)));
        assert_eq!(arithmetic(Binary::Divide, (1, 9), (0, 0)), None);
    }
}
