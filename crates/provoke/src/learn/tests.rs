mod trails;

use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{Step, Trace};

/// A machine as rows of (next, output).
#[derive(Clone, Debug)]
struct Toy(Vec<Vec<(u32, u32)>>);

impl Toy {
    fn random(states: usize, inputs: usize, outputs: u64, seed: u64) -> Toy {
        let mut rng = Rng::new(seed);
        let row = |_| (0..inputs).map(|_| (rng.index(states) as u32, rng.below(outputs) as u32)).collect();
        Toy((0..states).map(row).collect())
    }

    fn step(&self, at: u32, input: usize) -> (u32, Step) {
        let (to, output) = self.0[at as usize][input];
        let letter = |number| Letter::from_index(number);
        (to, Step { input: letter(input as u64), output: letter(output.into()) })
    }

    /// A shortest word on which it differs from a complete hypothesis: the perfect oracle.
    fn differs(&self, learner: &Learner) -> Option<Vec<usize>> {
        let mut seen = std::collections::BTreeSet::from([(0, 0)]);
        let mut queue = VecDeque::from([((0u32, 0u32), Vec::new())]);
        while let Some(((at, state), word)) = queue.pop_front() {
            for input in 0..self.0[0].len() {
                let (to, step) = self.step(at, input);
                let place = learner.place_of(step.input).unwrap();
                let mut word: Vec<usize> = word.clone();
                word.push(input);
                if learner.exchange(state, place) != Some(step) {
                    return Some(word);
                }
                let next = (to, learner.hypothesis().edge(state, place).to);
                if seen.insert(next) {
                    queue.push_back((next, word));
                }
            }
        }
        None
    }

