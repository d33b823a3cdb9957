//! The order of variables, changed while there are diagrams.

use oxidd::{Manager, ManagerRef};
use oxidd_reorder::set_var_order_seq;

use super::Bdds;

/// A variable is not moved further once diagrams are so many times as large as they were at best.
const GROWTH: f64 = 1.2;

impl Bdds {
    /// The variables, the first to be decided first.
    pub fn order(&self) -> Vec<usize> {
        self.bound.manager.with_manager_shared(|manager| {
            (0..manager.num_levels()).map(|level| manager.level_to_var(level) as usize).collect()
        })
    }

    /// Puts the variables into this order.
    pub fn set_order(&self, order: &[usize]) {
        let order: Vec<u32> = order.iter().map(|&variable| variable as u32).collect();
        self.bound.manager.with_manager_exclusive(|manager| set_var_order_seq(manager, &order));
    }

    /// Moves each variable to where diagrams are smallest (Rudell's sifting), those with the most nodes first, until this
    /// time is over, if there is one; says how many nodes are left. Diagrams stay what they are.
    ///
    /// Moving may need room for more nodes than there were: where less than two thirds are free, nothing is moved.
    pub fn sift(&self, until: Option<std::time::Instant>) -> usize {
        self.bound.manager.with_manager_exclusive(|manager| {
            manager.gc();
            manager.reorder(|manager| {
                let levels = manager.num_levels();
                let mut by_size: Vec<(usize, u32)> = (0..levels)
                    .map(|level| {
                        (oxidd_core::LevelView::len(&manager.level(level)), manager.level_to_var(level))
                    })
                    .collect();
                by_size.sort_unstable_by(|a, b| b.cmp(a));
                for (size, variable) in by_size {
                    if size == 0 || until.is_some_and(|until| std::time::Instant::now() > until) {
                        break;
                    }
                    let is_roomy = |count: usize| 3 * count < self.bound.nodes;
                    if !is_roomy(manager.num_inner_nodes()) {
                        break;
                    }
                    let start = manager.var_to_level(variable);
                    let (mut best, mut best_at) = (manager.num_inner_nodes(), start);
                    let mut at = start;
                    // To the nearer end first, then all the way to the other.
                    let ends = if start > levels / 2 { [levels - 1, 0] } else { [0, levels - 1] };
                    for end in ends {
                        while at != end {
                            let to = if end > at { at + 1 } else { at - 1 };
                            let other = manager.level_to_var(to);
                            let pair = if end > at { [other, variable] } else { [variable, other] };
                            set_var_order_seq(manager, &pair);
                            at = manager.var_to_level(variable);
                            let count = manager.num_inner_nodes();
                            if count < best {
                                (best, best_at) = (count, at);
                            }
                            if count as f64 > GROWTH * best as f64 || !is_roomy(count) {
                                break;
                            }
                        }
                    }
                    while at != best_at {
                        let to = if best_at > at { at + 1 } else { at - 1 };
                        let other = manager.level_to_var(to);
                        let pair = if best_at > at { [other, variable] } else { [variable, other] };
                        set_var_order_seq(manager, &pair);
                        at = manager.var_to_level(variable);
                    }
                }
                manager.num_inner_nodes()
            })
        })
    }
}
