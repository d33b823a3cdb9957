//! Every strategy a user can name: one line each feeds `--help`, the README table and the test matrix.

use std::sync::Arc;

use super::balance::Oracle;
use super::{
    Auto, BackwardInduction, Balanced, Frontier, FrontierSettings, Gait, Gdfs, Greedy, InputClasses,
    Knowledge, Learning, Loops, Mcts, MctsSettings, MeetInTheMiddle, Mix, Needs, Pick, Repeats, Reward,
    Score, Selection, Simultaneous, SimultaneousSettings, Strategy, Tour, Uniform, Walk,
};
use crate::automaton::Cubes;
use crate::diagnostic::Unknown;
use crate::letter::Idle;

/// The parameters a user can set; each strategy takes those it has.
#[derive(Clone, Debug)]
pub struct Options {
    /// The chance of a uniform choice in epsilon-greedy strategies, in (0, 1).
    pub epsilon: f64,
    /// The discount of the discounted reward in tree searches, in (0, 1).
    pub gamma: f64,
    /// What a run is worth to a tree search; none for the strategy's own.
    pub reward: Option<Reward>,
    /// The constant of UCT, at least 0; none for the strategy's own.
    pub exploration: Option<f64>,
    /// For how many visits of a tree node only greedy inputs are tried there.
    pub greedy_visits: u32,
    /// What plays beyond the tree of a tree search; none for the strategy's own.
    pub roll_out: Option<&'static StrategyEntry>,
    /// How many steps a reset is worth to strategies that decide when to give up a run.
    pub reset_cost: u32,
    /// The most nodes that a strategy may remember.
    pub nodes: usize,
    /// The letters for doing nothing, where inputs and outputs are actions that need not alternate.
    pub idle: Option<Idle>,
    /// The chance of waiting where both sides can act, in strategies that take turns by chance.
    pub observe: f64,
    /// The chance of waiting where the system should not act.
    pub listen: f64,
    /// The most steps of a roll-out, in searches that come before the first step.
    pub roll_out_bound: u32,
    /// The most steps through the tree in such searches.
    pub depth: u32,
    /// How often such a search goes from the start to a leaf.
    pub iterations: u32,
    /// How such a search picks an exchange.
    pub selection: Selection,
    /// What a state is worth to such a search.
    pub score: Score,
    /// A run that comes to the same state more often than this is ended, 0 for never; none for the strategy's own.
    pub repeats: Option<u32>,
    /// The fewest steps of a test that ends because the requirements accept it, at least 1: k_min of paper 3.
    pub k_min: u32,
    /// The most steps of a test: k_max of paper 3.
    pub k_max: u32,
    /// What the strategy is told of the requirements; see [`StrategyEntry::needs`].
    pub knowledge: Knowledge,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            epsilon: 0.25,
            gamma: 0.9,
            reward: None,
            exploration: None,
            greedy_visits: 30,
            roll_out: None,
            reset_cost: 1,
            nodes: 1 << 20,
            idle: None,
            observe: 0.5,
            listen: 1.0 / 32.0,
            roll_out_bound: 300,
            depth: 150,
            iterations: 200,
            selection: Selection::BestAverage,
            score: Score::Goal,
            repeats: None,
            k_min: 5,
            k_max: 100,
            knowledge: Knowledge::default(),
        }
    }
}

/// One line of the catalogue.
pub struct StrategyEntry {
    /// What the user types.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Where it is from.
    pub source: &'static str,
    /// Which of the [`Options`] it takes, by their names on the command line.
    pub options: &'static [&'static str],
    /// What it must be told of the requirements ([`Options::knowledge`]); without it, it gives up at once.
    pub needs: Needs,
    /// Makes it.
    pub build: fn(&Options) -> Box<dyn Strategy>,
}

