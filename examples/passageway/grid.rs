//! The robot in its rooms: plain integers, no library behind it.

/// `rooms` square rooms of `size` x `size` cells in a row, joined by doors.
///
/// Paper 1, section 6.1, Fig. 7, made precise: cells are `(x, y)` with `0 <= x < rooms * size` and
/// `0 <= y < size`; a move goes one cell diagonally. The open row of the first, third, ... room is `y = 0`, that
/// of the others `y = size - 1`; the doorstep is the last column of every room but the last. Moving right from
/// the doorstep in the open row crosses the door and leaves `y` as it is: the doorway is one cell high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// How many rooms, at least 2.
    pub rooms: u32,
    /// Cells along each side of a room; even, or no doorstep can be reached diagonally.
    pub size: u32,
    /// The door to the last room.
    pub last_door: Door,
}

/// What the door to the last room is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Door {
    /// Like all others.
    Open,
    /// Lets nobody through, without a collision: the planted fault.
    Faulty,
    /// A wall: nobody ever gets to the last room, and nothing is wrong. For endless campaigns.
    Wall,
}

/// Where the robot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Robot {
    x: u32,
    y: u32,
    collided: bool,
}

/// What the robot's controller shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The room, from 0.
    pub room: u32,
    /// In the row that opens the door.
    pub open: bool,
    /// In the column before the door.
    pub doorstep: bool,
    /// Ran into something, now or earlier.
    pub collision: bool,
}

impl Robot {
    /// The cell: column and row.
    pub const fn cell(self) -> (u32, u32) {
        (self.x, self.y)
    }
}

impl Grid {
    /// The published case study: a fault behind `rooms - 1` rooms of 4 x 4 cells.
    pub const fn faulty(rooms: u32) -> Grid {
        Grid { rooms, size: 4, last_door: Door::Faulty }
    }

    /// The start of every run: the first column, one above the lowest row.
    pub const fn start(&self) -> Robot {
        Robot { x: 0, y: 1, collided: false }
    }

    /// What can be seen.
    pub fn show(&self, robot: Robot) -> Shown {
        let room = robot.x / self.size;
        Shown {
            room,
            open: robot.y == if room.is_multiple_of(2) { 0 } else { self.size - 1 },
            doorstep: robot.x % self.size == self.size - 1 && room + 1 < self.rooms,
            collision: robot.collided,
        }
    }

    /// Whether a move to the right goes through the door whatever else happens.
    pub fn at_open_door(&self, robot: Robot) -> bool {
        let shown = self.show(robot);
        shown.open && shown.doorstep
    }

    /// One diagonal move. A collision leaves the robot where it is, for good.
    pub fn step(&self, robot: Robot, right: bool, up: bool) -> Robot {
        if robot.collided {
            return robot;
        }
        if right && self.at_open_door(robot) {
            let is_last = robot.x / self.size + 2 == self.rooms;
            return match self.last_door {
                Door::Faulty if is_last => robot,
                Door::Wall if is_last => Robot { collided: true, ..robot },
                _ => Robot { x: robot.x + 1, ..robot },
            };
        }
        let column = robot.x % self.size;
        let wall_beside = if right { column == self.size - 1 } else { column == 0 };
        let wall_above = if up { robot.y == self.size - 1 } else { robot.y == 0 };
        if wall_beside || wall_above {
            return Robot { collided: true, ..robot };
        }
        let x = if right { robot.x + 1 } else { robot.x - 1 };
        let y = if up { robot.y + 1 } else { robot.y - 1 };
        Robot { x, y, collided: false }
    }
}
