//! Machines that random ones do not stand for: small inside, irregular, and full of places from which there is no way back.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use provoke::machine::{Builder, Machine};
use provoke::rng::Rng;

/// A kind of machine; a seed gives one of them.
pub struct Kind {
    /// What the command line calls it.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub sentence: &'static str,
    /// Makes the one of a seed.
    pub make: fn(u64) -> Irregular,
    /// Whether it is too large to be taken unless it is named.
    pub is_large: bool,
}

/// For each input, the next state and the answer.
type Row = Vec<(u32, String)>;

/// A machine by rows: for each state and input, the next state and the answer.
pub struct Irregular {
    /// The rows.
    pub rows: Vec<Vec<(u32, String)>>,
    /// How many error outputs are planted, `err0` and so on.
    pub errors: usize,
}

/// Every kind.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "errors-46",
        sentence: "46 states, 5 inputs, most of which lead to an error that swallows everything",
        make: |seed| errors(46, 5, seed),
        is_large: false,
    },
    Kind {
        name: "errors-90",
        sentence: "90 states, 10 inputs, most of which lead to an error that swallows everything",
        make: |seed| errors(90, 10, seed),
        is_large: false,
    },
    Kind {
        name: "errors-133",
        sentence: "133 states, 20 inputs, most of which lead to an error that swallows everything",
        make: |seed| errors(133, 20, seed),
        is_large: false,
    },
    Kind {
        name: "errors-46-20",
        sentence: "46 states, 20 inputs, most of which lead to an error that swallows everything",
        make: |seed| errors(46, 20, seed),
        is_large: false,
    },
    Kind {
        name: "errors-133-5",
        sentence: "133 states, 5 inputs, most of which lead to an error that swallows everything",
        make: |seed| errors(133, 5, seed),
        is_large: false,
    },
    Kind {
        name: "refuses-60",
        sentence: "60 states, 10 inputs, most of which are refused; some are refused for ever after that",
        make: |seed| refuses(60, 10, seed),
        is_large: false,
    },
    Kind {
        name: "refuses-90",
        sentence: "90 states, 20 inputs, most of which are refused; some are refused for ever after that",
        make: |seed| refuses(90, 20, seed),
        is_large: false,
    },
    Kind {
        name: "ignores-75",
        sentence: "75 states, 5 inputs, most of which are refused and change nothing; errors swallow everything",
        make: |seed| ignores(&errors(75, 5, seed)),
        is_large: false,
    },
    Kind {
        name: "ignores-133",
        sentence: "133 states, 20 inputs, most of which are refused and change nothing; errors swallow everything",
        make: |seed| ignores(&errors(133, 20, seed)),
        is_large: false,
    },
    Kind {
        name: "echoes-60",
        sentence: "60 states, 10 inputs, most of which lead to where everything is refused; an error is answered for ever",
        make: |seed| echoes(&errors(60, 10, seed)),
        is_large: false,
    },
    Kind {
        name: "echoes-133",
        sentence: "133 states, 20 inputs, most of which lead to where everything is refused; an error is answered for ever",
        make: |seed| echoes(&errors(133, 20, seed)),
        is_large: false,
    },
    Kind {
        name: "unfolded",
        sentence: "30 states, 5 inputs, and 10 errors that come only after a certain way through copies of them",
        make: |seed| unfolded(30, 5, 10, seed),
        is_large: false,
    },
    Kind {
        name: "doomed-80",
        sentence: "80 states and 30 doomed ones, 10 inputs, seven tenths of which lead to where everything ends sooner or later",
        make: |seed| doomed(&Doom { live: 80, doomed: 30, inputs: 10, share: 0.7 }, seed),
        is_large: false,
    },
    Kind {
        name: "doomed-100",
        sentence: "100 states and 33 doomed ones, 20 inputs, three quarters of which lead to where everything ends sooner or later",
        make: |seed| doomed(&Doom { live: 100, doomed: 33, inputs: 20, share: 0.75 }, seed),
        is_large: false,
    },
    Kind {
        name: "errors-1000",
        sentence: "1000 states, 10 inputs, most of which lead to an error that swallows everything",
        make: |seed| errors(1000, 10, seed),
        is_large: true,
    },
    Kind {
        name: "locks",
        sentence: "combination locks behind each other, each digit one of 6, a wrong one begins anew",
        make: |seed| locks(4, 14, 6, seed),
        is_large: false,
    },
    Kind {
        name: "counters",
        sentence: "a counter up to 150 that must be counted without a break",
        make: |seed| counters(150, seed),
        is_large: false,
    },
    Kind {
        name: "chain",
        sentence: "a chain of 300 states behind rare transitions that falls back a little",
        make: |seed| chain(300, 4, seed),
        is_large: false,
    },
    Kind {
        name: "product",
        sentence: "a lock and a machine with errors side by side",
        make: |seed| product(&errors(24, 4, seed), &locks(1, 12, 4, seed ^ 1)),
        is_large: false,
    },
    Kind {
        name: "short",
        sentence: "a short requirement, a deep system, nothing to fall into",
        make: |seed| short(120, 6, seed),
        is_large: false,
    },
    Kind {
        name: "deep",
        sentence: "a short requirement, a deep system that long runs get through, nothing to fall into",
        make: |seed| deep(120, 6, seed),
        is_large: false,
    },
];

