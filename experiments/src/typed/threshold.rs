//! A tank whose valves must switch exactly at levels that the requirements name.

/// Where the valves switch.
pub const LEVELS: [i64; 4] = [1250, 4096, 7300, 9001];

/// The specification: one valve a level, and a pump that stops at the highest and starts again below the lowest.
pub fn specification() -> String {
    let mut text = String::from(
        "[signals.inputs]\nlevel = \"0..9999\"\n\n[signals.outputs]\n\
         valve_1 = \"bool\"\nvalve_2 = \"bool\"\nvalve_3 = \"bool\"\npump = \"bool\"\n",
    );
    for (number, level) in LEVELS[..3].iter().enumerate() {
        let valve = number + 1;
        text += &format!(
            "\n[[requirement]]\nid = \"valve_{valve}\"\nltl = \"G (valve_{valve} <-> level >= {level})\"\n"
        );
    }
    let (low, high) = (LEVELS[0], LEVELS[3]);
    text += &format!(
        "\n[[requirement]]\nid = \"stops\"\nltl = \"G (level >= {high} -> !pump)\"\n\
         \n[[requirement]]\nid = \"starts\"\nltl = \"G (level < {low} -> pump)\"\n\
         \n[[requirement]]\nid = \"stays\"\nltl = \"G ((pump -> X (level < {high} -> pump)) & (!pump -> X (level >= {low} -> !pump)))\"\n"
    );
    text
}

/// The tank; with a fault, one of the comparisons is off by one.
pub struct Tank {
    fault: Option<usize>,
    pump: bool,
}

/// The level at which a fault is.
pub fn level(fault: usize) -> i64 {
    LEVELS[fault % LEVELS.len()]
}

/// How many faults there are.
pub const FAULTS: usize = 5;

impl Tank {
    /// With the pump on.
    pub fn new(fault: Option<usize>) -> Tank {
        Tank { fault, pump: true }
    }

    /// The valves and the pump at a level.
    pub fn step(&mut self, level: i64) -> ([bool; 3], bool) {
        // `>` where `>=` is meant.
        let reaches = |number: usize, bound: i64| match self.fault == Some(number) {
            true => level > bound,
            false => level >= bound,
        };
        let valves = [0, 1, 2].map(|number| reaches(number, LEVELS[number]));
        let (full, low) = (reaches(3, LEVELS[3]), !reaches(4, LEVELS[0]));
        self.pump = if full { false } else { low || self.pump };
        (valves, self.pump)
    }
}
