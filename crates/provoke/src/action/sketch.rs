//! The first states of a model program, one by one: to be looked at.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Direction, ModelProgram};

/// The first states of a model program, and what leads from one to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sketch {
    /// The states, as they are shown.
    pub states: Vec<String>,
    /// Where a run may begin.
    pub initial: Vec<usize>,
    /// From a state, by an action of one side, to another.
    pub edges: Vec<(usize, String, Direction, usize)>,
    /// Whether this is all there is.
    pub complete: bool,
}

impl Sketch {
    /// Looks at a model breadth first, until there are so many states.
    pub fn of<M: ModelProgram>(model: &M, most: usize) -> Sketch {
        let mut states: IndexSet<M::State, FxBuildHasher> = model.initials().into_iter().collect();
        let mut sketch = Sketch { initial: (0..states.len()).collect(), complete: true, ..Sketch::default() };
        let (mut enabled, mut to) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < states.len() {
            let state = states[at].clone();
            for direction in [Direction::Controllable, Direction::Observable] {
                enabled.clear();
                model.enabled(direction, &state, &mut enabled);
                for action in &enabled {
                    to.clear();
                    model.steps(&state, action, &mut to);
                    for next in to.drain(..) {
                        if states.len() >= most && !states.contains(&next) {
                            sketch.complete = false;
                            continue;
                        }
                        let (next, _) = states.insert_full(next);
                        sketch.edges.push((at, model.show(action), direction, next));
                    }
                }
            }
            at += 1;
        }
        sketch.states = states.iter().map(|state| model.show_state(state)).collect();
        sketch
    }
}