fn output(number: u64) -> String {
    format!("o{number}")
}

/// The states in the order in which they are reached, how deep each is, and the edges that first lead to them.
fn reached(rows: &[Vec<(u32, String)>]) -> (Vec<u32>, Vec<u32>, Vec<(u32, usize)>) {
    let mut depth = vec![u32::MAX; rows.len()];
    depth[0] = 0;
    let mut order = vec![0u32];
    let mut at = 0;
    let mut tree: Vec<(u32, usize)> = Vec::new();
    while at < order.len() {
        let from = order[at];
        at += 1;
        for (input, (to, _)) in rows[from as usize].iter().enumerate() {
            if depth[*to as usize] == u32::MAX {
                depth[*to as usize] = depth[from as usize] + 1;
                order.push(*to);
                tree.push((from, input));
            }
        }
    }
    (order, depth, tree)
}

/// Plants error outputs on edges of states, evenly over the depths at which states are reached: they lead to the last state.
fn plant(rows: &mut [Vec<(u32, String)>], errors: usize, sink: u32, rng: &mut Rng) -> usize {
    let (order, _, tree) = reached(rows);
    // Edges that nothing hangs on.
    let mut free: Vec<(u32, usize)> = Vec::new();
    for &state in order.iter().filter(|&&state| state != sink) {
        let own = (0..rows[state as usize].len()).filter(|&input| !tree.contains(&(state, input)));
        let own: Vec<usize> = own.collect();
        free.extend(rng.pick(&own).map(|&input| (state, input)));
    }
    let planted = errors.min(free.len());
    for error in 0..planted {
        let (state, input) = free[(error + 1) * free.len() / planted - 1];
        rows[state as usize][input] = (sink, format!("err{error}"));
    }
    planted
}

/// A tree of states with ways back, in which most inputs lead to the last state, which answers the same for ever.
pub fn errors(states: u32, inputs: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0xe44);
    let sink = states - 1;
    let mut rows: Vec<Vec<(u32, String)>> =
        (0..states).map(|_| (0..inputs).map(|_| (sink, "dead".to_owned())).collect()).collect();
    for state in 1..sink {
        // Somewhere among the last, so that it gets about ten deep.
        let from = state - 1 - rng.below(u64::from(state.min(states / 5 + 1))) as u32;
        let mut input = rng.index(inputs);
        while rows[from as usize][input].0 != sink {
            input = (input + 1) % inputs;
            if rows[from as usize].iter().all(|(to, _)| *to != sink) {
                break;
            }
        }
        rows[from as usize][input] = (state, output(rng.below(5)));
    }
    for state in 0..sink {
        // Nothing else is doomed.
        let is_leaf = rows[state as usize].iter().all(|(to, _)| *to == sink);
        if is_leaf || rng.chance(0.3) {
            let input = rng.index(inputs);
            if rows[state as usize][input].0 == sink {
                rows[state as usize][input] = (rng.below(u64::from(sink)) as u32, output(rng.below(5)));
            }
        }
    }
    let errors = plant(&mut rows, 26, sink, &mut rng);
    Irregular { rows, errors }
}

/// What a machine of [`doomed`] has.
#[derive(Clone, Copy, Debug)]
pub struct Doom {
    /// States from which there is a way on for ever.
    pub live: u32,
    /// States from which everything ends, though not at once.
    pub doomed: u32,
    /// Inputs.
    pub inputs: usize,
    /// The part of the transitions of live states that lead to where everything ends.
    pub share: f64,
}