impl std::fmt::Debug for StrategyEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What tree searches take.
const TREE: &[&str] = &["gamma", "reward", "exploration", "roll-out", "nodes"];
/// What they take with an epsilon-greedy roll-out.
const TREE_ROLL_OUT: &[&str] = &["epsilon", "gamma", "reward", "exploration", "roll-out", "nodes"];
/// What they take with a greedy tree as well.
const GREEDY_TREE: &[&str] =
    &["epsilon", "gamma", "reward", "exploration", "greedy-visits", "roll-out", "nodes"];

/// What strategies take that take turns by chance.
const BALANCE: &[&str] = &["observe", "listen"];
const BALANCE_NODES: &[&str] = &["observe", "listen", "nodes"];

/// What backward induction takes.
const INDUCTION: &[&str] = &["repeats", "nodes"];
/// What searches take that come before the first step.
const BEFORE: &[&str] =
    &["roll-out-bound", "depth", "iterations", "selection", "exploration", "score", "repeats", "nodes"];
const BEFORE_BY_REGRET: &[&str] = &["roll-out-bound", "depth", "iterations", "score", "repeats", "nodes"];
const BEFORE_FROM_BOTH_ENDS: &[&str] =
    &["roll-out-bound", "depth", "iterations", "selection", "exploration", "repeats", "nodes"];

/// The strategy that is used when none is named.
pub const DEFAULT: &str = "auto";

/// The strategy that is used when none is named and no requirement is an automaton.
pub const WITHOUT_AUTOMATA: &str = "frontier-experience";

/// The strategy that is used when none is named and all of something is to be covered.
pub const TOUR: &str = "tour";

