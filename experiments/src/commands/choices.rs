//! Tables 1 to 3 of paper 4: one strategy for each state of the application.

use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use provoke::rng::Rng;
use provoke::strategy::induction::{fixpoint, published};
use provoke::strategy::{
    BackwardInduction, DEFAULT, Loops, MeetInTheMiddle, Options, Score, Selection, Simultaneous,
    SimultaneousSettings, Strategy, find,
};
use serde_json::{Value, json};

use crate::choices::application::Part;
use crate::choices::paper::{Reported, SETTINGS, Setting, reported};
use crate::choices::{End, Towards, World};
use crate::clock::processor_time;

/// Tables 1 to 3 of paper 4: one strategy for each of the 846 states of its application, each played once
#[derive(Args, Debug)]
pub struct ChoicesArgs {
    /// These strategies only
    #[arg(long)]
    strategy: Vec<String>,
    /// The last setting in which so many iterations are made only
    #[arg(long)]
    iterations: Option<u32>,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

/// A way to make a strategy for a goal.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    setting: Option<Setting>,
    score: Score,
    selection: Selection,
}

/// What became of the strategies for the goals of one part.
#[derive(Clone, Default)]
struct Tally {
    goals: u32,
    ends: Vec<End>,
    coverage: usize,
    seconds: f64,
}

const PARTS: [(&str, Option<Part>); 4] =
    [("all", None), ("line", Some(Part::Line)), ("loop", Some(Part::Loop)), ("choice", Some(Part::Choice))];

/// Where the largest setting of the paper with the longer roll-outs stands.
const LARGEST: usize = 3;

fn kinds() -> Vec<Kind> {
    let kind = |name, setting| Kind { name, setting, score: Score::Goal, selection: Selection::BestAverage };
    let mut kinds = vec![kind("backward-induction-published", None), kind("backward-induction", None)];
    for name in ["sm-mcts", "sm-mcts-mu"] {
        kinds.extend(SETTINGS.map(|setting| kind(name, Some(setting))));
    }
    let largest = Some(SETTINGS[LARGEST]);
    for name in ["sm-mcts", "sm-mcts-mu"] {
        kinds.push(Kind { score: Score::Proximity, ..kind(name, largest) });
    }
    kinds.push(Kind { selection: Selection::Duct, ..kind("sm-mcts-mu", largest) });
    for score in [Score::Goal, Score::Proximity] {
        kinds.push(Kind { score, selection: Selection::RegretMatching, ..kind("sm-mcts-rm", largest) });
    }
    kinds.push(kind("meet-in-the-middle", largest));
    kinds.push(kind(DEFAULT, None));
    kinds
}

impl ChoicesArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        let started = processor_time();
        let world = World::new()?;
        let shared = (processor_time() - started).as_secs_f64();
        if !self.json {
            println!(
                "846 states: a start, 60 in lines, 4 in a loop, 781 in a tree of choices. The paper gives the sum alone; the \
                 parts are\nour reconstruction, which fits its shares of winning strategies but for one row. Won, and the \
                 paper's figures in brackets.\n"
            );
            println!(
                "{:<28} {:>15} {:<10} {:>9} {:>12} {:>12} {:>12} {:>20} {:>10} {:>8}",
                "strategy",
                "setting",
                "score",
                "won",
                "line",
                "loop",
                "choice",
                "term/rep/undef",
                "coverage",
                "seconds"
            );
        }
        let mut rows = Vec::new();
        let wanted = |kind: &Kind| {
            let named = self.strategy.is_empty() || self.strategy.iter().any(|name| name == kind.name);
            let iterations = kind.setting.map(|setting| setting.iterations);
            named && (self.iterations.is_none() || iterations.is_none() || self.iterations == iterations)
        };
        for kind in kinds().into_iter().filter(wanted) {
            let tallies = self.measure(&world, &kind, shared)?;
            if !self.json {
                println!("{}", kind.line(&tallies));
            }
            rows.extend(PARTS.iter().zip(&tallies).map(|((part, _), tally)| kind.row(part, tally)));
        }
        if self.json {
            println!("{}", json!(rows));
        }
        Ok(())
    }

    /// One strategy for each state, made and played once. What all of them share is made once as well, and counted.
    fn measure(&self, world: &World, kind: &Kind, shared: f64) -> Result<Vec<Tally>> {
        let mut tallies = vec![Tally::default(); PARTS.len()];
        tallies[0].seconds = shared;
        for goal in 0..world.chart.len() as u32 {
            let guide = Arc::new(world.towards(goal));
            let mut rng = Rng::stream(self.seed, u64::from(goal));
            let started = processor_time();
            let (strategy, coverage) = kind.create(world, &guide, &mut rng)?;
            let seconds = (processor_time() - started).as_secs_f64();
            let end = world.play(&guide, strategy, self.seed.wrapping_add(u64::from(goal)))?;
            let part = world.part(goal);
            for (tally, (_, of)) in tallies.iter_mut().zip(PARTS) {
                if of.is_none_or(|of| of == part) {
                    tally.goals += 1;
                    tally.ends.push(end);
                    tally.coverage += coverage;
                    tally.seconds += seconds;
                }
            }
        }
        Ok(tallies)
    }
}