impl fmt::Display for Doom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Doom { live, doomed, inputs, share } = self;
        write!(f, "{live},{doomed},{inputs},{share}")
    }
}

impl FromStr for Doom {
    type Err = String;

    fn from_str(text: &str) -> Result<Doom, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let &[live, doomed, inputs, share] = &parts[..] else {
            return Err("four numbers are needed, like 100,33,20,0.75".to_owned());
        };
        let whole = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
        let share_of: f64 = share.parse().map_err(|error| format!("{share}: {error}"))?;
        let doom = Doom {
            live: whole(live)?,
            doomed: whole(doomed)?,
            inputs: whole(inputs)? as usize,
            share: share_of,
        };
        if doom.live < 2 || doom.inputs < 2 || !(0.0..=1.0).contains(&doom.share) {
            return Err("at least two live states and two inputs, and a part from 0 to 1".to_owned());
        }
        Ok(doom)
    }
}

/// States between which there are many ways, and others that look alike and from which everything ends after a few steps: whatever
/// comes to one of those is lost, but does not see it at once.
pub fn doomed(doom: &Doom, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0xd00);
    let Doom { live, doomed, inputs, share } = *doom;
    let sink = live + doomed;
    let mut rows: Vec<Vec<Option<(u32, String)>>> = vec![vec![None; inputs]; live as usize];
    let mut open = (f64::from(live) * inputs as f64 * (1.0 - share)) as u32;
    for state in 1..live {
        let mut from = state - 1 - rng.below(u64::from(state.min(live / 5 + 1))) as u32;
        while rows[from as usize].iter().all(Option::is_some) {
            from += 1;
        }
        let free: Vec<usize> = (0..inputs).filter(|&input| rows[from as usize][input].is_none()).collect();
        rows[from as usize][free[rng.index(free.len())]] = Some((state, output(rng.below(6))));
        open = open.saturating_sub(1);
    }
    let mut free: Vec<usize> = (0..rows.len() * inputs).collect();
    rng.shuffle(&mut free);
    // A state without a way on has one first.
    free.sort_by_key(|edge| rows[edge / inputs].iter().any(Option::is_some) || edge % inputs > 0);
    for edge in free {
        let row = &mut rows[edge / inputs];
        if row[edge % inputs].is_none() && (open > 0 || row.iter().all(Option::is_none)) {
            row[edge % inputs] = Some((rng.below(u64::from(live)) as u32, output(rng.below(6))));
            open = open.saturating_sub(1);
        }
    }
    let dead = || (sink, "dead".to_owned());
    let mut lost = |edge: Option<(u32, String)>| match edge {
        Some(edge) => edge,
        None if rng.chance(0.4) && doomed > 0 => {
            (live + rng.below(u64::from(doomed)) as u32, output(rng.below(6)))
        }
        None => dead(),
    };
    let mut rows: Vec<Row> = rows.into_iter().map(|row| row.into_iter().map(&mut lost).collect()).collect();
    for state in live + 1..=sink {
        let on = |rng: &mut Rng| (state + rng.below(u64::from(sink - state)) as u32, output(rng.below(6)));
        rows.push(
            (0..inputs)
                .map(|_| if state < sink && rng.chance(0.5) { on(&mut rng) } else { dead() })
                .collect(),
        );
    }
    rows.push(vec![dead(); inputs]);
    let errors = plant(&mut rows, 26, sink, &mut rng);
    Irregular { rows, errors }
}

/// The same, but each error is answered for ever by a state of its own.
pub fn echoes(one: &Irregular) -> Irregular {
    let mut rows = one.rows.clone();
    for at in 0..one.rows.len() * one.rows[0].len() {
        let edge = &mut rows[at / one.rows[0].len()][at % one.rows[0].len()];
        if edge.1.starts_with("err") {
            let error = edge.1.clone();
            let number = rows.len() as u32;
            rows[at / one.rows[0].len()][at % one.rows[0].len()].0 = number;
            rows.push(vec![(number, error); one.rows[0].len()]);
        }
    }
    Irregular { rows, errors: one.errors }
}

