//! The experiments of paper 5, slow machines, real machines, and how far the methods reach.

mod data;
mod effect;
mod measure;
mod short;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use provoke::format::machine::write_binary;
use provoke::machine::Machine;
use provoke::rng::Rng;
use provoke::synchronise::Method;
use serde_json::{Value, json};

use crate::machines::{FAMILIES, planted, random};
use effect::Effect;
use measure::{Row, exponent, header, shorter, shown};

/// Reset words: paper 5's machines, slow ones, real ones (paper 5, section IV)
#[derive(Args, Debug)]
pub struct SynchroniseArgs {
    /// Which experiments; all but `huge` unless given
    #[arg(long, value_enum)]
    part: Vec<Part>,
    /// Only these methods, in S1 and S2
    #[arg(long, value_name = "NAME")]
    method: Vec<String>,
    /// Machines of each size
    #[arg(long, default_value_t = 20)]
    machines: u64,
    /// The largest machine of S1 and S2
    #[arg(long, default_value_t = 131_072)]
    largest: usize,
    /// The largest machine that eppstein, cubic in time, is run on
    #[arg(long, default_value_t = 1024)]
    eppstein: usize,
    /// Numbers of inputs
    #[arg(long, value_delimiter = ',', default_values_t = [10, 16, 22])]
    inputs: Vec<usize>,
    /// The master seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds for one machine
    #[arg(long, default_value_t = 120.0)]
    seconds: f64,
    /// Write one random machine of STATES,INPUTS to this table file and do nothing else
    #[arg(long, value_name = "FILE", requires = "size")]
    write: Option<PathBuf>,
    /// The size of the machine to write
    #[arg(long, value_name = "STATES,INPUTS", value_delimiter = ',')]
    size: Vec<usize>,
    /// Print an array of rows as JSON and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Random complete machines
    S1,
    /// Partial machines with a planted word
    S2,
    /// Cerny's machines and relatives
    Slow,
    /// Shortest words of random machines, and how often fast finds them
    Exact,
    /// How short the words of the default method are, on machines that --write makes
    Short,
    /// The machines in the folder of public data (PROVOKE_DATA)
    Data,
    /// Ten million states
    Huge,
}

const PARTS: [Part; 6] = [Part::S1, Part::S2, Part::Slow, Part::Exact, Part::Short, Part::Data];

impl SynchroniseArgs {
    /// Measures and prints.
    pub fn run(&self) -> Result<()> {
        if let (Some(path), [states, inputs]) = (&self.write, &self.size[..]) {
            let file =
                std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            let machine = random(*states, *inputs, &mut Rng::new(self.seed));
            return Ok(write_binary(&machine, &mut std::io::BufWriter::new(file))?);
        }
        let parts = if self.part.is_empty() { &PARTS[..] } else { &self.part[..] };
        let mut rows = Vec::new();
        for part in parts {
            rows.extend(match part {
                Part::S1 => self.s1(),
                Part::S2 => self.s2(),
                Part::Slow => self.slow(),
                Part::Exact => self.exact(),
                Part::Short => short::rows(Duration::from_secs_f64(self.seconds), self.json),
                Part::Data => data::rows(self.json),
                Part::Huge => self.huge(),
            });
        }
        if self.json {
            println!("{}", Value::Array(rows));
        }
        Ok(())
    }

    fn say(&self, text: impl FnOnce()) {
        if !self.json {
            text();
        }
    }

    fn make(
        &self,
        states: usize,
        inputs: usize,
        count: u64,
        maker: fn(usize, usize, &mut Rng) -> Machine,
    ) -> Vec<Machine> {
        (0..count)
            .map(|number| {
                let stream = number + 1000 * (1000 * states as u64 + inputs as u64);
                maker(states, inputs, &mut Rng::stream(self.seed, stream))
            })
            .collect()
    }

    fn methods(&self) -> impl Iterator<Item = Method> {
        let chosen = |method: &Method| {
            // The default method spends a second on each machine and is measured in a part of its own.
            let usual = self.method.is_empty() && *method != Method::Auto;
            usual || self.method.iter().any(|name| name == method.entry().name)
        };
        [Method::Greedy, Method::Fast, Method::Auto, Method::Beam, Method::QLearning, Method::QSynch]
            .into_iter()
            .filter(chosen)
    }

    fn sizes(&self) -> impl Iterator<Item = usize> {
        let largest = self.largest;
        (5..=17).map(|power| 1usize << power).filter(move |&states| states <= largest)
    }

    fn row(&self, part: &'static str, machines: &[Machine], method: Method) -> Row {
        Row::measure(part, machines, method, Duration::from_secs_f64(self.seconds))
    }

    /// Random complete machines; the paper compares with eppstein up to 512 states.
    fn s1(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        let mut growth: Vec<(Method, Vec<(f64, f64)>)> = Vec::new();
        self.say(|| header("S1: random complete machines, compared with eppstein"));
        for &inputs in &self.inputs {
            for states in self.sizes() {
                let machines = self.make(states, inputs, self.machines, random);
                let eppstein = (states <= self.eppstein).then(|| self.row("S1", &machines, Method::Eppstein));
                for method in self.methods() {
                    let mut row = self.row("S1", &machines, method);
                    row.paper = paper_s1(method, states);
                    self.say(|| row.print(eppstein.as_ref()));
                    rows.push(row.to_json(eppstein.as_ref()));
                    match growth.iter_mut().find(|(known, _)| *known == method) {
                        Some((_, points)) => points.push((states as f64, row.time())),
                        None => growth.push((method, vec![(states as f64, row.time())])),
                    }
                }
                if let Some(row) = eppstein {
                    self.say(|| row.print(None));
                    rows.push(row.to_json(None));
                }
            }
        }
        for (method, points) in growth {
            let (name, power) = (method.entry().name, exponent(&points));
            self.say(|| println!("time of {name} grows like states^{power:.2}"));
            rows.push(json!({ "part": "S1", "strategy": name, "time_exponent": power }));
        }
        rows
    }

