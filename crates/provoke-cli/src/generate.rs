//! `provoke generate`: a suite of tests, made without a system.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use provoke::generate::{Criterion, Extent, from_machine, from_strategy};
use provoke::report::count;
use provoke::specification::{Specification, Target};
use provoke::suite::{MadeBy, Suite};

use crate::exit::Exit;
use crate::options::StrategyArgs;
use crate::output::{deliver, mention, warn};

/// The arguments of `provoke generate`.
#[derive(Args)]
pub(crate) struct GenerateArgs {
    /// The specification file, a TLSF file, or an automaton (.hoa) that is one requirement
    spec: PathBuf,
    /// Cover this of the requirements, with tests made from a machine by model checking
    #[arg(long, value_name = "NAME", conflicts_with = "strategy")]
    criterion: Option<CriterionArg>,
    /// The machine for --criterion: DOT, KISS2, fsm, aut, HOA or a table [default: the model of the specification's system]
    #[arg(long, value_name = "MACHINE", requires = "criterion")]
    model: Option<PathBuf>,
    #[command(flatten)]
    strategy: StrategyArgs,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0, conflicts_with = "criterion")]
    seed: u64,
    /// The most tests that a strategy makes
    #[arg(long, value_name = "N", default_value_t = Extent::default().tests, conflicts_with = "criterion")]
    tests: usize,
    /// For how many answers besides the one it hopes for each test of a strategy knows how to go on
    #[arg(long, value_name = "N", default_value_t = Extent::default().branches, conflicts_with = "criterion")]
    branches: usize,
    /// Write the suite to this file [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// `--criterion`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CriterionArg {
    /// Requirements coverage: each requirement holds on some test
    Rc,
    /// Antecedent coverage: the same, with every antecedent true at some step
    Ac,
    /// Unique first cause coverage: each condition decides once that its requirement holds
    Ufc,
}

impl From<CriterionArg> for Criterion {
    fn from(name: CriterionArg) -> Criterion {
        match name {
            CriterionArg::Rc => Criterion::Requirements,
            CriterionArg::Ac => Criterion::Antecedents,
            CriterionArg::Ufc => Criterion::UniqueFirstCauses,
        }
    }
}

/// Makes the suite and writes it.
pub(crate) fn run(args: &GenerateArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let suite = match args.criterion {
        Some(criterion) => by_criterion(args, &specification, criterion.into())?,
        None => {
            let choice = args.strategy.choice("gdfs")?;
            let extent = Extent { tests: args.tests, branches: args.branches };
            from_strategy(&specification, &choice, args.seed, extent)?
        }
    };
    deliver(args.output.as_deref(), suite.to_json())?;
    summarise(&suite, args);
    Ok(Exit::Covered)
}

fn by_criterion(args: &GenerateArgs, specification: &Specification, criterion: Criterion) -> Result<Suite> {
    let path = match (&args.model, &specification.system.target) {
        (Some(path), _) | (None, Some(Target::Model(path))) => path,
        _ => bail!("no machine to make tests from: add `--model MACHINE`"),
    };
    let machine = specification.machine(path)?;
    if specification.verify(&machine)?.holds() == Some(false) {
        let path = path.display();
        warn(&[format!(
            "{path} violates the requirements (see `provoke verify`): tests made from it may ask for what is wrong"
        )]);
    }
    Ok(from_machine(specification, &machine, path, criterion)?)
}

/// What was made, in a few words beside the suite itself.
fn summarise(suite: &Suite, args: &GenerateArgs) {
    let tests = count(suite.tests.len(), "test");
    let nodes = count(suite.tests.iter().map(|test| test.nodes.len()).sum::<usize>(), "step");
    let place = args.output.as_ref().map_or(String::new(), |path| format!(" in {}", path.display()));
    match &suite.made_by {
        MadeBy::Strategy { name, complete, .. } => {
            mention(format_args!("{tests} by {name}, {nodes} in their trees{place}"));
            if !complete {
                warn(&[format!("{name} would go on: --tests allows for more")]);
            }
        }
        MadeBy::Criterion { name, .. } => {
            let goals = suite.goals.len();
            let those =
                |feasible: Option<bool>| suite.goals.iter().filter(move |goal| goal.feasible == feasible);
            let (covered, infeasible, unknown) =
                (those(Some(true)).count(), those(Some(false)).count(), those(None).count());
            mention(format_args!(
                "{tests} for {name}, {nodes}{place}: {covered} of {} covered, {infeasible} infeasible, {unknown} unknown",
                count(goals, "goal")
            ));
            for goal in those(None) {
                let why = goal.why.as_deref().unwrap_or("it was not found out");
                warn(&[format!("requirement {}, {}: {why}", goal.requirement, goal.what)]);
            }
        }
    }
}