    /// How many states it has that can be reached and differ.
    fn size(&self) -> usize {
        let mut reached = vec![0u32];
        let mut at = 0;
        while at < reached.len() {
            for &(to, _) in &self.0[reached[at] as usize] {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
            at += 1;
        }
        let mut class: Vec<usize> = vec![0; self.0.len()];
        loop {
            let key = |state: u32| -> Vec<(usize, u32)> {
                self.0[state as usize].iter().map(|&(to, output)| (class[to as usize], output)).collect()
            };
            let keys: std::collections::BTreeSet<_> = reached.iter().map(|&state| key(state)).collect();
            let keys: Vec<_> = keys.into_iter().collect();
            let finer: Vec<usize> =
                (0..self.0.len() as u32).map(|state| keys.binary_search(&key(state)).unwrap_or(0)).collect();
            let count = |class: &[usize]| {
                reached
                    .iter()
                    .map(|&state| class[state as usize])
                    .collect::<std::collections::BTreeSet<_>>()
                    .len()
            };
            if count(&finer) == count(&class) {
                return count(&class);
            }
            class = finer;
        }
    }
}

/// Plays a word from a reset, and then what tells suspects apart.
fn play(toy: &Toy, learner: &mut Learner, wish: &Wish) -> usize {
    let (word, open) = match wish {
        Wish::Word(word) => (word, None),
        Wish::Identify { word, open } => (word, Some(*open)),
    };
    let mut at = 0;
    let mut steps = 0;
    learner.begin();
    let mut send = |learner: &mut Learner, letter: Letter| {
        let (to, step) = toy.step(at, letter.index() as usize);
        at = to;
        steps += 1;
        learner.saw(&step);
        step
    };
    for &letter in word {
        send(learner, letter);
    }
    if let Some(open) = open {
        let mut inquiry = learner.inquire(open);
        loop {
            let word = learner.ask(&mut inquiry);
            if word.is_empty() {
                break;
            }
            for letter in word {
                let step = send(learner, letter);
                learner.heard(&mut inquiry, &step);
            }
        }
        learner.conclude(&inquiry);
    }
    learner.finish();
    steps
}

/// Plays whatever the learner wants to see, and counts the steps.
fn look_into_all(toy: &Toy, learner: &mut Learner) -> usize {
    let mut steps = 0;
    while let Some(wish) = learner.wish(&|_| 0, true) {
        steps += play(toy, learner, &wish);
    }
    steps
}

fn learn(toy: &Toy) -> (Learner, usize) {
    let inputs = toy.0[0].len() as u64;
    let mut learner = Learner::new((0..inputs).map(Letter::from_index), 1 << 20);
    let mut steps = 0;
    loop {
        steps += look_into_all(toy, &mut learner);
        assert!(learner.hypothesis().is_complete());
        let Some(word) = toy.differs(&learner) else { return (learner, steps) };
        let word = word.into_iter().map(|input| Letter::from_index(input as u64)).collect();
        let before = learner.hypothesis().clone();
        steps += play(toy, &mut learner, &Wish::Word(word));
        // A counterexample changes the hypothesis, so this ends.
        steps += look_into_all(toy, &mut learner);
        assert_ne!(&before, learner.hypothesis());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn with_a_perfect_oracle_it_ends_with_the_machine_itself(
        states in 1usize..14, inputs in 1usize..5, outputs in 1u64..4, seed in any::<u64>()
    ) {
        let toy = Toy::random(states, inputs, outputs, seed);
        let (learner, _) = learn(&toy);
        prop_assert_eq!(toy.differs(&learner), None);
        prop_assert_eq!(learner.hypothesis().states(), toy.size());
    }

    #[test]
    fn what_was_seen_is_enough_to_find_all_states_again(
        states in 1usize..14, inputs in 1usize..5, outputs in 1u64..4, seed in any::<u64>()
    ) {
        let toy = Toy::random(states, inputs, outputs, seed);
        let (learner, _) = learn(&toy);
        let inputs = (0..inputs as u64).map(Letter::from_index);
        let inputs_again = inputs.clone();
        let again = Learner::of_tree(learner.tree().clone(), inputs);
        prop_assert!(again.hypothesis().states() <= toy.size());
        // What was made of it is remembered too.
        let same = Learner::of_tree(learner.remembered(), inputs_again);
        prop_assert_eq!(same.hypothesis().states(), toy.size());
        // Of the states that were found first none is farther away than it was.
        let depths = |learner: &Learner| {
            let states = 0..learner.hypothesis().states() as u32;
            let mut depths: Vec<usize> = states.map(|state| learner.access(state).len()).collect();
            depths.sort_unstable();
            depths
        };
        let pairs: Vec<(usize, usize)> = depths(&again).into_iter().zip(depths(&learner)).collect();
        prop_assert!(pairs.iter().all(|(again, before)| again <= before), "{:?}", pairs);
    }

    #[test]
    fn a_machine_explains_its_own_runs_from_wherever_they_begin(
        states in 1usize..14, inputs in 1usize..5, seed in any::<u64>(), word in proptest::collection::vec(0usize..5, 40)
    ) {
        let toy = Toy::random(states, inputs, 2, seed);
        let (learner, _) = learn(&toy);
        let mut at = 0;
        let mut run: Trace = Vec::new();
        for input in word {
            let (to, step) = toy.step(at, input % inputs);
            at = to;
            run.push(step);
        }
        prop_assert_eq!(learner.misfit(&run[7..]), None);
        // An answer that nobody gives is noticed where it is.
        run[20].output = Letter::from_index(2);
        prop_assert_eq!(learner.misfit(&run[7..]), Some(14));
    }

    #[test]
    fn what_is_apart_is_not_the_same_state(
        states in 1usize..8, inputs in 1usize..4, seed in any::<u64>(),
        words in proptest::collection::vec(proptest::collection::vec(0usize..4, 1..12), 1..12)
    ) {
        let toy = Toy::random(states, inputs, 2, seed);
        let mut tree = Tree::new(1 << 16);
        let mut places = vec![0u32];
        for word in words {
            let (mut node, mut at) = (ROOT, 0);
            for input in word {
                let (to, step) = toy.step(at, input % inputs);
                let Added::At(next) = tree.add(node, &step) else { panic!() };
                (node, at) = (next, to);
                places.resize(places.len().max(node as usize + 1), 0);
                places[node as usize] = at;
            }
        }
        for one in 0..tree.len() as u32 {
            for other in 0..tree.len() as u32 {
                let apart = tree.apart(one, other);
                prop_assert_eq!(apart, tree.witness(one, other).is_some());
                prop_assert_eq!(apart, tree.apart(other, one));
                prop_assert!(!apart || places[one as usize] != places[other as usize]);
            }
        }
    }
}

#[test]
fn doom_is_what_every_way_leads_into() {
    let edge = |to| Edge { to, output: 0 };
    // 0 can stay; 1 leads to 2 and 3, of which 2 is a sink and 3 leads there.
    let edges = vec![edge(0), edge(1), edge(2), edge(3), edge(2), edge(2), edge(2), edge(2)];
    let hypothesis = Hypothesis { inputs: 2, edges };
    assert_eq!(hypothesis.doomed(), [false, true, true, true]);
}

/// Learns a machine, and puts it to the test as often.
fn learnt_and_tested(toy: &Toy, times: u32) -> Learner {
    let (mut learner, _) = learn(toy);
    let mut rng = Rng::new(7);
    for _ in 0..times {
        let Some(word) = learner.beyond(&mut rng) else { break };
        let numbers: Vec<u32> =
            word.iter().map(|&place| learner.tree().known_input(learner.input(place)).unwrap()).collect();
        assert!(learner.tree().follow(ROOT, &numbers).is_none(), "each tries something new");
        let word = word.iter().map(|&place| learner.input(place)).collect();
        play(toy, &mut learner, &Wish::Word(word));
    }
    learner
}

#[test]
fn tests_beyond_transitions_never_run_out_and_are_always_new() {
    let toy = Toy::random(9, 3, 3, 5);
    let before = learn(&toy).0.tree().len();
    let learner = learnt_and_tested(&toy, 200);
    assert!(learner.tree().len() >= before + 200);
}

#[test]
fn probes_are_new_go_just_beyond_a_transition_and_keep_away() {
    let toy = Toy::random(9, 3, 3, 5);
    let (mut learner, _) = learn(&toy);
    let answers = (0..learner.tree().outputs() as u32).collect();
    let splitting = Splitting::new(learner.hypothesis(), answers);
    let avoid: Vec<bool> = (0..learner.hypothesis().states()).map(|state| state == 2).collect();
    let mut rng = Rng::new(3);
    let mut made = 0;
    for _ in 0..200 {
        let Some(word) = learner.probe(&splitting, &avoid, &mut rng) else { continue };
        let letters: Vec<Letter> = word.iter().map(|&place| learner.input(place)).collect();
        let numbers: Vec<u32> =
            letters.iter().map(|&input| learner.tree().known_input(input).unwrap()).collect();
        assert!(learner.tree().follow(ROOT, &numbers).is_none(), "what was seen is left out");
        // To a transition that does not lead where it is to be kept away from, an input or more, and a word that tells states apart.
        let transition = (0..=word.len())
            .find(|&length| (0..9).all(|state| learner.access(state) != letters[..length]))
            .unwrap();
        let after = learner.hypothesis().after(0, &word[..transition]).unwrap();
        assert!(transition < word.len() && !avoid[after as usize]);
        play(&toy, &mut learner, &Wish::Word(letters));
        made += 1;
    }
    assert!(made > 100, "{made}");
    assert_eq!(toy.differs(&learner), None, "nothing was to be found");
}

#[test]
fn a_tour_takes_every_transition_that_is_not_avoided() {
    // A ring: input 0 goes on, input 1 stays.
    let toy = Toy((0..6).map(|state| vec![((state + 1) % 6, u32::from(state == 0)), (state, 2)]).collect());
    let (mut learner, _) = learn(&toy);
    let hypothesis = learner.hypothesis();
    assert_eq!(hypothesis.states(), 6);
    let (mut at, mut taken) = (0, std::collections::BTreeSet::new());
    // What was taken most while it was learnt comes last.
    for place in learner.tour(5_000, &[]) {
        taken.insert((at, place));
        at = hypothesis.edge(at, place).to;
    }
    assert_eq!(taken.len(), 12);
    // There is no way back from the second state, so what was taken least must not be there from the start.
    let stays: Vec<Letter> = [0].into_iter().chain([1; 4]).map(Letter::from_index).collect();
    for _ in 0..300 {
        play(&toy, &mut learner, &Wish::Word(stays.clone()));
    }
    let hypothesis = learner.hypothesis();
    // Away from the third state of the ring there are two ways on and three to stay.
    let third = hypothesis.after(0, &[0, 0]).unwrap();
    let avoid: Vec<bool> = (0..6).map(|state| state == third).collect();
    let (mut at, mut taken) = (0, std::collections::BTreeSet::new());
    for place in learner.tour(1_000, &avoid) {
        taken.insert((at, place));
        at = hypothesis.edge(at, place).to;
        assert_ne!(at, third);
    }
    assert_eq!(taken.len(), 3);
}

#[test]
fn refused_inputs_are_cheap_to_tell_from_those_that_end_everything() {
    // A ring of 12 states with 12 inputs: one goes on, one tells the state, half of the others stay and half lead to a
    // sink; both are refused with the same answer, and the sink refuses everything.
    let sink = 12;
    let row = |state: u32| {
        let edge = |input: u32| match input {
            0 => ((state + 1) % 12, 1),
            1 => (state, 2 + state),
            _ if input.is_multiple_of(2) => (state, 0),
            _ => (sink, 0),
        };
        (0..12).map(edge).collect()
    };
    let mut rows: Vec<Vec<(u32, u32)>> = (0..12).map(row).collect();
    rows.push(vec![(sink, 0); 12]);
    let toy = Toy(rows);
    let inputs = 12;
    let mut learner = Learner::new((0..inputs).map(Letter::from_index), 1 << 20);
    let mut runs = 0;
    loop {
        while let Some(wish) = learner.wish(&|_| 0, false) {
            play(&toy, &mut learner, &wish);
            runs += 1;
        }
        let Some(word) = toy.differs(&learner) else { break };
        let word = word.into_iter().map(|input| Letter::from_index(input as u64)).collect();
        play(&toy, &mut learner, &Wish::Word(word));
    }
    // 144 transitions; trying every input after each of the 60 that lead to the sink would take 720 runs for these alone.
    assert!(runs < 400, "{runs} runs");
}

#[test]
fn states_are_told_apart_by_the_answers_that_count() {
    // Three states in a ring; the last answers 1, the second 2, which is taken for 0.
    let edge = |to, output| Edge { to, output };
    let ring = Hypothesis { inputs: 1, edges: vec![edge(1, 0), edge(2, 2), edge(0, 1)] };
    let plainly = |one: u32, other: u32| one % 2 == other % 2;
    assert_eq!(ring.separator(0, 1, 100, plainly), Some(vec![0, 0]));
    assert_eq!(ring.separator(0, 1, 100, |one, other| one == other), Some(vec![0]));
    assert_eq!(ring.separator(1, 1, 100, plainly), None);
}

/// A chain of `length` states; in each, one input goes on, another is error number `state`, which is answered for ever after that,
/// and the others are answered by 1 for ever.
fn swallows(length: u32, inputs: usize) -> Toy {
    let dead = length;
    let mut rows: Vec<Vec<(u32, u32)>> = Vec::new();
    for state in 0..length {
        let row = |input: usize| match input {
            0 => ((state + 1) % length, 0),
            1 => (dead + 1 + state, 2 + state),
            _ => (dead, 1),
        };
        rows.push((0..inputs).map(|input| row((input + state as usize) % inputs)).collect());
    }
    rows.push(vec![(dead, 1); inputs]);
    rows.extend((0..length).map(|state| vec![(dead + 1 + state, 2 + state); inputs]));
    Toy(rows)
}

#[test]
fn what_swallows_everything_is_known_after_one_run() {
    let (learner, steps) = learn(&swallows(12, 20));
    assert_eq!(learner.hypothesis().states(), 25);
    // Of 240 transitions 228 end a run after 6.5 steps in the mean; thirteen places swallow everything, which 20 steps show. A run
    // for each input at each of them would be 13 * 20 * 7.5 = 1,950 more.
    assert!(steps < 2_700, "{steps} steps");
}

#[test]
fn what_seemed_to_be_never_left_is_learnt_anew_once_it_was() {
    // The place that answers 1 for ever is left by input 3 once input 2 was sent there five times in a row.
    let mut toy = swallows(6, 6);
    let dead = 6;
    let first = toy.0.len() as u32;
    toy.0[dead][2].0 = first;
    for count in 0..4 {
        let mut row = vec![(dead as u32, 1); 6];
        row[2] = (first + count + 1, 1);
        toy.0.push(row);
    }
    let mut last = vec![(dead as u32, 1); 6];
    last[3] = (0, 9);
    toy.0.push(last);
    let (learner, _) = learn(&toy);
    assert_eq!(toy.differs(&learner), None);
    assert!((toy.size()..toy.size() + 3).contains(&learner.hypothesis().states()));
}

#[test]
fn an_input_that_is_learnt_later_may_leave_what_is_never_left_otherwise() {
    // Input 5 brings every place back to the start.
    let mut toy = swallows(4, 6);
    for row in &mut toy.0 {
        row[5] = (0, 8);
    }
    let mut learner = Learner::new((0..5).map(Letter::from_index), 1 << 20);
    look_into_all(&toy, &mut learner);
    let before = learner.hypothesis().states();
    learner.grow(Letter::from_index(5));
    assert!(!learner.hypothesis().is_complete());
    look_into_all(&toy, &mut learner);
    assert_eq!(toy.differs(&learner), None);
    assert_eq!(learner.hypothesis().states(), before);
}

/// A tree of states with ways back; all other inputs are refused, of which a part changes nothing and the others lead to where
/// everything is refused.
fn refuses(states: u32, inputs: usize, stays: f64, seed: u64) -> Toy {
    let mut rng = Rng::new(seed);
    let sink = states;
    let row = |state: u32| {
        let rng = &mut rng;
        let on = rng.index(inputs);
        let edge = |input: usize| match input == on && state + 1 < states {
            true => (state + 1, 1 + rng.below(4) as u32),
            false if rng.chance(0.15) => (rng.index(states as usize) as u32, 1 + rng.below(4) as u32),
            false if rng.chance(stays) => (state, 0),
            false => (sink, 0),
        };
        (0..inputs).map(edge).collect()
    };
    let mut rows: Vec<Vec<(u32, u32)>> = (0..states).map(row).collect();
    rows.push(vec![(sink, 0); inputs]);
    Toy(rows)
}

/// What is learnt without an oracle.
fn learn_alone(toy: &Toy) -> Learner {
    let inputs = toy.0[0].len() as u64;
    let mut learner = Learner::new((0..inputs).map(Letter::from_index), 1 << 20);
    look_into_all(toy, &mut learner);
    learner
}

#[test]
fn the_last_transitions_are_told_from_what_they_only_seem_to_be() {
    // Most transitions have the same answer as others that lead elsewhere, and nobody says which are wrong.
    let is_learnt = |seed: &u64| {
        let toy = refuses(20, 16, 0.5, *seed);
        toy.differs(&learn_alone(&toy)).is_none()
    };
    let learnt = (0..20).filter(is_learnt).count();
    assert!(learnt >= 18, "{learnt} of 20");
}

/// A ring in which one input leads on; the others are refused, and change nothing but for those that are said to lead back to the start.
fn refusing(states: u32, inputs: usize, leads_back: &[(u32, usize)]) -> Toy {
    let row = |state: u32| {
        let refused = |input: usize| if leads_back.contains(&(state, input)) { (0, 9) } else { (state, 9) };
        let mut row: Vec<(u32, u32)> = (0..inputs).map(refused).collect();
        row[(state as usize * 7 + 3) % inputs] = ((state + 1) % states, state % 2);
        row
    };
    Toy((0..states).map(row).collect())
}

#[test]
fn inputs_that_change_nothing_are_tried_in_a_row() {
    let (states, inputs) = (24, 12);
    let toy = refusing(states, inputs, &[]);
    let (learner, steps) = learn(&toy);
    assert_eq!((toy.differs(&learner), learner.hypothesis().states()), (None, toy.size()));
    // A run for each transition, as long as the way to it, would only try each of them once.
    let one_by_one = inputs * (1..=states as usize).sum::<usize>();
    assert!(steps < one_by_one, "{steps} {one_by_one}");
    assert!(learner.tree().len() > steps / 2, "what was seen is kept as it was");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_was_taken_to_change_nothing_may_do_so_after_all(
        states in 3u32..14, inputs in 2usize..9, backs in proptest::collection::vec((0u32..14, 0usize..9), 1..4)
    ) {
        let toy = refusing(states, inputs, &backs);
        let (learner, _) = learn(&toy);
        prop_assert_eq!(toy.differs(&learner), None);
        prop_assert_eq!(learner.hypothesis().states(), toy.size());
    }

    #[test]
    fn a_folded_tree_says_of_every_word_what_was_seen(
        states in 2u32..8, inputs in 2usize..6,
        words in proptest::collection::vec(proptest::collection::vec(0usize..6, 1..12), 1..12)
    ) {
        let toy = refusing(states, inputs, &[]);
        let mut tree = Tree::new(1 << 16);
        for word in &words {
            word.iter().fold((ROOT, 0), |(node, at), input| {
                let (to, step) = toy.step(at, input % inputs);
                let Added::At(next) = tree.add(node, &step) else { panic!() };
                (next, to)
            });
        }
        let refused = tree.output_number(Letter::from_index(9));
        let folded = tree.folded(&[refused]).unwrap();
        prop_assert!(folded.len() <= tree.len());
        for word in &words {
            let numbers: Vec<u32> = word
                .iter()
                .map(|input| tree.known_input(Letter::from_index((input % inputs) as u64)).unwrap())
                .collect();
            // Whatever was seen after a word is answered alike by the tree and the folded one.
            let (mut at, mut there) = (ROOT, ROOT);
            for &input in &numbers {
                let (seen, told) = (tree.answered(at, input).unwrap(), folded.answered(there, input).unwrap());
                prop_assert_eq!(seen.0, told.0);
                (at, there) = (seen.1, told.1);
            }
            prop_assert_eq!(folded.follow(ROOT, &numbers), Some(there));
        }
    }
}

#[test]
fn a_tree_is_not_folded_where_that_answers_one_word_in_two_ways() {
    let step = |input, output| Step { input: Letter::from_index(input), output: Letter::from_index(output) };
    let mut tree = Tree::new(100);
    // Input 1 is answered otherwise after input 0, so that has changed something.
    for run in [&[step(0, 9), step(1, 2)][..], &[step(1, 3)]] {
        run.iter().fold(ROOT, |at, step| match tree.add(at, step) {
            Added::At(next) => next,
            _ => panic!(),
        });
    }
    let refused = tree.output_number(Letter::from_index(9));
    assert!(tree.folded(&[refused]).is_none());
    assert!(tree.folded(&[]).is_some());
}
