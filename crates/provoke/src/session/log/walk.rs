//! Follows runs through the pictures, and counts.

use rustc_hash::FxHashMap;

use super::Visits;
use super::picture::{Picture, is_counted};
use crate::bdd::OutOfNodes;
use crate::monitor::{Monitor, Verdict};
use crate::specification::{Goal, Specification};
use crate::trace::Step;

/// So many steps are looked at in any case, times the number of pictures; beyond, a share of them.
const LOOKED_AT: u64 = 2_000_000;
/// One step in so many is looked at beyond.
const SHARE: u64 = 8;

/// Follows the runs of a campaign through one picture.
struct Walk {
    monitor: Monitor,
    /// The node that stands for having left the automaton.
    left: u32,
    nodes: Vec<u64>,
    edges: FxHashMap<(u32, u32), u64>,
}

/// All pictures of a specification, and how often what is in them was visited.
#[derive(Default)]
pub(super) struct Walks {
    pub(super) pictures: Vec<Picture>,
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
        let mut walks = Walks::default();
        for number in specification.numbers() {
            let Some(mut picture) = Picture::of_requirement(specification, number)? else { continue };
            let requirement = specification.requirement(number);
            picture.counted &= is_counted(requirement) && !picture.nodes.is_empty();
            let walk = picture.counted.then(|| Walk::new(requirement.demand.monitor.clone(), &picture));
            walks.add(picture, walk);
        }
        for objective in &specification.objectives {
            let Goal::Purpose(purpose) = &objective.goal else { continue };
            let picture = Picture::of_purpose(&objective.id, purpose);
            let monitor = Monitor::new(purpose, vec![Verdict::SoFarGood; purpose.states.len()])?;
            let walk = picture.counted.then(|| Walk::new(monitor, &picture));
            walks.add(picture, walk);
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
        self.steps += trace.len() as u64;
        for walk in self.walks.iter_mut().flatten() {
            self.looked_at += trace.len() as u64;
            self.situations += walk.count(trace);
        }
    }

    /// The nodes of each picture that a run goes through.
    pub(super) fn paths(&mut self, trace: &[Step]) -> impl Iterator<Item = (String, Vec<u32>)> {
        let both = self.pictures.iter().zip(&mut self.walks);
        both.filter_map(|(picture, walk)| Some((picture.of.clone(), walk.as_mut()?.path(trace))))
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
    fn new(mut monitor: Monitor, picture: &Picture) -> Walk {
        monitor.reset();
        let nodes = vec![0; picture.nodes.len()];
        Walk { monitor, left: picture.states as u32, nodes, edges: FxHashMap::default() }
    }

    fn at(&self) -> u32 {
        self.monitor.state().unwrap_or(self.left)
    }

    /// Gives how many nodes and edges were new.
    fn count(&mut self, trace: &[Step]) -> u64 {
        self.monitor.reset();
        let mut new = 0;
        let mut from = self.at();
        new += visit(&mut self.nodes, from);
        for step in trace {
            self.monitor.violates(step);
            let to = self.at();
            new += visit(&mut self.nodes, to);
            let times = self.edges.entry((from, to)).or_default();
            new += u64::from(*times == 0);
            *times += 1;
            if to == self.left {
                break;
            }
            from = to;
        }
        new
    }

    fn path(&mut self, trace: &[Step]) -> Vec<u32> {
        self.monitor.reset();
        let mut path = vec![self.at()];
        for step in trace {
            self.monitor.violates(step);
            path.push(self.at());
        }
        path
    }
}

fn visit(nodes: &mut [u64], at: u32) -> u64 {
    let Some(times) = nodes.get_mut(at as usize) else { return 0 };
    *times += 1;
    u64::from(*times == 1)
}
