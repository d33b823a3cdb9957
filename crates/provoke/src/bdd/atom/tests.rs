//! Expressions as sets against expressions evaluated on letters, for every exchange of small interfaces.

use proptest::prelude::*;

use crate::bdd::Space;
use crate::letter::{Alphabet, Interface, Kind};
use crate::rng::Rng;
use crate::trace::Step;

fn space() -> Space {
    let inputs = [
        ("call", Kind::Number { low: 0, high: 4 }),
        ("door", Kind::Boolean),
        ("speed", Kind::Number { low: -3, high: 2 }),
    ];
    let outputs = [
        ("floor", Kind::Number { low: 2, high: 6 }),
        ("motor", Kind::enumeration(["up", "down", "off"])),
        ("last", Kind::enumeration(["up", "down", "off"])),
    ];
    let side = |fields: [(&'static str, Kind); 3]| Alphabet::of_fields(fields).unwrap();
    Space::new(Interface::new(side(inputs), side(outputs)).unwrap())
}

fn number(rng: &mut Rng, depth: u32) -> String {
    if depth == 0 || rng.below(3) == 0 {
        return match rng.below(4) {
            0 => format!("{}", rng.below(13) as i64 - 6),
            _ => (*rng.pick(&["call", "speed", "floor"]).unwrap()).to_owned(),
        };
    }
    let [one, other] = [0, 0].map(|_| number(rng, depth - 1));
    match rng.below(8) {
        0 => format!("({one} + {other})"),
        1 => format!("({one} - {other})"),
        2 => format!("{one} * {other}"),
        3 => format!("min({one}, {other}, {})", number(rng, depth - 1)),
        4 => format!("max({one}, {other})"),
        5 => format!("abs({one})"),
        6 => format!("-({one})"),
        _ => format!("(if {} then {one} else {other})", truth(rng, depth - 1)),
    }
}

fn truth(rng: &mut Rng, depth: u32) -> String {
    let sign = |rng: &mut Rng| *rng.pick(&["=", "!=", "<", "<=", ">", ">="]).unwrap();
    if depth == 0 {
        return match rng.below(4) {
            0 => "door".to_owned(),
            1 => format!(
                "motor {} {}",
                rng.pick(&["=", "!="]).unwrap(),
                rng.pick(&["up", "off", "last"]).unwrap()
            ),
            _ => format!("{} {} {}", number(rng, 0), sign(rng), number(rng, 0)),
        };
    }
    match rng.below(9) {
        0 => format!("!({})", truth(rng, depth - 1)),
        1 => format!("({} & {} & door)", truth(rng, depth - 1), truth(rng, depth - 1)),
        2 => format!("({} | {})", truth(rng, depth - 1), truth(rng, depth - 1)),
        3 => format!("({} -> {})", truth(rng, depth - 1), truth(rng, depth - 1)),
        4 => format!("{} in {}..{}", number(rng, depth - 1), number(rng, 0), number(rng, 0)),
        5 => format!("{} not in {{{}, {}, 3}}", number(rng, depth - 1), number(rng, 0), number(rng, 0)),
        6 => format!("(if {} then {} else {})", truth(rng, 0), truth(rng, depth - 1), truth(rng, 0)),
        7 => format!("(({}) = ({}))", truth(rng, depth - 1), truth(rng, 0)),
        _ => format!("({} {} {})", number(rng, depth), sign(rng), number(rng, depth)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn sets_are_what_expressions_say_of_every_exchange(seed in any::<u64>()) {
        let space = space();
        // As formulas have it: a comparison.
        let text = format!("({}) = true", truth(&mut Rng::new(seed), 2));
        let atoms = space.atoms().unwrap();
        let atom = atoms.find(&text).unwrap_or_else(|| panic!("{text}"));
        let set = space.proposition(atom.text()).unwrap();
        let Interface { inputs, outputs } = space.interface();
        for input in inputs.letters(1 << 12).unwrap() {
            for output in outputs.letters(1 << 12).unwrap() {
                let step = Step { input, output };
                let said = atoms.holds(&atom, step, step);
                prop_assert_eq!(set.contains(space.value(input, output)), said, "{} of {} / {}", text,
                    inputs.show(input), outputs.show(output));
                let whole = |(span, _): &&(std::ops::Range<usize>, Option<bool>)| *span == (0..text.len());
                let always = atom.idle_parts().iter().find(whole).and_then(|(_, always)| *always);
                prop_assert!(always.is_none_or(|always| always == said));
            }
        }
    }
}

#[test]
fn wide_ranges_are_never_gone_through() {
    let wide = || Kind::Number { low: -1, high: 65_534 };
    let inputs = Alphabet::of_fields([("x", wide()), ("y", wide())]).unwrap();
    let outputs = Alphabet::of_fields([("z", wide())]).unwrap();
    let space = Space::new(Interface::new(inputs, outputs).unwrap());
    for (text, most) in
        [("x <= 40000", 20), ("x + 3 = 4000", 20), ("z in 17..4711", 40), ("2 * x + 1 < 900", 24)]
    {
        let nodes = space.proposition(text).unwrap().node_count();
        assert!(nodes <= most, "{text}: {nodes}");
    }
    let all = space.input_letters(&space.proposition("x <= 40000").unwrap());
    assert_eq!(all.count().to_u64(), Some(40_002 * 65_536));
}
