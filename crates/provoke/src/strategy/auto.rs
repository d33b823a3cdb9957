//! The portfolio that is used when no strategy is named.

use super::shares::Shares;
use super::{Learning, Strategy, Suspicion, View};
use crate::game::{Game, Guide};
use crate::learn::Learnt;
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// Shares the steps between strategies by what each brings.
///
/// Towards an objective, `frontier-experience` leads as long as distances get smaller; where they have not for a while,
/// `learning` gets as many steps. Without an objective all three take turns, by how much each brought lately for its steps:
/// states and answers that were new, and violations; and runs by chance have as many steps as all of them as long as they come to
/// where nothing is known, so that a deep system into which any run leads takes at most about twice as long as by chance. The
/// share of `learning` gets small once nothing new is learnt, and is nothing once the system turns out not to be deterministic.
/// Everything is counted in steps, so that the same seed gives the same campaign. What the others see is learnt from as well.
pub struct Auto {
    learning: Learning,
    others: [Box<dyn Strategy>; 2],
    /// Whose turn it is, and what each has had and brought.
    turn: Arm,
    shares: Shares<4>,
    /// After how many steps lassos were last left to whoever else looks for them.
    left_lassos: u64,
    /// How near what is pursued was, and how many steps had been taken when it came so near.
    best: Option<(u32, u64)>,
    steps: u64,
    /// How many there were when something was last new.
    news: u64,
    run: (u64, u32),
    /// Whether it was said whose turn this run is.
    begun: bool,
}

/// A strategy of the portfolio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arm {
    Learning,
    Experience,
    Classes,
    /// Inputs by chance, from the start or from far away, until that leads nowhere: what `learning` knows tells where.
    Roam,
}

/// All of them, as they are numbered.
const ARMS: [Arm; 4] = [Arm::Learning, Arm::Experience, Arm::Classes, Arm::Roam];
/// So many steps without getting nearer are a while, and as many again as it took to get there.
const WHILE: u64 = 300;
/// The share of learning is halved after so many of its steps without anything new, and as many again as came before: what takes
/// long to be learnt takes longer still to be learnt to the end.
const STALE: u64 = 4_000;
/// It never gets smaller than this.
const LEAST: f64 = 1.0 / 64.0;
/// What looks for more than chance does has half of its share after so many steps without anything new and as many again as came
/// before, and at least so much.
const FADES: f64 = 50_000.0;
const LEAST_FADED: f64 = 1.0 / 32.0;
/// In so many steps lassos are left to others once, as long as much is new.
const LASSOS: u64 = 1_000;
/// The least shares of experience and classes, as parts of the greatest.
const LEAST_SHARES: [f64; 2] = [0.015625, 0.0625];
/// Without anything to come near to, experience is a long run; where it is lost, it is over.
const MOST_EXPERIENCE: f64 = 0.0625;
/// What somebody brought counts for this part of all steps, at least.
const LASTS: f64 = 0.25;
/// So many steps of others are learnt from; beyond that, as long as something new is learnt.
const OVERHEARD: u64 = 50_000;

impl Auto {
    /// Of these three; the last is for campaigns without an objective.
    pub fn new(learning: Learning, experience: Box<dyn Strategy>, classes: Box<dyn Strategy>) -> Auto {
        Auto {
            learning: learning.led(),
            others: [experience, classes],
            turn: Arm::Experience,
            shares: Shares::lasting(LASTS),
            left_lassos: 0,
            best: None,
            steps: 0,
            news: 0,
            run: (0, 0),
            begun: false,
        }
    }

    fn current(&self) -> &dyn Strategy {
        match self.turn {
            Arm::Learning | Arm::Roam => &self.learning,
            Arm::Experience => &*self.others[0],
            Arm::Classes => &*self.others[1],
        }
    }

    fn active(&mut self) -> &mut dyn Strategy {
        match self.turn {
            Arm::Learning | Arm::Roam => &mut self.learning,
            Arm::Experience => &mut *self.others[0],
            Arm::Classes => &mut *self.others[1],
        }
    }

    /// Says whose turn this run is, unless that was said; whether it wants the run.
    fn begin(&mut self, view: &View<'_>) -> bool {
        if self.begun {
            return true;
        }
        (self.turn, self.begun) = (self.pick(view), true);
        if self.turn == Arm::Roam {
            self.learning.roam();
        }
        let (run, steps) = self.run;
        self.active().begin_run(run, steps)
    }

    /// How much of the steps learning is worth.
    fn promise(&self) -> f64 {
        if self.learning.has_stopped() {
            return 0.0;
        }
        let Some(learner) = self.learning.learner() else { return 1.0 };
        let (steps, news) = (learner.steps(), learner.last_surprise());
        (1.0 / (1.0 + (steps - news) as f64 / (STALE + news) as f64)).max(LEAST)
    }

