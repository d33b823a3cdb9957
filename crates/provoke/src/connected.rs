//! Strongly connected components: the parts of a graph that can be gone round in for ever.

use std::ops::ControlFlow;

/// The strongly connected components of a graph, numbered so that no edge leads to a higher one.
#[derive(Debug)]
pub(crate) struct Components {
    /// The component of each node.
    pub(crate) of: Vec<u32>,
    /// How many there are.
    pub(crate) count: usize,
}

/// No component yet.
const NONE: u32 = u32::MAX;

impl Components {
    /// The components of a graph with this many nodes, given what each leads to.
    pub(crate) fn new<Edges: Iterator<Item = u32>>(
        nodes: usize,
        successors: impl FnMut(u32) -> Edges,
    ) -> Components {
        let mut components = Components { of: Vec::new(), count: 0 };
        let count = &mut components.count;
        let visited = visit(nodes, successors, |_, _| {
            *count += 1;
            ControlFlow::<()>::Continue(())
        });
        if let ControlFlow::Continue(of) = visited {
            components.of = of;
        }
        components
    }

    /// The nodes of each component.
    pub(crate) fn members(&self) -> Vec<Vec<usize>> {
        let mut members = vec![Vec::new(); self.count];
        for (at, &component) in self.of.iter().enumerate() {
            members[component as usize].push(at);
        }
        members
    }
}

/// Meets the components of a graph one after another, each after all it leads to, until `meet` has had enough. It gets
/// the nodes of the component, the one that was reached first in front, and the component of each node that has one
/// by then. In the end, the component of each node.
///
/// Tarjan's algorithm with its own stack, so long chains are no danger. Nodes are begun in the order of their numbers;
/// `successors` is asked once for each node, when it is reached.
pub(crate) fn visit<Edges: Iterator<Item = u32>, Enough>(
    nodes: usize,
    mut successors: impl FnMut(u32) -> Edges,
    mut meet: impl FnMut(&[u32], &[u32]) -> ControlFlow<Enough>,
) -> ControlFlow<Enough, Vec<u32>> {
    let (mut order, mut low, mut component) = (vec![NONE; nodes], vec![0; nodes], vec![NONE; nodes]);
    let (mut reached, mut components) = (0, 0);
    // Nodes without a component yet, in the order in which they were reached.
    let mut open: Vec<u32> = Vec::new();
    let mut path: Vec<(u32, Edges)> = Vec::new();
    for root in 0..nodes as u32 {
        let mut new = (order[root as usize] == NONE).then_some(root);
        loop {
            if let Some(node) = new.take() {
                (order[node as usize], low[node as usize]) = (reached, reached);
                reached += 1;
                open.push(node);
                path.push((node, successors(node)));
            }
            let Some((node, edges)) = path.last_mut() else { break };
            let (node, at) = (*node, *node as usize);
            if let Some(to) = edges.next() {
                if order[to as usize] == NONE {
                    new = Some(to);
                } else if component[to as usize] == NONE {
                    low[at] = low[at].min(order[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before as usize] = low[*before as usize].min(low[at]);
            }
            if low[at] == order[at] {
                let first = open.iter().rposition(|&member| member == node).unwrap_or(0);
                open[first..].iter().for_each(|&member| component[member as usize] = components);
                components += 1;
                meet(&open[first..], &component)?;
                open.truncate(first);
            }
        }
    }
    ControlFlow::Continue(component)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn components(graph: &[Vec<u32>]) -> Components {
        Components::new(graph.len(), |at| graph[at as usize].iter().copied())
    }

    /// For each two nodes, whether there is a way from one to the other.
    fn ways(graph: &[Vec<u32>]) -> Vec<Vec<bool>> {
        let count = graph.len();
        let mut ways = vec![vec![false; count]; count];
        for at in 0..count {
            ways[at][at] = true;
            graph[at].iter().for_each(|&to| ways[at][to as usize] = true);
        }
        for middle in 0..count {
            for at in 0..count {
                for to in 0..count {
                    ways[at][to] |= ways[at][middle] && ways[middle][to];
                }
            }
        }
        ways
    }

    fn graphs() -> impl Strategy<Value = Vec<Vec<u32>>> {
        (0..12usize).prop_flat_map(|count| {
            let edges = proptest::collection::vec(0..count.max(1) as u32, 0..4);
            proptest::collection::vec(edges, count)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn components_are_mutual_reachability(graph in graphs()) {
            let (components, ways) = (components(&graph), ways(&graph));
            for (at, ways_from) in ways.iter().enumerate() {
                for (to, &way) in ways_from.iter().enumerate() {
                    let (own, other) = (components.of[at], components.of[to]);
                    prop_assert_eq!(own == other, way && ways[to][at]);
                    prop_assert!(!way || own >= other);
                }
            }
            let members = components.members();
            prop_assert_eq!(members.len(), components.count);
            prop_assert!(members.iter().all(|members| !members.is_empty()));
            prop_assert_eq!(members.concat().len(), graph.len());
        }

        #[test]
        fn each_component_is_met_once_after_those_it_leads_to(graph in graphs(), enough in 1..12usize) {
            let mut met: Vec<Vec<u32>> = Vec::new();
            let done = visit(graph.len(), |at| graph[at as usize].iter().copied(), |members, of| {
                let known = |&&to: &&u32| of[to as usize] != NONE;
                assert!(members.iter().all(|&at| graph[at as usize].iter().filter(known).count() == graph[at as usize].len()));
                met.push(members.to_vec());
                if met.len() == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            let all = components(&graph);
            prop_assert_eq!(met.len(), all.count.min(enough));
            prop_assert_eq!(done.is_break(), all.count >= enough);
            for (number, members) in met.iter().enumerate() {
                let mut members: Vec<usize> = members.iter().map(|&at| at as usize).collect();
                members.sort_unstable();
                prop_assert_eq!(&members, &all.members()[number]);
            }
        }
    }

    #[test]
    fn long_chains_need_no_deep_stack() {
        let ring = Components::new(200_000, |at| std::iter::once((at + 1) % 200_000));
        assert!(ring.count == 1 && ring.of.iter().all(|&number| number == 0));
    }
}