/// Every strategy, in the order of the README table.
pub const CATALOGUE: &[StrategyEntry] = &[
    StrategyEntry {
        name: "uniform",
        sentence: "any input from which the objective is still reachable, each with the same chance",
        source: "paper 1, section 4.1",
        options: &[],
        needs: Needs::Nothing,
        build: |_| Box::new(Uniform),
    },
    StrategyEntry {
        name: "greedy",
        sentence: "inputs that force the objective closer, or else inputs that may bring it closer",
        source: "paper 1, section 5.4",
        options: &[],
        needs: Needs::Nothing,
        build: |_| Box::new(Greedy),
    },
    StrategyEntry {
        name: "epsilon-greedy",
        sentence: "greedy, but uniform with probability --epsilon before each input",
        source: "paper 1, section 5.4",
        options: &["epsilon"],
        needs: Needs::Nothing,
        build: |options| epsilon_greedy(options),
    },
    StrategyEntry {
        name: "mcts",
        sentence: "a tree search over runs, uniform beyond the tree",
        source: "paper 1, section 4.2, with scaled values",
        options: TREE,
        needs: Needs::Nothing,
        build: |options| mcts(options, Box::new(Uniform), 0, true),
    },
    StrategyEntry {
        name: "mcts-greedy-rollout",
        sentence: "a tree search over runs, epsilon-greedy beyond the tree",
        source: "paper 1, section 5.5, with scaled values",
        options: TREE_ROLL_OUT,
        needs: Needs::Nothing,
        build: |options| mcts(options, epsilon_greedy(options), 0, true),
    },
    StrategyEntry {
        name: "mcts-greedy",
        sentence: "a tree search over runs, greedy in new parts of the tree and epsilon-greedy beyond it",
        source: "paper 1, section 5.5, with scaled values",
        options: GREEDY_TREE,
        needs: Needs::Nothing,
        build: |options| mcts(options, epsilon_greedy(options), options.greedy_visits, true),
    },
    StrategyEntry {
        name: "mcts-published",
        sentence: "mcts with the paper's values, which are not scaled",
        source: "paper 1, section 4.2",
        options: TREE,
        needs: Needs::Nothing,
        build: |options| mcts(options, Box::new(Uniform), 0, false),
    },
    StrategyEntry {
        name: "mcts-greedy-rollout-published",
        sentence: "mcts-greedy-rollout with the paper's values, which are not scaled",
        source: "paper 1, section 5.5",
        options: TREE_ROLL_OUT,
        needs: Needs::Nothing,
        build: |options| mcts(options, epsilon_greedy(options), 0, false),
    },
    StrategyEntry {
        name: "mcts-greedy-published",
        sentence: "mcts-greedy with the paper's values, which are not scaled",
        source: "paper 1, section 5.5",
        options: GREEDY_TREE,
        needs: Needs::Nothing,
        build: |options| mcts(options, epsilon_greedy(options), options.greedy_visits, false),
    },
    StrategyEntry {
        name: "random",
        sentence: "takes turns with the system by chance, and sends any input that is enabled",
        source: "paper 2, section 3.2 (Rnd)",
        options: BALANCE,
        needs: Needs::Nothing,
        build: |options| balanced(options, Pick::Random),
    },
    StrategyEntry {
        name: "least-cost",
        sentence: "random, but sends what was done least often in situations that count as this one",
        source: "paper 2, section 3.2 (Lct)",
        options: BALANCE_NODES,
        needs: Needs::Nothing,
        build: |options| balanced(options, Pick::LeastCost),
    },
    StrategyEntry {
        name: "randomised-least-cost",
        sentence: "random, with chances inversely proportional to how often it was done",
        source: "paper 2, section 3.2 (Rlc)",
        options: BALANCE_NODES,
        needs: Needs::Nothing,
        build: |options| balanced(options, Pick::RandomisedLeastCost),
    },
    StrategyEntry {
        name: "least-cost-onward",
        sentence: "least-cost, but inputs that may lead to states never visited come first",
        source: "this project",
        options: BALANCE_NODES,
        needs: Needs::Nothing,
        build: |options| balanced(options, Pick::Onward),
    },
    StrategyEntry {
        name: "gdfs",
        sentence: "the edge of the requirements' automaton that was taken least often, test by test",
        source: "paper 3, section 3.3",
        options: &["k-min", "k-max"],
        needs: Needs::Conjunction,
        build: |options| {
            Box::new(Gdfs::new(known(&options.knowledge.conjunction), options.k_min, options.k_max))
        },
    },
    StrategyEntry {
        name: "random-walk",
        sentence: "edges of the requirements' monitor by chance, until each was tried",
        source: "paper 3, section 4.1 (RW)",
        options: &["k-max"],
        needs: Needs::Monitor,
        build: |options| walk(options, Gait::Random),
    },
    StrategyEntry {
        name: "guided-walk",
        sentence: "shortest paths to the edges of the requirements' monitor, each tried once",
        source: "paper 3, section 4.1 (GW)",
        options: &["k-max"],
        needs: Needs::Monitor,
        build: |options| walk(options, Gait::Guided),
    },
    StrategyEntry {
        name: "backward-induction",
        sentence: "the input with the best chance to arrive if every answer is as likely as any other, solved before the first step",
        source: "paper 4, section 6.1, with loops solved",
        options: INDUCTION,
        needs: Needs::Nothing,
        build: |options| repeats(options, 0, Box::new(BackwardInduction::new(Loops::Solved, options.nodes))),
    },
    StrategyEntry {
        name: "backward-induction-published",
        sentence: "backward-induction with the paper's rule for loops, which depends on the order",
        source: "paper 4, Algorithm 1",
        options: INDUCTION,
        needs: Needs::Nothing,
        build: |options| repeats(options, 5, Box::new(BackwardInduction::new(Loops::AsSeen, options.nodes))),
    },
    StrategyEntry {
        name: "sm-mcts",
        sentence: "a tree search over exchanges before the first step, random beyond the tree",
        source: "paper 4, Algorithm 2",
        options: BEFORE,
        needs: Needs::Nothing,
        build: |options| repeats(options, 5, Box::new(Simultaneous::new(simultaneous(options)))),
    },
    StrategyEntry {
        name: "sm-mcts-mu",
        sentence: "sm-mcts, but rather any input that was tried than waiting",
        source: "paper 4, section 10.3",
        options: BEFORE,
        needs: Needs::Nothing,
        build: |options| {
            let settings = SimultaneousSettings { prefer_acting: true, ..simultaneous(options) };
            repeats(options, 5, Box::new(Simultaneous::new(settings)))
        },
    },
    StrategyEntry {
        name: "sm-mcts-rm",
        sentence: "sm-mcts that tries inputs by how much they are regretted",
        source: "paper 4, section 6.2.3",
        options: BEFORE_BY_REGRET,
        needs: Needs::Nothing,
        build: |options| {
            let selection = Selection::RegretMatching;
            let settings = SimultaneousSettings { selection, ..simultaneous(options) };
            repeats(options, 5, Box::new(Simultaneous::new(settings)))
        },
    },
    StrategyEntry {
        name: "meet-in-the-middle",
        sentence: "sm-mcts from the start and backward-induction from the objective, until they meet",
        source: "paper 4, section 10.4",
        options: BEFORE_FROM_BOTH_ENDS,
        needs: Needs::Nothing,
        build: |options| repeats(options, 5, Box::new(MeetInTheMiddle::new(simultaneous(options)))),
    },
    StrategyEntry {
        name: "tour",
        sentence: "goes to what is nearest and not covered yet, taking the system to help, and on from there",
        source: "this project",
        options: &["reset-cost"],
        needs: Needs::Nothing,
        build: |options| Box::new(Tour::new(options.reset_cost)),
    },
    StrategyEntry {
        name: "input-classes",
        sentence: "every kind of input that a requirement tells apart, in each of its states, wherever one is missing",
        source: "this project",
        options: &["nodes"],
        needs: Needs::Classes,
        build: |options| {
            let nodes = (options.nodes / 2).max(1);
            let learners = std::iter::once(learning(options, nodes)).chain(beside(options, nodes)).collect();
            Box::new(InputClasses::new(options.knowledge.classes.clone(), learners, options.nodes))
        },
    },
    StrategyEntry {
        name: "learning",
        sentence: "learns the system as a machine, plays what violates or reaches something there, and tests the machine",
        source: "black-box checking (Peled, Vardi, Yannakakis 1999) with L# (Vaandrager et al. 2022)",
        options: &["nodes"],
        needs: Needs::Claims,
        build: |options| Box::new(learning(options, options.nodes)),
    },
    StrategyEntry {
        name: "auto",
        sentence: "shares the steps between learning, frontier-experience and, without an objective, input-classes by what each brings",
        source: "this project",
        options: &["gamma", "reset-cost", "nodes"],
        needs: Needs::Portfolio,
        build: auto,
    },
    StrategyEntry {
        name: "frontier",
        sentence: "goes back to a promising situation by the way it knows, then explores epsilon-greedily",
        source: "this project",
        options: &["epsilon", "reset-cost", "nodes"],
        needs: Needs::Nothing,
        build: |options| frontier(options, false),
    },
    StrategyEntry {
        name: "frontier-experience",
        sentence: "frontier, and learns from one place what to do in others that look alike",
        source: "this project",
        options: &["gamma", "reset-cost", "nodes"],
        needs: Needs::Nothing,
        build: |options| frontier(options, true),
    },
];

