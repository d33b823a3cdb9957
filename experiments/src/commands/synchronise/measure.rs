//! One method on several machines: time, length, memory.

use std::time::{Duration, Instant};

use provoke::machine::Machine;
use provoke::synchronise::{Answer, Learning, Method, Query, synchronise};
use serde_json::{Value, json};

use super::effect::{Effect, published};

/// What one method did on the machines of one size.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Which experiment.
    pub(super) part: &'static str,
    /// States and inputs.
    pub(super) size: (usize, usize),
    /// The method.
    pub(super) method: Method,
    /// For each machine the word's length, if one was found.
    pub(super) lengths: Vec<Option<usize>>,
    /// Seconds for each machine; quick searches are timed several times and the least is taken.
    pub(super) each: Vec<f64>,
    /// The most bytes that were held beyond what was held before, for each machine; empty where that is not known.
    pub(super) peaks: Vec<f64>,
    /// Nodes of the Q-graph for each word that was learnt.
    pub(super) nodes: Vec<usize>,
    /// What the paper says.
    pub(super) paper: Option<String>,
}

impl Row {
    /// Runs a method on every machine, each within the budget.
    pub(super) fn measure(part: &'static str, machines: &[Machine], method: Method, budget: Duration) -> Row {
        let size = machines.first().map_or((0, 0), |first| (first.states().len(), first.inputs().len()));
        let mut row = Row {
            part,
            size,
            method,
            lengths: vec![],
            each: vec![],
            peaks: vec![],
            nodes: vec![],
            paper: None,
        };
        for (seed, machine) in machines.iter().enumerate() {
            let query = query(method, budget, seed as u64);
            let before = forget_peak().and_then(|()| status("VmRSS:"));
            let (answer, seconds) = timed(machine, &query);
            let peak = before.and_then(|before| Some(status("VmHWM:")?.saturating_sub(before)));
            row.peaks.extend(peak.map(|peak| peak as f64));
            row.each.push(seconds);
            row.lengths.push(match answer {
                Answer::Found(found) => {
                    row.nodes.extend(found.nodes);
                    Some(found.word.len())
                }
                Answer::None(_) | Answer::Unknown(_) => None,
            });
        }
        row
    }

    /// The most memory over all machines.
    pub(super) fn peak_bytes(&self) -> Option<f64> {
        self.peaks.iter().copied().max_by(f64::total_cmp)
    }

    /// The mean number of nodes of the Q-graph.
    pub(super) fn nodes(&self) -> Option<f64> {
        let count = self.nodes.len();
        (count > 0).then(|| self.nodes.iter().sum::<usize>() as f64 / count as f64)
    }

    /// How many machines got a word.
    pub(super) fn found(&self) -> usize {
        self.lengths.iter().flatten().count()
    }

    /// The mean length of the words found.
    pub(super) fn length(&self) -> f64 {
        self.lengths.iter().flatten().sum::<usize>() as f64 / self.found().max(1) as f64
    }

    /// Seconds for one machine.
    pub(super) fn time(&self) -> f64 {
        self.each.iter().sum::<f64>() / self.each.len().max(1) as f64
    }

    /// The row as the object that `--json` prints; `baseline` is the row of the method to compare with.
    pub(super) fn to_json(&self, baseline: Option<&Row>) -> Value {
        let mut value = json!({
            "part": self.part,
            "strategy": self.method.entry().name,
            "states": self.size.0,
            "inputs": self.size.1,
            "attempts": self.lengths.len(),
            "successes": self.found(),
            "mean_length": self.length(),
            "mean_seconds": self.time(),
            "peak_bytes": self.peak_bytes(),
            "mean_nodes": self.nodes(),
            "paper": self.paper,
        });
        if let Some(baseline) = baseline {
            let effect = Effect::of(self, baseline);
            value["cohens_d"] =
                json!({ "time": effect.time, "length": effect.length, "memory": effect.memory });
            value["shorter_than_eppstein_percent"] = json!(shorter(self, baseline));
            value["times_faster_than_eppstein"] = json!(baseline.time() / self.time());
        }
        value
    }

