//! Makes records of events.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::about::About;
use super::record::{Names, Progress, Record};
use super::story::Story;
use super::walk::Walks;
use crate::campaign::{Event, Outcome, Phase};
use crate::report::Explanation;
use crate::specification::Specification;
use crate::system::Times;
use crate::trace::Step;

/// How far apart records are that only say that something goes on.
const PACE: Duration = Duration::from_millis(100);
/// How far apart counts of visits are written.
const VISITS_PACE: Duration = Duration::from_secs(2);

/// Makes the lines of a log of what a session tells. With a specification, they are enough to make every report.
#[derive(Default)]
pub struct Recorder<'a> {
    names: Names,
    specification: Option<&'a Specification>,
    command: Vec<String>,
    walks: Walks,
    times: Option<Arc<Times>>,
    started: Option<Instant>,
    paused: Option<Instant>,
    told: Option<Instant>,
    visits_told: Option<Instant>,
    /// Steps and runs of campaigns that are over, and of saved traces.
    before: (u64, u64),
    calibrates: bool,
    /// Told again when there are so many steps.
    next: u64,
    progress: Progress,
    /// The steps at which something was new.
    news: u64,
}

/// Where a record goes.
type Give<'g> = dyn FnMut(&Record) -> io::Result<()> + 'g;

impl<'a> Recorder<'a> {
    /// Records that say what the specification is, and what findings mean.
    pub fn about(specification: &'a Specification, command: &[String]) -> Recorder<'a> {
        // Without room for decision diagrams there are no pictures.
        let walks = Walks::of(specification).unwrap_or_default();
        Recorder {
            specification: Some(specification),
            command: command.to_vec(),
            walks,
            ..Recorder::default()
        }
    }

    /// Also says where time went.
    #[must_use]
    pub fn timed(mut self, times: Arc<Times>) -> Recorder<'a> {
        self.times = Some(times);
        self
    }

    /// Gives the records of an event, in order.
    pub fn on(&mut self, event: &Event<'_>, give: &mut Give<'_>) -> io::Result<()> {
        if matches!(event, Event::Steps { .. } | Event::Shrinking { .. }) && self.is_too_soon() {
            return Ok(());
        }
        self.names.follow(event);
        let mut record = self.names.record(event);
        self.tell_story(event, &mut record);
        self.tell_news(give)?;
        give(&record)?;
        if self.specification.is_some() {
            self.follow(event, give)?;
        }
        Ok(())
    }

    fn is_too_soon(&mut self) -> bool {
        let now = Instant::now();
        let is_too_soon = self.paused.is_some_and(|before| now - before < PACE);
        self.paused = if is_too_soon { self.paused } else { Some(now) };
        is_too_soon
    }

    /// Adds what a finding means.
    fn tell_story(&mut self, event: &Event<'_>, record: &mut Record) {
        let (trace, explained): (&[Step], Option<&Explanation>) = match event {
            Event::Covered { trace, .. } | Event::AlreadyCovered { trace, .. } => (trace, None),
            Event::Violation(found) => (&found.trace, found.explanation.as_ref()),
            Event::Suspected(found) => (&found.trace, None),
            Event::Broken(system) => (&system.trace, None),
            _ => return,
        };
        let Some(specification) = self.specification else { return };
        let told = Some(Box::new(Story {
            explanation: explained.map(ToString::to_string),
            forbidden: explained.map(|explained| explained.output.clone()),
            allowed: explained.and_then(|explained| explained.allowed.clone()),
            verdicts: specification.lanes(trace).into_iter().collect(),
            paths: self.walks.paths(trace).collect(),
        }));
        match record {
            Record::Covered { story, .. }
            | Record::Violation { story, .. }
            | Record::Suspected { story, .. }
            | Record::Broken { story, .. } => *story = told,
            _ => {}
        }
    }

    /// What is told besides, to who wants to make reports.
    fn follow(&mut self, event: &Event<'_>, give: &mut Give<'_>) -> io::Result<()> {
        match event {
            Event::Started(_) => {
                self.started.get_or_insert_with(Instant::now);
                if let Some(specification) = self.specification {
                    let pictures = self.walks.pictures.clone();
                    give(&Record::About(Box::new(About::of(specification, &self.command, pictures))))?;
                }
                self.tell_progress(give)
            }
            Event::Phase(phase) => {
                self.calibrates = matches!(phase, Phase::Calibration);
                Ok(())
            }
            Event::Replayed { trace, .. } => {
                self.before.0 += trace.len() as u64;
                self.before.1 += 1;
                self.walks.count(trace, self.before.0);
                Ok(())
            }
            Event::Covered { .. } | Event::AlreadyCovered { .. } => {
                self.progress.covered += 1;
                self.news = self.progress.steps;
                Ok(())
            }
            Event::Violation(_) => {
                self.progress.violated += 1;
                self.news = self.progress.steps;
                self.tell_progress(give)
            }
            Event::Steps { outcome, .. } if !self.calibrates => {
                self.note(outcome);
                self.tell_progress(give)
            }
            Event::RunEnded { trace, outcome, .. } if !self.calibrates => {
                self.walks.count(trace, outcome.steps);
                self.note(outcome);
                let is_due = self.progress.steps >= self.next;
                if is_due || self.told.is_none_or(|before| before.elapsed() >= PACE) {
                    self.tell_progress(give)?;
                }
                match self.visits_told {
                    Some(before) if before.elapsed() < VISITS_PACE => Ok(()),
                    _ => self.tell_visits(&outcome.triggered, give),
                }
            }
            Event::CampaignEnded { outcome } => {
                if !self.calibrates {
                    self.note(outcome);
                    self.tell_progress(give)?;
                    self.before.0 += outcome.steps;
                    self.before.1 += outcome.runs;
                }
                // What the campaign counted is told at its end.
                self.tell_visits(&[], give)
            }
            _ => Ok(()),
        }
    }

    fn note(&mut self, outcome: &Outcome) {
        let distance = outcome.best_distance();
        let is_new = self.walks.situations > self.progress.situations
            || distance.is_some() && distance != self.progress.best_distance;
        self.progress.steps = self.before.0 + outcome.steps;
        self.progress.runs = self.before.1 + outcome.runs;
        self.progress.best_distance = distance;
        self.progress.situations = self.walks.situations;
        if is_new {
            self.news = self.progress.steps;
        }
        self.progress.quiet = self.progress.steps - self.news.min(self.progress.steps);
    }

    fn tell_progress(&mut self, give: &mut Give<'_>) -> io::Result<()> {
        let now = Instant::now();
        self.told = Some(now);
        self.next = self.progress.steps + self.progress.steps / 20 + 1;
        self.progress.ms = self.started.map_or(0, |started| (now - started).as_millis() as u64);
        if let Some(times) = &self.times {
            (self.progress.system_ms, self.progress.reset_ms) = times.milliseconds();
        }
        give(&Record::Progress(self.progress.clone()))
    }

    fn tell_visits(&mut self, triggered: &[u64], give: &mut Give<'_>) -> io::Result<()> {
        self.visits_told = Some(Instant::now());
        self.tell_news(give)?;
        give(&Record::Visits {
            steps: self.walks.steps,
            pictures: self.walks.visits(),
            triggered: triggered.to_vec(),
        })
    }

    /// What is to be added to pictures, before anything is said of it.
    fn tell_news(&mut self, give: &mut Give<'_>) -> io::Result<()> {
        self.walks.news().try_for_each(|(picture, news)| {
            give(&Record::Met { picture, nodes: news.nodes, edges: news.edges })
        })
    }

    /// How far the search is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}
