//! Steps that several share by what each brings.

/// Who has had how much, and what each brought for it. Everything is counted in steps, in arithmetic that is the same on every
/// machine.
#[derive(Clone, Debug)]
pub(super) struct Shares<const N: usize> {
    /// What each has spent: steps, each of which counts the more the smaller the share was.
    spent: [f64; N],
    /// What each brought lately, and what that cost.
    brought: [(f64, f64); N],
    shares: [f64; N],
    /// All steps so far, and the part of them for which what was brought counts at least.
    steps: f64,
    part: f64,
}

/// What was brought counts for so many steps, more or less.
const FADES: f64 = 4_000.0;
/// So many steps everybody has for nothing before it is asked what they bring.
const BENEFIT: f64 = 500.0;
/// No share counts for less.
const LEAST: f64 = 1.0 / 64.0;

impl<const N: usize> Default for Shares<N> {
    fn default() -> Shares<N> {
        Shares { spent: [0.0; N], brought: [(0.0, 0.0); N], shares: [1.0; N], steps: 0.0, part: 0.0 }
    }
}

impl<const N: usize> Shares<N> {
    /// What was brought counts the longer the more steps there were: where news are rare, whoever brought the last ones is not
    /// taken for no better than the others.
    pub(super) fn lasting(part: f64) -> Shares<N> {
        Shares { part, ..Shares::default() }
    }

    /// What each brought lately for its steps, as parts of the most that one did.
    pub(super) fn worths(&self) -> [f64; N] {
        let rates = self.brought.map(|(news, steps)| (news + 1.0) / (steps + BENEFIT));
        let best = rates.iter().copied().fold(0.0, f64::max);
        rates.map(|rate| rate / best)
    }

    /// Who has had least for its share; those without one do not get anything, and do not make up for it later. Of equals the
    /// first in this order.
    pub(super) fn due(&mut self, shares: [f64; N], order: [usize; N]) -> Option<usize> {
        self.shares = shares;
        let wanted = order.into_iter().filter(|&one| shares[one] > 0.0);
        let due =
            wanted.reduce(|best, next| if self.spent[next] < self.spent[best] { next } else { best })?;
        let least = self.spent[due];
        for (spent, share) in self.spent.iter_mut().zip(shares) {
            if share <= 0.0 {
                *spent = spent.max(least);
            }
        }
        Some(due)
    }

    /// One of them had so many steps and brought so much.
    pub(super) fn book(&mut self, one: usize, news: u64, steps: u64) {
        self.spent[one] += steps as f64 / self.shares[one].max(LEAST);
        self.steps += steps as f64;
        let lasts = FADES + self.part * self.steps;
        let fades = lasts / (lasts + steps as f64);
        for (known, cost) in &mut self.brought {
            (*known, *cost) = (*known * fades, *cost * fades);
        }
        let (known, cost) = &mut self.brought[one];
        (*known, *cost) = (*known + news as f64, *cost + steps as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many steps each of three has had after so many runs of ten steps, if the first brings something each time.
    fn shared(runs: u32, shares: impl Fn([f64; 3]) -> [f64; 3]) -> [u64; 3] {
        let (mut account, mut had) = (Shares::<3>::default(), [0; 3]);
        for _ in 0..runs {
            let due = account.due(shares(account.worths()), [0, 1, 2]).unwrap();
            account.book(due, u64::from(due == 0), 10);
            had[due] += 10;
        }
        had
    }

    #[test]
    fn whoever_brings_something_gets_the_most_and_nobody_less_than_its_part() {
        let [first, second, third] = shared(1_000, |worths| worths.map(|worth| worth.max(0.125)));
        assert!(first > 6_000 && second.abs_diff(third) <= 10, "{first} {second} {third}");
        // An eighth of what the best gets, but for the time before it was known which is best.
        assert!(second * 8 >= first, "{first} {second}");
    }

    #[test]
    fn where_news_are_rare_they_count_for_longer_if_wanted() {
        let worth_of_the_other = |mut account: Shares<2>| {
            for _ in 0..100 {
                account.book(0, 1, 1_000);
                account.book(1, 0, 1_000);
            }
            // Then nobody brings anything for a while.
            for _ in 0..20 {
                account.book(0, 0, 1_000);
                account.book(1, 0, 1_000);
            }
            account.worths()[1]
        };
        assert!(worth_of_the_other(Shares::default()) > 0.8);
        assert!(worth_of_the_other(Shares::lasting(0.25)) < 0.2);
    }

    #[test]
    fn whoever_has_no_share_does_not_make_up_for_it() {
        let mut account = Shares::<2>::default();
        for _ in 0..100 {
            assert_eq!(account.due([1.0, 0.0], [0, 1]), Some(0));
            account.book(0, 0, 10);
        }
        let mut had = [0; 2];
        for _ in 0..100 {
            let due = account.due([1.0, 1.0], [0, 1]).unwrap();
            account.book(due, 0, 10);
            had[due] += 1;
        }
        assert_eq!(had, [50, 50]);
        assert_eq!(account.due([0.0, 0.0], [0, 1]), None);
    }
}