    /// The row as text.
    pub(super) fn print(&self, baseline: Option<&Row>) {
        let compared = baseline.map_or(String::new(), |baseline| {
            let faster = baseline.time() / self.time();
            format!("{:>7.1} %  {:>8.1} x", shorter(self, baseline), faster)
        });
        let peak = self.peak_bytes().map_or("-".to_owned(), |bytes| format!("{:.1} MB", bytes / 1e6));
        println!(
            "{:>9} {:>4}  {:<11} {:>3}/{:<3} {:>9.2} {:>12} {:>10}  {compared:<21} {}",
            self.size.0,
            self.size.1,
            self.method.entry().name,
            self.found(),
            self.lengths.len(),
            self.length(),
            shown(self.time()),
            peak,
            self.paper.as_deref().unwrap_or("")
        );
        self.print_effects(baseline);
    }

    /// Below a learning method's row: its nodes as in Fig. 7, its effect sizes as in tables I to VI, the paper's beside.
    fn print_effects(&self, baseline: Option<&Row>) {
        let Some(nodes) = self.nodes() else { return };
        let paper_nodes = if self.size == (131_072, 22) { "  [paper: 70]" } else { "" };
        println!("{:>16} Q-nodes {nodes:.1}{paper_nodes}", "");
        if let Some(baseline) = baseline {
            let paper = published(self.part, self.size.0, self.size.1);
            let paper = paper.map_or(String::new(), |effect| format!("  [paper: {}]", effect.show()));
            println!("{:>16} Cohen's d: {}{paper}", "", Effect::of(self, baseline).show());
        }
    }
}

/// What a method is asked; the published form with the published parameters.
pub(super) fn query(method: Method, budget: Duration, seed: u64) -> Query {
    let learning = if method == Method::QSynch { Learning::published() } else { Learning::default() };
    Query { method, budget: Some(budget), seed, learning, ..Query::default() }
}

/// Searches that take less than this are timed again: a moment in which another program ran would count for
/// much of such a time.
const QUICK: f64 = 0.05;

/// An answer and the seconds it takes: of quick ones, the least of five times.
fn timed(machine: &Machine, query: &Query) -> (Answer, f64) {
    let once = || {
        let started = Instant::now();
        let answer = synchronise(machine, query, None);
        (answer, started.elapsed().as_secs_f64())
    };
    let (answer, mut seconds) = once();
    for _ in 1..5 {
        if seconds < QUICK {
            seconds = seconds.min(once().1);
        }
    }
    (answer, seconds)
}

/// The line above the rows.
pub(super) fn header(title: &str) {
    println!("\n{title}");
    println!(
        "{:>9} {:>4}  {:<11} {:>7} {:>9} {:>12} {:>10}  {:>9} {:>10}",
        "states", "in", "method", "found", "length", "time", "memory", "shorter", "faster"
    );
}

/// By how many percent words are shorter than those of another method, over machines where both found one.
pub(super) fn shorter(row: &Row, than: &Row) -> f64 {
    let both = row.lengths.iter().zip(&than.lengths).filter_map(|pair| Some(((*pair.0)?, (*pair.1)?)));
    let (mine, theirs) = both.fold((0, 0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
    100.0 * (1.0 - mine as f64 / (theirs as f64).max(1.0))
}

/// A time with a unit that fits.
pub(super) fn shown(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 1e-3 => format!("{:.1} us", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.2} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}

/// The slope of a straight line through the logarithms: time grows like the states to this power.
pub(super) fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (mean_x, mean_y) = (
        logs.iter().map(|point| point.0).sum::<f64>() / count,
        logs.iter().map(|point| point.1).sum::<f64>() / count,
    );
    let covariance: f64 = logs.iter().map(|point| (point.0 - mean_x) * (point.1 - mean_y)).sum();
    covariance / logs.iter().map(|point| (point.0 - mean_x).powi(2)).sum::<f64>()
}

/// Makes Linux forget the most memory this process ever held; none elsewhere.
fn forget_peak() -> Option<()> {
    std::fs::write("/proc/self/clear_refs", "5").ok()
}

/// A line of `/proc/self/status`, in bytes.
fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_exponent_two() {
        let points: Vec<(f64, f64)> = (1..6).map(|x| (f64::from(x), 3.0 * f64::from(x * x))).collect();
        assert!((exponent(&points) - 2.0).abs() < 1e-9);
    }
}
