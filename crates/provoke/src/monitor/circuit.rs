//! A monitor that evaluates a circuit.

use std::sync::Arc;

use super::{Follow, Monitor, Verdict};
use crate::circuit::{At, Paths, Wired};
use crate::trace::Step;

/// Follows a circuit: right until it says that something is wrong.
#[derive(Debug)]
struct Evaluating {
    paths: Arc<Paths>,
    at: At,
    stand: Verdict,
}

impl Monitor {
    /// The monitor of a circuit.
    pub fn circuit(wired: Arc<Wired>) -> Monitor {
        let paths = Arc::new(Paths::new(wired));
        let at = paths.start();
        Monitor::Program(Box::new(Evaluating { paths, at, stand: Verdict::SoFarGood }))
    }
}

impl Follow for Evaluating {
    fn copy(&self) -> Box<dyn Follow> {
        Box::new(Evaluating { paths: self.paths.clone(), at: self.at.clone(), stand: self.stand })
    }

    fn reset(&mut self) {
        self.at = self.paths.start();
        self.stand = Verdict::SoFarGood;
    }

    fn violates(&mut self, step: &Step) -> bool {
        if self.stand == Verdict::SoFarGood && self.paths.step(&mut self.at, &step.input, &step.output) {
            self.stand = Verdict::Violated;
        }
        self.stand == Verdict::Violated
    }

    fn verdict(&self) -> Verdict {
        self.stand
    }

    fn allowed(&self) -> Vec<String> {
        Vec::new()
    }

    fn place(&self) -> Option<u64> {
        (self.stand == Verdict::SoFarGood).then(|| self.at.fingerprint())
    }

    fn show_place(&self) -> String {
        self.paths.show(&self.at)
    }
}
