use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::system::{System, SystemError};

use super::{Grid, Robot, Shown};

/// The passageway as a system in our own process.
///
/// With a slip chance above 0 it is not deterministic: a move within a room may leave the robot where it is.
/// Nobody slips in an open door: the requirement says that whoever moves right there surely gets through.
pub struct Passageway {
    grid: Grid,
    robot: Robot,
    slip: f64,
    rng: Rng,
}

impl Passageway {
    /// A passageway that does what it is told.
    pub fn new(grid: Grid) -> Passageway {
        Passageway::slippery(grid, 0.0, 0)
    }

    /// A passageway where each move within a room slips with this chance.
    pub fn slippery(grid: Grid, slip: f64, seed: u64) -> Passageway {
        Passageway { grid, robot: grid.start(), slip, rng: Rng::new(seed) }
    }
}

impl System for Passageway {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.robot = self.grid.start();
        Ok(())
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let (right, up) = (input.get(0), input.get(1));
        let surely = self.slip == 0.0 || (right && self.grid.at_open_door(self.robot));
        if surely || !self.rng.chance(self.slip) {
            self.robot = self.grid.step(self.robot, right, up);
        }
        Ok(letter(self.grid.rooms, self.grid.show(self.robot)))
    }
}

/// What is shown, in the order of the interface: rooms, open, doorstep, collision.
pub fn letter(rooms: u32, shown: Shown) -> Letter {
    if rooms + 3 <= u64::BITS {
        let flags = u64::from(shown.open) | u64::from(shown.doorstep) << 1 | u64::from(shown.collision) << 2;
        return Letter::from_index(1 << shown.room | flags << rooms);
    }
    let rooms = rooms as usize;
    Letter::default()
        .with(shown.room as usize, true)
        .with(rooms, shown.open)
        .with(rooms + 1, shown.doorstep)
        .with(rooms + 2, shown.collision)
}