fn auto(options: &Options) -> Box<dyn Strategy> {
    let Options { knowledge, nodes, .. } = options;
    // What is remembered is remembered by one of them or another.
    let share = Options { nodes: (nodes / 2).max(1), ..options.clone() };
    Box::new(Auto::new(
        learning(options, (nodes / 2).max(1)),
        frontier(&share, true),
        Box::new(InputClasses::new(
            knowledge.classes.clone(),
            beside(options, (nodes / 4).max(1)).into_iter().collect(),
            (nodes / 4).max(1),
        )),
    ))
}

/// What learns the system together with its requirements.
fn beside(options: &Options, nodes: usize) -> Option<Learning> {
    Learning::new(options.knowledge.claims.clone(), nodes).beside(&options.knowledge.classes)
}

/// What learns, from what was seen before on.
fn learning(options: &Options, nodes: usize) -> Learning {
    let Knowledge { claims, memory, .. } = &options.knowledge;
    let made = Learning::new(claims.clone(), nodes);
    match memory {
        Some(memory) => made.resume(memory.recall().bounded(nodes)),
        None => made,
    }
}

fn balanced(options: &Options, pick: Pick) -> Box<dyn Strategy> {
    let Options { idle, observe, listen, .. } = *options;
    Box::new(Balanced::new(pick, Oracle { idle, observe, listen }, options.nodes))
}

