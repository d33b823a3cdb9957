use super::{Strategy, View};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::Trace;

/// Sends the inputs of recorded traces again, one trace a run, and ends the campaign after the last.
///
/// What the system answers this time is for the monitors to judge; the recorded answers are not compared.
pub struct Replay {
    traces: Vec<Trace>,
    current: usize,
}

impl Replay {
    /// Replays these traces in order.
    pub fn new(traces: Vec<Trace>) -> Replay {
        Replay { traces, current: 0 }
    }
}

impl Strategy for Replay {
    fn begin_run(&mut self, run: u64, _steps: u32) -> bool {
        self.current = run as usize;
        self.current < self.traces.len()
    }

    fn choose(&mut self, view: &View<'_>, _rng: &mut Rng) -> Option<Letter> {
        self.traces[self.current].get(view.trace.len()).map(|step| step.input)
    }
}
