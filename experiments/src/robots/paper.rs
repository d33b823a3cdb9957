//! Tables 1 and 2 of paper 2.

/// The strategies in the order of the columns, by their names in the catalogue: Lct, Rlc, Rnd.
pub const STRATEGIES: [&str; 3] = ["least-cost", "randomised-least-cost", "random"];

/// A row of both tables.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Whether states and actions are grouped: Table 2.
    pub grouped: bool,
    /// The most robots.
    pub robots: usize,
    /// Runs of a campaign.
    pub runs: u64,
    /// Steps of a run.
    pub steps: u32,
    /// What the paper found, a cell for each strategy.
    pub cells: Option<[Cell; 3]>,
}

/// The mean and the deviation of 50 campaigns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// States that were covered, in the mean.
    pub states: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// Milliseconds on a 3 GHz Pentium 4; none for less than one.
    pub milliseconds: Option<u32>,
}

const fn cell(states: u32, deviation: u32, milliseconds: Option<u32>) -> Cell {
    Cell { states: states as f64, deviation: deviation as f64, milliseconds }
}

const fn row(grouped: bool, robots: usize, runs: u64, steps: u32, cells: [Cell; 3]) -> Row {
    Row { grouped, robots, runs, steps, cells: Some(cells) }
}

/// Table 1, then Table 2.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    row(false, 1, 1, 100, [cell(100, 0, Some(3)), cell(100, 0, Some(1)), cell(100, 0, Some(1))]),
    row(false, 1, 10, 100, [cell(420, 11, Some(20)), cell(415, 8, Some(19)), cell(414, 9, Some(15))]),
    row(false, 1, 100, 100, [cell(503, 3, Some(275)), cell(503, 3, Some(241)), cell(502, 2, Some(172))]),
    row(false, 1, 100, 500, [cell(2485, 5, Some(1303)), cell(2485, 5, Some(1292)), cell(2485, 6, Some(968))]),
    row(false, 2, 1, 100, [cell(100, 0, Some(3)), cell(100, 0, Some(1)), cell(100, 0, Some(2))]),
    row(false, 2, 10, 100, [cell(951, 8, Some(24)), cell(941, 10, Some(22)), cell(938, 12, Some(14))]),
    row(false, 2, 100, 100, [cell(7449, 83, Some(286)), cell(7085, 110, Some(284)), cell(7055, 114, Some(201))]),
    row(false, 2, 100, 500, [cell(44119, 225, Some(1548)), cell(42437, 339, Some(1479)), cell(42364, 289, Some(1040))]),
    row(false, 5, 1, 100, [cell(100, 0, Some(5)), cell(100, 0, Some(3)), cell(100, 0, Some(1))]),
    row(false, 5, 10, 100, [cell(972, 3, Some(42)), cell(971, 3, Some(37)), cell(969, 4, Some(18))]),
    row(false, 5, 100, 100, [cell(9368, 17, Some(516)), cell(9328, 22, Some(468)), cell(9322, 24, Some(297))]),
    row(false, 5, 100, 500, [cell(49364, 19, Some(2794)), cell(49330, 25, Some(2541)), cell(49320, 19, Some(1587))]),
    row(true, 1, 1, 100, [cell(100, 0, Some(3)), cell(100, 0, None), cell(100, 0, None)]),
    row(true, 1, 10, 100, [cell(417, 9, Some(9)), cell(413, 8, Some(7)), cell(416, 8, Some(4))]),
    row(true, 1, 100, 100, [cell(502, 2, Some(100)), cell(503, 3, Some(88)), cell(502, 2, Some(44))]),
    row(true, 1, 100, 500, [cell(2486, 5, Some(508)), cell(2486, 6, Some(417)), cell(2484, 6, Some(234))]),
    row(true, 2, 1, 100, [cell(100, 0, Some(1)), cell(90, 3, None), cell(93, 5, None)]),
    row(true, 2, 10, 100, [cell(419, 7, Some(10)), cell(284, 21, Some(9)), cell(237, 8, Some(4))]),
    row(true, 2, 100, 100, [cell(502, 3, Some(106)), cell(437, 12, Some(96)), cell(293, 6, Some(46))]),
    row(true, 2, 100, 500, [cell(2485, 5, Some(561)), cell(1602, 33, Some(506)), cell(1324, 15, Some(241))]),
    row(true, 5, 1, 100, [cell(100, 0, None), cell(66, 4, Some(1)), cell(61, 2, None)]),
    row(true, 5, 10, 100, [cell(418, 10, Some(10)), cell(279, 30, Some(11)), cell(117, 5, Some(5))]),
    row(true, 5, 100, 100, [cell(503, 3, Some(115)), cell(472, 7, Some(116)), cell(155, 7, Some(50))]),
    row(true, 5, 100, 500, [cell(2484, 5, Some(561)), cell(1696, 96, Some(657)), cell(582, 10, Some(247))]),
    row(true, 5, 100, 1000, [cell(4949, 8, Some(1200)), cell(2467, 95, Some(1388)), cell(1088, 13, Some(540))]),
    row(true, 10, 10, 100, [cell(418, 9, Some(10)), cell(293, 25, Some(12)), cell(91, 6, Some(5))]),
    row(true, 10, 100, 100, [cell(502, 3, Some(103)), cell(473, 6, Some(137)), cell(128, 6, Some(59))]),
    row(true, 10, 100, 1000, [cell(4951, 11, Some(1131)), cell(3541, 198, Some(1718)), cell(602, 10, Some(578))]),
    row(true, 10, 1000, 1000, [cell(4985, 8, Some(12521)), cell(4352, 66, Some(18043)), cell(654, 9, Some(5953))]),
];