/// The same, but what is no error is refused instead and changes nothing. Challenge programs are like this.
pub fn ignores(one: &Irregular) -> Irregular {
    let mut rows = one.rows.clone();
    let sink = rows.len() - 1;
    for (state, row) in rows.iter_mut().enumerate().filter(|(state, _)| *state != sink) {
        for edge in row.iter_mut().filter(|edge| edge.1 == "dead") {
            *edge = (state as u32, "refused".to_owned());
        }
    }
    Irregular { rows, errors: one.errors }
}

/// A machine in which most inputs are refused for ever, and copies of its states: each begins with a transition that leads to the copy
/// instead, goes on for up to six steps as the original does, and there an input is an error that is refused elsewhere. Challenge
/// programs hide their errors like this.
pub fn unfolded(states: u32, inputs: usize, errors: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0x0f0);
    let Irregular { mut rows, .. } = self::errors(states, inputs, seed);
    let sink = states - 1;
    for edge in rows.iter_mut().flatten().filter(|edge| edge.1.starts_with("err")) {
        "dead".clone_into(&mut edge.1);
    }
    for error in 0..errors {
        // Copies of what was copied must not cut off an error that was planted before.
        rows = loop {
            let (order, ..) = reached(&rows);
            let attempt = with_copies(&rows, order[rng.index(order.len())], sink, error, &mut rng);
            let (order, ..) = reached(&attempt);
            let has = |error: usize| {
                let name = format!("err{error}");
                order.iter().any(|&state| attempt[state as usize].iter().any(|edge| edge.1 == name))
            };
            if (0..=error).all(has) {
                break attempt;
            }
        };
    }
    Irregular { rows, errors }
}

/// Copies the states on a way of up to six steps from a state, and plants an error at its end.
fn with_copies(rows: &[Row], from: u32, sink: u32, error: usize, rng: &mut Rng) -> Vec<Row> {
    let (mut rows, mut at) = (rows.to_vec(), from);
    for _ in 0..1 + rng.below(6) {
        let alive: Vec<usize> =
            (0..rows[0].len()).filter(|&input| rows[at as usize][input].0 != sink).collect();
        let Some(&input) = rng.pick(&alive) else { break };
        let copy = rows[rows[at as usize][input].0 as usize].clone();
        rows[at as usize][input].0 = rows.len() as u32;
        at = rows.len() as u32;
        rows.push(copy);
    }
    let row = &mut rows[at as usize];
    let refused: Vec<usize> = (0..row.len()).filter(|&input| row[input].1 == "dead").collect();
    if let Some(&input) = rng.pick(&refused).filter(|_| at != sink) {
        row[input].1 = format!("err{error}");
    }
    rows
}

/// A tree of states with ways back, in which most inputs are refused: they change nothing, or lead to the last state, which
/// refuses everything. The answer is the same.
pub fn refuses(states: u32, inputs: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0x4ef);
    let sink = states - 1;
    let refused = || "refused".to_owned();
    let mut rows: Vec<Vec<Option<(u32, String)>>> = vec![vec![None; inputs]; states as usize];
    for state in 1..sink {
        let mut from = state - 1 - rng.below(u64::from(state.min(states / 6 + 1))) as u32;
        // A state without an input to spare is passed over.
        while rows[from as usize].iter().all(Option::is_some) {
            from += 1;
        }
        let free: Vec<usize> = (0..inputs).filter(|&input| rows[from as usize][input].is_none()).collect();
        let input = free[rng.index(free.len())];
        rows[from as usize][input] = Some((state, output(rng.below(5))));
    }
    let mut fill = |state: u32, edge: Option<(u32, String)>| match (edge, rng.unit()) {
        (Some(edge), _) => edge,
        (None, _) if state == sink => (sink, refused()),
        (None, drawn) if drawn < 0.35 => (state, refused()),
        (None, drawn) if drawn < 0.5 => (rng.below(u64::from(sink)) as u32, output(rng.below(5))),
        (None, _) => (sink, refused()),
    };
    let mut rows: Vec<Vec<(u32, String)>> = (0..states)
        .zip(rows)
        .map(|(state, row)| row.into_iter().map(|edge| fill(state, edge)).collect())
        .collect();
    let errors = plant(&mut rows, 26, sink, &mut rng);
    Irregular { rows, errors }
}

