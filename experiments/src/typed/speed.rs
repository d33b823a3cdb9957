//! One system, once with numbers and once with a Boolean signal for each of their bits.

use provoke::letter::Letter;
use provoke::system::{Closure, System};

/// With numbers.
pub const TYPED: &str = r#"
[signals.inputs]
call = "0..15"
hold = "bool"

[signals.outputs]
floor = "0..15"
door  = "bool"

[[requirement]]
id = "low"
ltl = "G (floor < 12 | !door)"

[[requirement]]
id = "called"
ltl = "G (call = 9 & !hold -> X (floor = 9 | door))"
"#;

/// The same with bits, the most significant first, as numbers have them in letters.
pub const BOOLEAN: &str = r#"
[signals]
inputs  = ["call_3", "call_2", "call_1", "call_0", "hold"]
outputs = ["floor_3", "floor_2", "floor_1", "floor_0", "door"]

[[requirement]]
id = "low"
ltl = "G (!(floor_3 & floor_2) | !door)"

[[requirement]]
id = "called"
ltl = "G (call_0 & !call_1 & !call_2 & call_3 & !hold -> X ((floor_0 & !floor_1 & !floor_2 & floor_3) | door))"
"#;

/// Shows what was called one step ago, its door open where it is held below floor 12. The letters of both forms are the
/// same bits.
pub fn system() -> impl System {
    Closure::new(
        || 0u64,
        |before: &mut u64, input: Letter| {
            let floor = *before & 15;
            // Below floor 12: not both of the bits that count eight and four.
            let hold = input.get(4) && floor & 3 != 3;
            *before = input.index();
            Letter::from_index(floor | u64::from(hold) << 4)
        },
    )
}
