//! The recycling robots as one small program over standard input and output. The first argument says which ones: `good`,
//! or a fault; the second, how many robots there may be.
//!
//! One line in: `Start(0)`, `Search(0)`, `Wait(0)`, or `mu` for waiting. One line out: `delta` where the action was taken
//! and there is nothing to say, `no` where it was rejected, `Recharge(0)` where a robot was recharged meanwhile. The line
//! `reset` brings everything back to the beginning.

use std::io::{BufRead, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Good,
    /// A search takes 40 of the power, not 30.
    Tired,
    /// With 40 of their power left, robots refuse to wait.
    Picky,
    /// Robots are recharged that are full.
    Overcharging,
}

struct Robots {
    kind: Kind,
    most: usize,
    power: Vec<i32>,
    /// Which robot is recharged next is a matter of luck.
    dice: u64,
}

impl Robots {
    /// What the robots answer.
    fn answer(&mut self, line: &str) -> String {
        match line {
            "reset" => {
                self.power.clear();
                "ok".to_owned()
            }
            "mu" => self.recharge(),
            _ if self.act(line).is_some() => "delta".to_owned(),
            _ => "no".to_owned(),
        }
    }

    /// Takes an action; nothing where it is rejected.
    fn act(&mut self, line: &str) -> Option<()> {
        let (act, robot) = line.strip_suffix(')')?.split_once('(')?;
        let robot: usize = robot.parse().ok()?;
        if act == "Start" {
            let may = robot == self.power.len() && robot < self.most;
            return may.then(|| self.power.push(0));
        }
        let power = self.power.get_mut(robot)?;
        match act {
            "Search" if *power > 30 => *power -= if self.kind == Kind::Tired { 40 } else { 30 },
            "Wait" if *power == 40 && self.kind == Kind::Picky => return None,
            "Wait" if *power <= 50 => {}
            _ => return None,
        }
        Some(())
    }

    fn recharge(&mut self) -> String {
        let low = |robot: &usize| self.power[*robot] < 100 || self.kind == Kind::Overcharging;
        let candidates: Vec<usize> = (0..self.power.len()).filter(low).collect();
        if candidates.is_empty() {
            return "delta".to_owned();
        }
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let robot = candidates[(self.dice >> 33) as usize % candidates.len()];
        self.power[robot] = 100;
        format!("Recharge({robot})")
    }
}

fn main() -> std::io::Result<()> {
    let kind = match std::env::args().nth(1).as_deref() {
        None | Some("good") => Kind::Good,
        Some("tired") => Kind::Tired,
        Some("picky") => Kind::Picky,
        Some("overcharging") => Kind::Overcharging,
        Some(other) => {
            eprintln!("unknown robots `{other}`; there are good, tired, picky, overcharging");
            std::process::exit(2);
        }
    };
    let most = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(3);
    let mut robots = Robots { kind, most, power: Vec::new(), dice: 1 };
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = robots.answer(line?.trim());
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}