/// What was told; an automaton without anything in it where nothing was.
fn known(cubes: &Option<Arc<Cubes>>) -> Arc<Cubes> {
    let nothing = || Arc::new(Cubes { initial: 0, states: Vec::new(), edges: Vec::new() });
    cubes.clone().unwrap_or_else(nothing)
}

fn walk(options: &Options, gait: Gait) -> Box<dyn Strategy> {
    Box::new(Walk::new(known(&options.knowledge.monitor), gait, options.k_max))
}

fn epsilon_greedy(options: &Options) -> Box<dyn Strategy> {
    Box::new(Mix { chance: options.epsilon, first: Box::new(Uniform), second: Box::new(Greedy) })
}

fn mcts(
    options: &Options,
    usual_roll_out: Box<dyn Strategy>,
    greedy_visits: u32,
    scaled: bool,
) -> Box<dyn Strategy> {
    let roll_out = match options.roll_out {
        // A tree search beyond a tree search takes its own roll-out, not itself once more.
        Some(chosen) => (chosen.build)(&Options { roll_out: None, ..options.clone() }),
        None => usual_roll_out,
    };
    // What comes nearest to Table 1 of paper 1 for the published forms: see `Reward::DiscountedRollOut`.
    let (usual_reward, usual_exploration) =
        if scaled { (Reward::Discounted, 0.5) } else { (Reward::DiscountedRollOut, 1.0) };
    let settings = MctsSettings {
        reward: options.reward.unwrap_or(usual_reward),
        gamma: options.gamma,
        exploration: options.exploration.unwrap_or(usual_exploration),
        scaled,
        greedy_visits,
        broad: 64,
        nodes: options.nodes,
    };
    Box::new(Mcts::new(roll_out, settings))
}

fn simultaneous(options: &Options) -> SimultaneousSettings {
    SimultaneousSettings {
        roll_out_bound: options.roll_out_bound,
        depth: options.depth,
        iterations: options.iterations,
        selection: options.selection,
        exploration: options.exploration.unwrap_or(1.0),
        score: options.score,
        prefer_acting: false,
        idle: options.idle,
        nodes: options.nodes,
    }
}

/// A strategy whose runs end when they come to a state too often.
fn repeats(options: &Options, usual: u32, strategy: Box<dyn Strategy>) -> Box<dyn Strategy> {
    match options.repeats.unwrap_or(usual) {
        0 => strategy,
        most => Box::new(Repeats::new(strategy, most)),
    }
}

/// The strategy with this name.
pub fn find(name: &str) -> Result<&'static StrategyEntry, Unknown> {
    let unknown = || Unknown::new("strategy", name, CATALOGUE.iter().map(|entry| entry.name));
    CATALOGUE.iter().find(|entry| entry.name == name).ok_or_else(unknown)
}

fn frontier(options: &Options, experience: bool) -> Box<dyn Strategy> {
    let settings = FrontierSettings {
        epsilon: options.epsilon,
        gamma: options.gamma,
        experience,
        reset_cost: options.reset_cost,
        nodes: options.nodes,
    };
    Box::new(Frontier::new(settings))
}
