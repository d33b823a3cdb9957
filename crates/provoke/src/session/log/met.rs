//! The places of something that is too large to be drawn beforehand, drawn as runs meet them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::picture::{Mark, Picture, Spot, clip};
use crate::monitor::{Monitor, Verdict};

/// The most nodes of one picture; what is met beyond is followed and not drawn.
const MOST: usize = 1_000;

/// Stands for a place that is not drawn.
pub(super) const BEYOND: u32 = u32::MAX;

/// How a place is called.
type Name = Box<dyn Fn(&Monitor) -> String + Send + Sync>;

/// Numbers for the places of runs, given as they are met, and what there is to draw of them.
pub(super) struct Met {
    name: Name,
    numbers: FxHashMap<u64, u32>,
    /// The nodes that the picture began with, by their names.
    drawn: FxHashMap<String, u32>,
    edges: FxHashSet<(u32, u32)>,
    violation: Option<u32>,
    count: usize,
    news: News,
}

/// What was met since it was last told: nodes, and edges with an exchange each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct News {
    pub(super) nodes: Vec<Spot>,
    pub(super) edges: Vec<(usize, usize, String)>,
}

impl Met {
    pub(super) fn new(picture: &Picture, name: Name) -> Met {
        let mut drawn = FxHashMap::default();
        for (at, spot) in picture.nodes.iter().enumerate() {
            drawn.entry(spot.label.clone()).or_insert(at as u32);
        }
        Met {
            name,
            numbers: FxHashMap::default(),
            drawn,
            edges: picture.edges.iter().map(|&(from, to, _)| (from as u32, to as u32)).collect(),
            violation: None,
            count: picture.nodes.len(),
            news: News::default(),
        }
    }

    /// The node of where a run is.
    pub(super) fn number(&mut self, monitor: &Monitor) -> u32 {
        if monitor.verdict() == Verdict::Violated {
            let spot = || Spot { label: "violation".to_owned(), mark: Some(Mark::Violation) };
            return match self.violation {
                Some(number) => number,
                None => *self.violation.insert(add(&mut self.count, &mut self.news, spot())),
            };
        }
        let Some(place) = monitor.place() else { return BEYOND };
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        if self.count >= MOST {
            return BEYOND;
        }
        let label = clip(&(self.name)(monitor));
        let number = match self.drawn.get(&label) {
            Some(&number) => number,
            None => add(&mut self.count, &mut self.news, Spot { label, mark: None }),
        };
        self.numbers.insert(place, number);
        number
    }

    /// Takes note of a way from one node to another; `exchange` says one that took it.
    pub(super) fn way(&mut self, from: u32, to: u32, exchange: impl FnOnce() -> String) {
        if self.edges.insert((from, to)) {
            self.news.edges.push((from as usize, to as usize, clip(&format!("e.g. {}", exchange()))));
        }
    }

    /// How many nodes there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// What is new since this was last asked.
    pub(super) fn news(&mut self) -> Option<News> {
        let news = std::mem::take(&mut self.news);
        (news != News::default()).then_some(news)
    }
}

fn add(count: &mut usize, news: &mut News, spot: Spot) -> u32 {
    news.nodes.push(spot);
    *count += 1;
    (*count - 1) as u32
}