    /// Partial machines; the paper compares with exhaustive search up to 64 states.
    fn s2(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        self.say(|| header("S2: partial machines with a planted word, compared with exact"));
        for &inputs in &self.inputs {
            for states in self.sizes() {
                let machines = self.make(states, inputs, self.machines, planted);
                let exact = (states <= 64).then(|| self.row("S2", &machines, Method::Exact));
                for method in self.methods() {
                    let mut row = self.row("S2", &machines, method);
                    if method == Method::QSynch && states <= 64 {
                        row.paper = Some("38 % longer than shortest".to_owned());
                    }
                    self.say(|| row.print(exact.as_ref()));
                    let mut value = row.to_json(None);
                    if let Some(exact) = &exact {
                        let effect = Effect::of(&row, exact);
                        value["cohens_d"] =
                            json!({ "time": effect.time, "length": effect.length, "memory": effect.memory });
                        value["longer_than_shortest_percent"] = json!(-shorter(&row, exact));
                    }
                    rows.push(value);
                }
                if let Some(row) = exact {
                    self.say(|| row.print(None));
                    rows.push(row.to_json(None));
                }
            }
        }
        rows
    }

    /// Machines whose shortest words are as long as any known.
    fn slow(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        self.say(|| println!("\nSlow machines: lengths, and times the shortest"));
        for family in FAMILIES {
            for states in [10u32, 20, 25, 30, 50, 100, 200, 400] {
                let machine = (family.machine)(states);
                let shortest = (family.shortest)(u64::from(states));
                let mut methods = vec![Method::Auto, Method::Fast, Method::Greedy];
                if states <= 25 {
                    methods.insert(0, Method::Exact);
                }
                for method in methods {
                    let row = self.row("slow", std::slice::from_ref(&machine), method);
                    let ratio = row.length() / shortest as f64;
                    self.say(|| {
                        println!(
                            "  {:<11} {states:>4} states  {:<7} {:>8} of {shortest:>8}  {ratio:>6.3} x  {}",
                            family.name,
                            method.entry().name,
                            row.lengths[0].map_or("-".to_owned(), |length| length.to_string()),
                            shown(row.time())
                        );
                    });
                    let mut value = row.to_json(None);
                    value["family"] = json!(family.name);
                    value["shortest"] = json!(shortest);
                    rows.push(value);
                }
            }
        }
        rows
    }

    /// How long the exact method takes, and how often fast is as good.
    fn exact(&self) -> Vec<Value> {
        let mut rows = Vec::new();
        self.say(|| println!("\nShortest words of random machines"));
        let small = [(10, 2), (20, 2), (32, 2), (50, 2), (75, 2), (100, 2), (16, 10), (24, 10), (32, 10)];
        let (mut equal, mut all) = (0, 0);
        for (states, inputs) in small.into_iter().chain([(150, 2), (200, 2)]) {
            let count = if states > 100 { self.machines.min(5) } else { self.machines };
            let machines = self.make(states, inputs, count, random);
            let exact = self.row("exact", &machines, Method::Exact);
            let fast = self.row("exact", &machines, Method::Fast);
            let same = exact.lengths.iter().zip(&fast.lengths).filter(|(exact, fast)| exact == fast).count();
            if states <= 100 {
                (equal, all) = (equal + same, all + machines.len());
            }
            self.say(|| {
                println!(
                    "  {states:>4} states {inputs:>3} inputs  exact {:>6.2} in {:>10}  fast {:>6.2} in {:>10}  equal {same}/{}",
                    exact.length(),
                    shown(exact.time()),
                    fast.length(),
                    shown(fast.time()),
                    machines.len()
                );
            });
            for row in [&exact, &fast] {
                let mut value = row.to_json(None);
                value["equal"] = json!(same);
                rows.push(value);
            }
        }
        self.say(|| println!("  up to 100 states, fast is as short as exact on {equal} of {all}"));
        rows
    }

    /// Ten million states.
    fn huge(&self) -> Vec<Value> {
        let (states, inputs) = (10_000_000, 2);
        let machine = random(states, inputs, &mut Rng::new(self.seed));
        let row = self.row("huge", std::slice::from_ref(&machine), Method::Auto);
        self.say(|| {
            header("Ten million states");
            row.print(None);
        });
        vec![row.to_json(None)]
    }
}

/// The paper's ratios against eppstein, which it calls Greedy.
fn paper_s1(method: Method, states: usize) -> Option<String> {
    (method == Method::QSynch && states <= 512).then(|| match states {
        512 => "30 % shorter, 1000 x faster, 1/76 of the memory".to_owned(),
        _ => "30 % shorter, 500 x faster, 1/30 of the memory".to_owned(),
    })
}
