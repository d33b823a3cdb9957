//! Strongly connected components.

use super::graph::{Arrow, Marks};

/// The components of a graph, numbered so that arrows never lead to a higher one.
#[derive(Debug)]
pub(crate) struct Components {
    /// The component of each state.
    pub(crate) of: Vec<u32>,
    pub(crate) count: usize,
}

impl Components {
    /// Tarjan's algorithm, without recursion.
    pub(crate) fn new(arrows: &[Vec<Arrow>]) -> Components {
        const NONE: u32 = u32::MAX;
        let states = arrows.len();
        let (mut order, mut low, mut of) = (vec![NONE; states], vec![0; states], vec![NONE; states]);
        let (mut visited, mut count) = (0, 0);
        let mut stack: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        for root in 0..states as u32 {
            if order[root as usize] != NONE {
                continue;
            }
            path.push((root, 0));
            while let Some(&(at, next)) = path.last() {
                let state = at as usize;
                if next == 0 {
                    order[state] = visited;
                    low[state] = visited;
                    visited += 1;
                    stack.push(at);
                }
                if let Some(arrow) = arrows[state].get(next) {
                    if let Some(top) = path.last_mut() {
                        top.1 += 1;
                    }
                    let to = arrow.to as usize;
                    if order[to] == NONE {
                        path.push((arrow.to, 0));
                    } else if of[to] == NONE {
                        low[state] = low[state].min(order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(before, _)) = path.last() {
                    low[before as usize] = low[before as usize].min(low[state]);
                }
                if low[state] == order[state] {
                    while let Some(member) = stack.pop() {
                        of[member as usize] = count;
                        if member == at {
                            break;
                        }
                    }
                    count += 1;
                }
            }
        }
        Components { of, count: count as usize }
    }

    /// The states of each component.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count];
        for (at, &component) in self.of.iter().enumerate() {
            members[component as usize].push(at);
        }
        members
    }

    /// Whether an arrow stays inside a component.
    pub(crate) fn inside(&self, from: usize, arrow: &Arrow) -> bool {
        self.of[from] == self.of[arrow.to as usize]
    }

    /// For each component, the marks of the arrows inside; nothing where there is no arrow inside.
    pub(crate) fn marks(&self, arrows: &[Vec<Arrow>]) -> Vec<Option<Marks>> {
        let mut marks = vec![None; self.count];
        for (at, list) in arrows.iter().enumerate() {
            for arrow in list.iter().filter(|arrow| self.inside(at, arrow)) {
                *marks[self.of[at] as usize].get_or_insert(0) |= arrow.marks;
            }
        }
        marks
    }
}