impl Kind {
    /// The strategy for one goal, and how many states were looked at to make it.
    fn create(
        &self,
        world: &World,
        guide: &Arc<Towards>,
        rng: &mut Rng,
    ) -> Result<(Box<dyn Strategy>, usize)> {
        let (chart, goal) = (&world.chart, guide.goal());
        let settings = |setting: Setting| SimultaneousSettings {
            roll_out_bound: setting.rollout,
            depth: setting.depth,
            iterations: setting.iterations,
            selection: self.selection,
            exploration: 1.0,
            score: self.score,
            prefer_acting: self.name == "sm-mcts-mu",
            idle: Some(world.idle),
            nodes: chart.len(),
        };
        Ok(match (self.name, self.setting) {
            ("backward-induction", _) => {
                let plan = fixpoint(chart, &world.backward, &[goal], usize::MAX);
                let met = plan.met();
                (Box::new(BackwardInduction::with_plan(Loops::Solved, chart.clone(), plan)), met)
            }
            ("backward-induction-published", _) => {
                let plan = published(chart, 0, |place| place == goal);
                let met = plan.met();
                (Box::new(BackwardInduction::with_plan(Loops::AsSeen, chart.clone(), plan)), met)
            }
            ("meet-in-the-middle", Some(setting)) => {
                let mut strategy = MeetInTheMiddle::new(settings(setting));
                strategy.create(Some(chart.clone()), &*world.game, &**guide, rng);
                let met = strategy.met();
                (Box::new(strategy), met)
            }
            (_, Some(setting)) => {
                let mut strategy = Simultaneous::on(chart.clone(), settings(setting));
                strategy.create(&*world.game, &**guide, rng);
                let met = strategy.search().map_or(0, |search| search.met());
                (Box::new(strategy), met)
            }
            (name, None) => {
                let options = Options { idle: Some(world.idle), ..Options::default() };
                ((find(name)?.build)(&options), 0)
            }
        })
    }

    fn reported(&self) -> Option<Reported> {
        let own = self.score == Score::Goal && self.selection == Selection::BestAverage;
        own.then(|| reported(self.name, self.setting)).flatten()
    }

