//! Follows runs through the pictures, and counts.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::Visits;
use super::met::{BEYOND, Met, News};
use super::picture::{Picture, is_counted};
use crate::automaton::Automaton;
use crate::bdd::OutOfNodes;
use crate::letter::Interface;
use crate::monitor::{Monitor, Verdict};
use crate::specification::{Goal, Specification};
use crate::trace::{Step, in_range};

/// So many steps are looked at in any case, times the number of pictures; beyond, a share of them.
const LOOKED_AT: u64 = 2_000_000;
/// One step in so many is looked at beyond.
const SHARE: u64 = 8;

/// Follows the runs of a campaign through one picture.
struct Walk {
    monitor: Monitor,
    places: Places,
    nodes: Vec<u64>,
    edges: FxHashMap<(u32, u32), u64>,
}

/// How places of a run become nodes.
enum Places {
    /// They are the states of an automaton that is drawn whole; this node stands for having left it.
    Drawn { left: u32 },
    /// They are drawn as they are met.
    Met(Met),
}

/// All pictures of a specification, and how often what is in them was visited.
#[derive(Default)]
pub(super) struct Walks {
    pub(super) pictures: Vec<Picture>,
    interface: Option<Interface>,
    /// By picture; none where nothing is counted.
    walks: Vec<Option<Walk>>,
    looked_at: u64,
    /// Steps that were looked at, and how many states and transitions they visited.
    pub(super) steps: u64,
    pub(super) situations: u64,
}

impl Walks {
    /// The pictures of requirements, and of test purposes.
    pub(super) fn of(specification: &Specification) -> Result<Walks, OutOfNodes> {
        let mut walks = Walks { interface: Some(specification.interface().clone()), ..Walks::default() };
        for number in specification.numbers() {
            let Some(mut picture) = Picture::of_requirement(specification, number)? else { continue };
            let requirement = specification.requirement(number);
            picture.counted &= is_counted(requirement, picture.grows);
            picture.grows &= picture.counted;
            let automaton = requirement.demand.automaton().cloned();
            let walk =
                picture.counted.then(|| Walk::new(requirement.demand.monitor.clone(), &picture, automaton));
            walks.add(picture, walk);
        }
        for objective in &specification.objectives {
            let Goal::Purpose(purpose) = &objective.goal else { continue };
            let picture = Picture::of_purpose(&objective.id, purpose);
            let monitor = Monitor::new(purpose, vec![Verdict::SoFarGood; purpose.states.len()])?;
            walks.add(picture.clone(), Some(Walk::new(monitor, &picture, Some(purpose.clone()))));
        }
        Ok(walks)
    }

    fn add(&mut self, picture: Picture, walk: Option<Walk>) {
        self.pictures.push(picture);
        self.walks.push(walk);
    }

    /// Counts a run of a campaign with so many steps so far, unless too much was looked at.
    pub(super) fn count(&mut self, trace: &[Step], all_steps: u64) {
        if self.looked_at > LOOKED_AT + all_steps / SHARE {
            return;
        }
        let Some(interface) = &self.interface else { return };
        let trace = in_range(&interface.outputs, trace);
        self.steps += trace.len() as u64;
        for walk in self.walks.iter_mut().flatten() {
            self.looked_at += trace.len() as u64;
            self.situations += walk.count(trace, interface);
        }
    }

    /// The nodes of each picture that a run goes through.
    pub(super) fn paths(&mut self, trace: &[Step]) -> impl Iterator<Item = (String, Vec<u32>)> {
        let interface = self.interface.as_ref();
        let both = self.pictures.iter().zip(&mut self.walks);
        both.filter_map(move |(picture, walk)| {
            let judged = in_range(&interface?.outputs, trace);
            let mut path = walk.as_mut()?.path(judged, interface?);
            // It stays where it is at an answer that is out of range.
            let last = path.last().copied();
            path.extend(last.into_iter().cycle().take(trace.len() - judged.len()));
            Some((picture.of.clone(), path))
        })
    }

    /// What was met since this was last asked, and in which picture.
    pub(super) fn news(&mut self) -> impl Iterator<Item = (usize, News)> {
        self.walks.iter_mut().enumerate().filter_map(|(picture, walk)| match &mut walk.as_mut()?.places {
            Places::Met(met) => Some((picture, met.news()?)),
            Places::Drawn { .. } => None,
        })
    }

    /// How often everything was visited.
    pub(super) fn visits(&self) -> Vec<Visits> {
        let visits = |walk: &Option<Walk>| match walk {
            None => Visits::default(),
            Some(walk) => {
                let mut edges: Vec<(u32, u32, u64)> =
                    walk.edges.iter().map(|(&(from, to), &count)| (from, to, count)).collect();
                edges.sort_unstable();
                Visits { nodes: walk.nodes.clone(), edges }
            }
        };
        self.walks.iter().map(visits).collect()
    }
}

impl Walk {
    fn new(mut monitor: Monitor, picture: &Picture, automaton: Option<Arc<Automaton>>) -> Walk {
        monitor.reset();
        let places = match picture.grows {
            false => Places::Drawn { left: picture.states as u32 },
            true => Places::Met(Met::new(
                picture,
                Box::new(move |monitor| match (&automaton, monitor.state()) {
                    (Some(automaton), Some(state)) => automaton.state_name(state),
                    _ => monitor.show_place().replace(", ", "\n"),
                }),
            )),
        };
        let nodes = vec![0; picture.nodes.len()];
        Walk { monitor, places, nodes, edges: FxHashMap::default() }
    }

    fn at(&mut self) -> u32 {
        match &mut self.places {
            Places::Drawn { left } => match self.monitor.state() {
                Some(state) => state,
                None if self.monitor.verdict() == Verdict::Violated => *left,
                // Several states are possible.
                None => BEYOND,
            },
            Places::Met(met) => {
                let at = met.number(&self.monitor);
                self.nodes.resize(met.count(), 0);
                at
            }
        }
    }

    /// Gives how many nodes and edges were new.
    fn count(&mut self, trace: &[Step], interface: &Interface) -> u64 {
        self.monitor.reset();
        let mut new = 0;
        let mut from = self.at();
        new += visit(&mut self.nodes, from);
        for step in trace {
            let is_violated = self.monitor.violates(step);
            let to = self.at();
            new += visit(&mut self.nodes, to);
            if from != BEYOND && to != BEYOND {
                let times = self.edges.entry((from, to)).or_default();
                *times += 1;
                if *times == 1 {
                    new += 1;
                    self.draw(from, to, step, interface);
                }
            }
            if is_violated {
                break;
            }
            from = to;
        }
        new
    }

    /// Draws a way that is not drawn yet.
    fn draw(&mut self, from: u32, to: u32, step: &Step, interface: &Interface) {
        if let Places::Met(met) = &mut self.places {
            let Interface { inputs, outputs, .. } = interface;
            met.way(from, to, || format!("{} / {}", inputs.show(step.input), outputs.show(step.output)));
        }
    }

    /// A run that was shortened may go ways that no run of the campaign went.
    fn path(&mut self, trace: &[Step], interface: &Interface) -> Vec<u32> {
        self.monitor.reset();
        let mut from = self.at();
        let mut path = vec![from];
        for step in trace {
            self.monitor.violates(step);
            let to = self.at();
            if from != to && from != BEYOND && to != BEYOND {
                self.draw(from, to, step, interface);
            }
            path.push(to);
            from = to;
        }
        path
    }
}

fn visit(nodes: &mut [u64], at: u32) -> u64 {
    let Some(times) = nodes.get_mut(at as usize) else { return 0 };
    *times += 1;
    u64::from(*times == 1)
}