/// Locks one behind the other.
pub fn locks(count: u32, digits: u32, inputs: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0x10c);
    let states = count * digits + 1;
    let sink = states;
    let mut rows: Vec<Vec<(u32, String)>> = Vec::new();
    for state in 0..states {
        let start = state - state % digits;
        let right = rng.index(inputs);
        let row = |input: usize| match input == right && state + 1 < states {
            true => (state + 1, output(u64::from((state + 1) % digits == 0))),
            false => (start, output(0)),
        };
        rows.push((0..inputs).map(row).collect());
    }
    rows.push((0..inputs).map(|_| (sink, "dead".to_owned())).collect());
    let errors = plant(&mut rows, 26, sink, &mut rng);
    Irregular { rows, errors }
}

/// Input 0 counts, input 1 shows whether the count is a multiple of ten, the others begin anew.
pub fn counters(most: u32, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0xc04);
    let sink = most;
    let mut rows: Vec<Vec<(u32, String)>> = Vec::new();
    for state in 0..most {
        let shown = output(1 + u64::from(state % 10 == 0));
        rows.push(vec![((state + 1) % most, output(0)), (state, shown), (0, output(0)), (0, output(3))]);
    }
    rows.push((0..4).map(|_| (sink, "dead".to_owned())).collect());
    let errors = plant(&mut rows, 26, sink, &mut rng);
    Irregular { rows, errors }
}

/// One right input a state; the others fall back a few states.
pub fn chain(states: u32, inputs: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0xcba);
    let sink = states;
    let mut rows: Vec<Vec<(u32, String)>> = Vec::new();
    for state in 0..states {
        let right = rng.index(inputs);
        let mut row = Vec::new();
        for input in 0..inputs {
            let back = state.saturating_sub(1 + rng.below(3) as u32);
            row.push(match input == right && state + 1 < states {
                true => (state + 1, output(u64::from(state % 7 == 0))),
                false => (back, output(rng.below(3))),
            });
        }
        rows.push(row);
    }
    rows.push((0..inputs).map(|_| (sink, "dead".to_owned())).collect());
    let errors = plant(&mut rows, 26, sink, &mut rng);
    Irregular { rows, errors }
}

/// Strongly connected, nothing absorbing: errors are answers among others.
pub fn short(states: u32, inputs: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0x540);
    let mut rows: Vec<Vec<(u32, String)>> = Vec::new();
    for state in 0..states {
        let mut row: Vec<(u32, String)> =
            (0..inputs).map(|_| (rng.below(u64::from(state + 1)) as u32, output(rng.below(4)))).collect();
        for _ in 0..2 {
            row[rng.index(inputs)] = ((state + 1) % states, output(rng.below(4)));
        }
        rows.push(row);
    }
    let mut errors = 0;
    for state in (states / 10..states).step_by((states / 10) as usize) {
        let input = rng.index(inputs);
        rows[state as usize][input].1 = format!("err{errors}");
        errors += 1;
    }
    Irregular { rows, errors }
}

/// A ring of states in which most inputs go on and others a little back; a few errors are answers among others.
pub fn deep(states: u32, inputs: usize, seed: u64) -> Irregular {
    let mut rng = Rng::stream(seed, 0xdee9);
    let mut rows: Vec<Vec<(u32, String)>> = Vec::new();
    for state in 0..states {
        let row = |_| {
            let to = match rng.chance(0.7) {
                true => (state + 1) % states,
                false => state.saturating_sub(1 + rng.below(2) as u32),
            };
            (to, output(rng.below(4)))
        };
        rows.push((0..inputs).map(row).collect());
    }
    let mut errors = 0;
    for state in (states / 10..states).step_by((states / 10) as usize) {
        rows[state as usize][rng.index(inputs)].1 = format!("err{errors}");
        errors += 1;
    }
    Irregular { rows, errors }
}

/// Two machines side by side: an input moves one of them.
pub fn product(one: &Irregular, other: &Irregular) -> Irregular {
    let count = other.rows.len() as u32;
    let mut rows = Vec::new();
    for (first, left) in one.rows.iter().enumerate() {
        for (second, right) in other.rows.iter().enumerate() {
            let pair = |first: u32, second: u32| first * count + second;
            let mut row: Vec<(u32, String)> =
                left.iter().map(|(to, output)| (pair(*to, second as u32), output.clone())).collect();
            row.extend(right.iter().map(|(to, output)| {
                let output = match output.strip_prefix("err") {
                    Some(_) => "alarm".to_owned(),
                    None => output.clone(),
                };
                (pair(first as u32, *to), output)
            }));
            rows.push(row);
        }
    }
    Irregular { rows, errors: one.errors }
}