    /// What each is worth without an objective: what it brought lately for its steps, and never less than a small part of what the
    /// best gets. What is easy to find comes first and says little of who finds the rest, so learning has as much as the best, as
    /// long as it promises something.
    fn worths(&self, promise: f64) -> [f64; 4] {
        let [_, experience, classes, _] = self.shares.worths();
        // Where most leads to where nothing comes any more, whoever does not know that has to bring more.
        let falls = self.learning.falls();
        let experience = (MOST_EXPERIENCE * experience * (1.0 - falls)).max(LEAST_SHARES[0]);
        let least = (LEAST_SHARES[1] * (1.0 - falls)).max(LEAST_SHARES[0]);
        let classes = (classes * classes * classes).max(least);
        // Once nothing is new, many steps are worth more than chosen ones.
        let fade = 1.0 / (1.0 + (self.steps - self.news) as f64 / (FADES + self.news as f64));
        let (experience, classes) = (experience + 1.0 - fade, classes * fade.max(LEAST_FADED));
        [promise, experience, classes, self.learning.roaming() * (promise + experience + classes)]
    }

    /// Whether lassos are left to others now, where the system is not known yet: always once little is new, and now and then
    /// before, since what they try costs many steps.
    fn leaves_lassos(&mut self) -> bool {
        let is_due = self.steps >= self.left_lassos + LASSOS;
        if is_due {
            self.left_lassos = self.steps;
        }
        self.steps >= STALE && (is_due || self.promise() < 0.5)
    }

    /// How much is known: grows with everything new.
    fn known(&self) -> u64 {
        self.learning.known()
    }

    /// Whose turn it is: who has had least for what it is worth.
    fn pick(&mut self, view: &View<'_>) -> Arm {
        if self.learning.is_checking() && !self.learning.has_stopped() {
            return Arm::Learning;
        }
        let promise = self.promise();
        let shares = if view.guide.is_about_states() {
            let near = self.best.map_or(0, |(_, at)| at);
            let stalled = self.steps - near > WHILE + near;
            [if stalled { promise } else { 0.0 }, 1.0, 0.0, 0.0]
        } else {
            self.worths(promise)
        };
        // Where all are equal, the one that finds at once what every long run shows comes first.
        let order = [Arm::Classes, Arm::Roam, Arm::Learning, Arm::Experience].map(|arm| arm as usize);
        self.shares.due(shares, order).map_or(Arm::Experience, |arm| ARMS[arm])
    }
}

impl Strategy for Auto {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.learning.turn_to(game, guide);
        self.others.iter_mut().for_each(|other| other.turn_to(game, guide));
        self.best = None;
        (self.steps, self.news, self.left_lassos, self.shares) = (0, 0, 0, Shares::lasting(LASTS));
    }

    fn look_anew(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.learning.look_anew(game, guide);
        self.others.iter_mut().for_each(|other| other.look_anew(game, guide));
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        self.run = (run, steps);
        self.begun = false;
        true
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if !self.begin(view) {
            return None;
        }
        if self.turn == Arm::Experience && !view.guide.is_about_states() && self.learning.is_lost(view.trace)
        {
            return None;
        }
        self.active().choose(view, rng)
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        // Another strategy may have taken the first steps: this one may be rolling out.
        self.begin(now);
        self.steps += 1;
        if now.guide.is_about_states()
            && let Some(distance) = now.guide.distance(now.at)
            && self.best.is_none_or(|(best, _)| distance < best)
        {
            self.best = Some((distance, self.steps));
        }
        self.active().observe(step, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        if !std::mem::take(&mut self.begun) {
            return;
        }
        let steps = last.trace.len() as u64;
        let before = self.known();
        self.active().end_run(end, last);
        if !matches!(self.turn, Arm::Learning | Arm::Roam)
            && (self.steps < OVERHEARD || self.promise() > 0.5)
            && *end != RunEnd::Lost
        {
            self.learning.absorb(last.trace, end);
        }
        let violation = u64::from(matches!(end, RunEnd::Violated(_)));
        let news = self.known().saturating_sub(before) + violation;
        if news > 0 {
            self.news = self.steps;
        }
        self.shares.book(self.turn as usize, news, steps);
    }

    fn goes_by_what_was_sent(&self) -> bool {
        self.current().goes_by_what_was_sent()
    }

    fn overruled(&mut self) {
        self.active().overruled();
    }

    fn goes_on_when_all_is_settled(&self) -> bool {
        self.current().goes_on_when_all_is_settled()
    }

    fn suspicion(&mut self) -> Suspicion {
        let is_known = self.learning.is_complete();
        let own = self.learning.suspicion();
        let (turn, offered) = match own {
            Suspicion::Try(..) => (Arm::Learning, own),
            ref other => match self.others[1].suspicion() {
                offered @ Suspicion::Try(..) => (Arm::Classes, offered),
                _ if matches!(other, Suspicion::Nothing) && (is_known || !self.leaves_lassos()) => {
                    return Suspicion::Nothing;
                }
                _ => return Suspicion::Unasked,
            },
        };
        (self.turn, self.begun) = (turn, true);
        offered
    }

    fn learnt(&mut self) -> Option<Learnt> {
        self.learning.learnt()
    }

    fn memory(&self) -> usize {
        self.learning.memory() + self.others.iter().map(|other| other.memory()).sum::<usize>()
    }
}