    fn score(&self) -> &'static str {
        match (self.setting, self.score) {
            (None, _) => "-",
            (_, Score::Goal) => "goal",
            (_, Score::Proximity) => "proximity",
            (_, Score::Specification) => "specification",
        }
    }

    fn line(&self, tallies: &[Tally]) -> String {
        let paper = self.reported();
        let setting = self.setting.map_or("-".to_owned(), |Setting { rollout, depth, iterations }| {
            format!("({rollout},{depth},{iterations})")
        });
        let beside = |own: String, paper: Option<String>| match paper {
            Some(paper) => format!("{own} ({paper})"),
            None => own,
        };
        let all = &tallies[0];
        let share = |part: usize| {
            let percent = paper.map(|paper| format!("{}%", paper.parts[part - 1]));
            beside(
                format!("{:.0}%", 100.0 * tallies[part].won() as f64 / f64::from(tallies[part].goals)),
                percent,
            )
        };
        let [terminal, repeated, undefined] =
            [End::Terminal, End::Repeated, End::Undefined].map(|end| all.count(end));
        let coverage = match all.mean_coverage() {
            0.0 => "-".to_owned(),
            mean => beside(
                format!("{mean:.0}"),
                paper.and_then(|paper| paper.coverage).map(|coverage| format!("{coverage:.0}")),
            ),
        };
        let seconds = paper.and_then(|paper| paper.seconds).map(|seconds| format!("{seconds:.0}"));
        let name = match self.selection {
            Selection::Duct => format!("{} (duct)", self.name),
            _ => self.name.to_owned(),
        };
        format!(
            "{name:<28} {setting:>15} {:<10} {:>9} {:>12} {:>12} {:>12} {:>20} {coverage:>10} {:>14}",
            self.score(),
            beside(all.won().to_string(), paper.and_then(|paper| paper.won).map(|won| won.to_string())),
            share(1),
            share(2),
            share(3),
            format!("{terminal}/{repeated}/{undefined}"),
            beside(format!("{:.3}", all.seconds), seconds),
        )
    }

    fn row(&self, part: &str, tally: &Tally) -> Value {
        let paper = self.reported().map(|paper| match PARTS.iter().position(|(name, _)| *name == part) {
            Some(place @ 1..) => json!({ "won_percent": paper.parts[place - 1] }),
            _ => json!({ "won": paper.won, "seconds": paper.seconds, "mean_coverage": paper.coverage }),
        });
        let selection = match self.selection {
            Selection::BestAverage => "best-average",
            Selection::Duct => "duct",
            Selection::RegretMatching => "regret-matching",
        };
        json!({
            "strategy": self.name,
            "rollout": self.setting.map(|setting| setting.rollout),
            "depth": self.setting.map(|setting| setting.depth),
            "iterations": self.setting.map(|setting| setting.iterations),
            "score": self.setting.map(|_| self.score()),
            "selection": self.setting.map(|_| selection),
            "part": part,
            "goals": tally.goals,
            "won": tally.won(),
            "terminal": tally.count(End::Terminal),
            "repeated": tally.count(End::Repeated),
            "undefined": tally.count(End::Undefined),
            "not_conforming": tally.count(End::NotConforming),
            "mean_coverage": tally.mean_coverage(),
            "seconds": tally.seconds,
            "paper": paper,
        })
    }
}

impl Tally {
    fn count(&self, end: End) -> usize {
        self.ends.iter().filter(|&&known| known == end).count()
    }

    fn won(&self) -> usize {
        self.count(End::Won)
    }

    fn mean_coverage(&self) -> f64 {
        self.coverage as f64 / f64::from(self.goals.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, score: Score) -> Vec<Tally> {
        let args = ChoicesArgs { strategy: Vec::new(), iterations: None, seed: 1, json: true };
        let is_wanted = |kind: &Kind| {
            let small = kind.setting.is_none_or(|setting| setting == SETTINGS[LARGEST]);
            kind.name == name && kind.score == score && small && kind.selection != Selection::Duct
        };
        let kind = kinds().into_iter().find(is_wanted).unwrap();
        args.measure(&World::new().unwrap(), &kind, 0.0).unwrap()
    }

    #[test]
    fn backward_induction_wins_everywhere() {
        for name in ["backward-induction", "backward-induction-published"] {
            let tallies = measured(name, Score::Goal);
            assert_eq!(tallies.iter().map(Tally::won).collect::<Vec<_>>(), [846, 60, 4, 781], "{name}");
        }
        // The published form looks at nearly everything, as the paper says.
        let coverage = measured("backward-induction-published", Score::Goal)[0].mean_coverage();
        assert!((750.0..=846.0).contains(&coverage), "{coverage}");
    }

    #[test]
    fn searches_that_know_how_near_they_are_win_nearly_everywhere() {
        for name in ["sm-mcts", "sm-mcts-mu", "sm-mcts-rm"] {
            let won: Vec<usize> = measured(name, Score::Proximity).iter().map(Tally::won).collect();
            assert_eq!(won[1..3], [60, 4], "{name}");
            assert!(won[3] * 100 >= 781 * 95, "{name}: {} of 781", won[3]);
        }
    }
}