impl Irregular {
    /// The rows of a machine in which every input is answered in every state, from its first state.
    pub fn of(machine: &Machine) -> Option<Irregular> {
        let inputs = machine.inputs().len() as u32;
        let edge = |state: u32, input: u32| {
            let output = machine.outputs().name(machine.output(state, input)?);
            Some((machine.next(state, input)?, output.into_owned()))
        };
        let row = |state: u32| (0..inputs).map(|input| edge(state, input)).collect::<Option<Row>>();
        let mut rows = (0..machine.states().len() as u32).map(row).collect::<Option<Vec<Row>>>()?;
        // The first state comes first.
        let first = machine.initial()?;
        rows.swap(0, first as usize);
        let moved = |to: u32| {
            if to == first {
                0
            } else if to == 0 {
                first
            } else {
                to
            }
        };
        rows.iter_mut().flatten().for_each(|(to, _)| *to = moved(*to));
        Some(Irregular { rows, errors: 0 })
    }

    /// How many steps it takes to get to the state that is farthest away.
    pub fn depth(&self) -> u32 {
        let (order, depth, _) = reached(&self.rows);
        order.iter().map(|&state| depth[state as usize]).max().unwrap_or(0)
    }

    /// The fewest steps in which every transition can be tried: one that leads to where nothing comes any more ends a run, and
    /// the run before it is as long as the way to its state.
    pub fn fewest_steps(&self) -> u64 {
        let (order, depth, _) = reached(&self.rows);
        let is_final = |state: u32| {
            let row = &self.rows[state as usize];
            row.iter().all(|edge| edge.0 == state && edge.1 == row[0].1)
        };
        let ends = |state: &u32| {
            let ways = self.rows[*state as usize].iter().filter(|(to, _)| is_final(*to));
            ways.count() as u64 * u64::from(depth[*state as usize] + 1)
        };
        order.iter().filter(|&&state| !is_final(state)).map(ends).sum()
    }

    /// The machine.
    pub fn machine(&self) -> Result<Machine> {
        let mut builder = Builder::new();
        for state in 0..self.rows.len() {
            builder.state(&format!("s{state}"));
        }
        builder.initial(0);
        for input in 0..self.rows[0].len() {
            builder.input(&format!("i{input}"));
        }
        for (state, row) in self.rows.iter().enumerate() {
            for (input, (to, output)) in row.iter().enumerate() {
                let output = builder.output(output);
                builder.add(state as u32, input as u32, Some(output), *to);
            }
        }
        Ok(builder.build()?)
    }

    /// A specification: that no error comes, and properties of many shapes, some of which are false.
    pub fn specification(&self, seed: u64) -> String {
        let mut rng = Rng::stream(seed, 0x59ec);
        let mut outputs: Vec<String> = self.rows.iter().flatten().map(|(_, output)| output.clone()).collect();
        outputs.push("never".to_owned());
        outputs.sort();
        outputs.dedup();
        let inputs: Vec<String> = (0..self.rows[0].len()).map(|input| format!("i{input}")).collect();
        let list =
            |names: &[String]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        let mut text = format!("[labels]\ninputs = [{}]\noutputs = [{}]\n", list(&inputs), list(&outputs));
        let mut require = |id: String, ltl: String| {
            text.push_str(&format!("\n[[requirement]]\nid = \"{id}\"\nltl = \"{ltl}\"\n"));
        };
        for error in 0..self.errors {
            require(format!("E{error}"), format!("G !err{error}"));
        }
        require("T0".to_owned(), "G !never".to_owned());
        let usual: Vec<&String> = outputs.iter().filter(|name| name.starts_with('o')).collect();
        let input = |rng: &mut Rng| inputs[rng.index(inputs.len())].clone();
        let output = |rng: &mut Rng| usual[rng.index(usual.len())].clone();
        for property in 0..12 {
            let (a, x, y) = (input(&mut rng), output(&mut rng), output(&mut rng));
            let ltl = match property % 4 {
                0 => format!("G ({x} -> F ({y} | dead))"),
                1 => format!("G (({a} & {x}) -> X F ({y} | dead))"),
                2 => format!("!{y} W ({x} | dead)"),
                _ => format!("G F ({x} | {y} | dead)"),
            };
            let ltl =
                if outputs.iter().any(|name| name == "dead") { ltl } else { ltl.replace(" | dead", "") };
            require(format!("P{property}"), ltl);
        }
        text
    }
}
