use super::*;
use crate::strategy::toy::Toy;

fn settings() -> SimultaneousSettings {
    SimultaneousSettings {
        roll_out_bound: 50,
        depth: 50,
        iterations: 200,
        selection: Selection::BestAverage,
        exploration: 1.0,
        score: Score::Goal,
        prefer_acting: false,
        idle: None,
        nodes: 1000,
    }
}

/// A tree of inputs, three a state and four deep, one leaf of which is the goal; the answers change nothing.
fn tree() -> Toy {
    let inner = 1 + 3 + 9 + 27;
    let moves = (0..inner + 81)
        .map(
            |at: u32| {
                if at < inner { (1..4).map(|child| vec![3 * at + child; 2]).collect() } else { Vec::new() }
            },
        )
        .collect();
    Toy::new(moves, vec![inner + 40])
}

/// Plays once against a system that answers by chance; whether it arrives.
fn arrives(toy: &Toy, settings: SimultaneousSettings, seed: u64) -> bool {
    let mut rng = Rng::new(seed);
    let mut strategy = Simultaneous::new(settings);
    strategy.create(toy, toy, &mut rng);
    let mut at = toy.initial();
    for _ in 0..50 {
        if toy.reached(at) {
            return true;
        }
        let Some(input) = strategy.search().and_then(|search| search.best(at, &settings, &mut rng)) else {
            return false;
        };
        let answers = &toy.moves[at.0 as usize][input.index() as usize];
        at = crate::game::State(answers[rng.index(answers.len())]);
    }
    false
}

#[test]
fn forced_wins_are_found() {
    let toy = tree();
    for selection in [Selection::BestAverage, Selection::Duct, Selection::RegretMatching] {
        // 81 leaves, one of which wins: 2000 roll-outs from the start miss it with p < 1e-10, and proximity sees it at once.
        let cases = [(Score::Goal, 2000), (Score::Proximity, 200)];
        for (score, iterations) in cases {
            for seed in 0..10 {
                let settings = SimultaneousSettings { selection, score, iterations, ..settings() };
                assert!(arrives(&toy, settings, seed), "{selection:?}, {score:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn what_is_certain_is_preferred_to_what_may_happen() {
    // Input 0 arrives if the system helps and is lost otherwise; input 1 arrives in two steps for sure.
    let toy = Toy::new(vec![vec![vec![2, 3], vec![1]], vec![vec![2]], vec![], vec![vec![3]]], vec![2]);
    for selection in [Selection::BestAverage, Selection::Duct, Selection::RegretMatching] {
        for score in [Score::Goal, Score::Proximity] {
            for seed in 0..20 {
                let settings = SimultaneousSettings { selection, score, ..settings() };
                assert!(arrives(&toy, settings, seed), "{selection:?}, {score:?}, seed {seed}");
            }
        }
    }
}

#[test]
fn a_search_leads_to_one_more_state_an_iteration_at_most() {
    let toy = tree();
    for iterations in [1, 10, 40] {
        let mut strategy = Simultaneous::new(SimultaneousSettings { iterations, ..settings() });
        strategy.create(&toy, &toy, &mut Rng::new(3));
        let met = strategy.search().unwrap().met();
        assert!(met <= 1 + iterations as usize, "{met} states in {iterations} iterations");
    }
}

#[test]
fn waiting_at_the_start_scores_nothing_and_mu_never_waits_where_it_can_act() {
    use crate::letter::Idle;
    // Input 0 waits in both states; everything else leads on.
    let toy = Toy::new(vec![vec![vec![0], vec![1]], vec![vec![1], vec![2]], vec![]], vec![2]);
    let wait = Letter::from_index(0);
    let idle = Some(Idle { wait, quiet: wait, refusal: None });
    let mut waited = 0;
    for seed in 0..50 {
        for prefer_acting in [false, true] {
            let settings = SimultaneousSettings { prefer_acting, idle, ..settings() };
            let mut rng = Rng::new(seed);
            let mut strategy = Simultaneous::new(settings);
            strategy.create(&toy, &toy, &mut rng);
            let search = strategy.search().unwrap();
            let first = search.best(crate::game::State(0), &settings, &mut rng);
            assert_eq!(first, Some(Letter::from_index(1)), "seed {seed}");
            let second = search.best(crate::game::State(1), &settings, &mut rng);
            assert!(!prefer_acting || second == Some(Letter::from_index(1)), "seed {seed}");
            waited += u32::from(second == Some(wait));
        }
    }
    // Roll-outs arrive whether or not one waits first, so both score the same, and chance decides: with 50 coins, all of
    // them heads has p < 1e-15.
    assert!(waited > 0);
}
