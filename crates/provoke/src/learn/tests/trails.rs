use super::*;

/// A ring in which input 0 goes on, the first state says so, input 1 goes two states on, and all others end everything. After a certain
/// way the run is in copies of states, and an input that ends everything is an error there.
fn with_copies(states: u32, inputs: usize) -> Toy {
    let dead = states + 3;
    let row = |state: u32| -> Vec<(u32, u32)> {
        let answer = if state == 0 { 2 } else { 0 };
        let on = [((state + 1) % states, answer), ((state + 2) % states, 0)];
        on.into_iter().chain(std::iter::repeat_n((dead, 1), inputs - 2)).collect()
    };
    let mut rows: Vec<Vec<(u32, u32)>> = (0..states).map(row).collect();
    let [first, second, third] = [states, states + 1, states + 2];
    rows.extend([row(5), row(6), row(0)]);
    rows[3][1].0 = first;
    rows[first as usize][0].0 = second;
    rows[second as usize][1].0 = third;
    rows[third as usize][inputs - 1].1 = 7;
    rows.push(vec![(dead, 1); inputs]);
    Toy(rows)
}

/// Tests a learner with trails, until none are left or enough were tried; how many were.
fn try_trails(toy: &Toy, learner: &mut Learner, most: usize) -> usize {
    let mut rng = Rng::new(3);
    for tried in 0..most {
        let Some(word) = learner.trail(100, &mut rng) else { return tried };
        let numbers: Vec<u32> =
            word.iter().map(|&place| learner.tree().known_input(learner.input(place)).unwrap()).collect();
        assert!(learner.tree().follow(ROOT, &numbers).is_none(), "each is new");
        let word = word.iter().map(|&place| learner.input(place)).collect();
        play(toy, learner, &Wish::Word(word));
        look_into_all(toy, learner);
    }
    most
}

#[test]
fn copies_of_states_are_told_by_the_way_to_them() {
    let toy = with_copies(8, 5);
    let mut learner = learn_alone(&toy);
    assert!(toy.differs(&learner).is_some(), "what was seen so far says nothing of copies");
    // There are 8 * (2 + 4 + 8) trails of up to three transitions, and three inputs that end everything after each.
    try_trails(&toy, &mut learner, 8 * 14 * 3);
    assert_eq!(toy.differs(&learner), None);
    assert_eq!(learner.hypothesis().states(), toy.size());
}

#[test]
fn all_trails_are_tried_once() {
    // Input 0 goes round in four states, the others end everything.
    let mut rows: Vec<Vec<(u32, u32)>> =
        (0..4).map(|state| vec![((state + 1) % 4, state), (4, 9), (4, 9)]).collect();
    rows.push(vec![(4, 9); 3]);
    let toy = Toy(rows);
    let mut learner = learn(&toy).0;
    assert!(learner.has_trails());
    // One way of each length from each state, and two inputs after it; some runs try a few of the next length as well.
    let tried = try_trails(&toy, &mut learner, 1_000);
    assert!((4 * 2..=4 * 2 * 8).contains(&tried), "{tried}");
    assert!(!learner.has_trails() && learner.trail(100, &mut Rng::new(0)).is_none());
}

#[test]
fn a_run_that_showed_nothing_new_is_not_made_again() {
    for seed in 0..10 {
        let toy = refuses(20, 5, 0.5, seed);
        let mut learner = Learner::new((0..5).map(Letter::from_index), 1 << 20);
        let mut in_vain = std::collections::BTreeSet::new();
        while let Some(wish) = learner.wish(&|_| 0, true) {
            let (nodes, known) = (learner.tree().len(), learner.known());
            play(&toy, &mut learner, &wish);
            if learner.tree().len() == nodes {
                let Wish::Identify { word, .. } = wish else { continue };
                assert!(in_vain.insert((word, known)), "seed {seed}");
            }
        }
    }
}
