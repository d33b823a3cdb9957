//! Tables 1 and 2 of paper 3: its two controllers.

use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use provoke::specification::Specification;
use serde_json::{Value, json};

use super::MutantsArgs;
use super::contender::{Budget, Contender, Judge, Judged, median, score};
use crate::controllers::{Controller, counting_cruise, cruise_mutants};

/// What Table 1 says: strategy, tests, branches in percent, killed mutants of 524.
const TABLE_1: &[(&str, u32, f64, u32)] = &[
    ("rc", 6, 78.3, 488),
    ("ac", 7, 78.3, 488),
    ("ufc", 18, 86.7, 488),
    ("gdfs-1", 26, 45.0, 414),
    ("gdfs-3", 4912, 70.0, 480),
    ("gdfs-5", 2597, 71.7, 480),
];

/// Mutants in Table 1.
const PUBLISHED_MUTANTS: f64 = 524.0;

/// What Table 2 says of `gdfs-5`, fault by fault: tests, steps, seconds.
const TABLE_2: [(u32, u32, f64); 10] = [
    (1, 2, 7.64),
    (2, 14, 8.61),
    (2, 14, 8.74),
    (1, 2, 7.75),
    (1, 7, 8.15),
    (4, 25, 8.61),
    (56, 502, 25.23),
    (1, 3, 8.15),
    (1, 6, 7.84),
    (2, 10, 8.17),
];

/// Tests and steps of `gdfs-5` on the arm as it should be.
const PUBLISHED_ARM: (u32, u32) = (1441, 12_867);

/// Strategies of the paper may take so many steps with one machine.
const PUBLISHED_STEPS: u64 = 50_000;

/// k_max of the paper for the arm.
const ARM_TEST: u32 = 30;

/// Tests, branch coverage and killed mutants of the cruise controller.
pub(super) fn branches_and_mutants(args: &MutantsArgs, chosen: &[&Contender]) -> Result<()> {
    let Controller { specification, machine, .. } = Controller::cruise()?;
    let verifier = specification.verifier()?;
    let judge = |machine| Ok(Arc::new(Judged::new(&specification, &verifier, machine)?));
    let machines = std::iter::once(Ok(machine.clone())).chain(cruise_mutants());
    let judged = machines.map(|machine| judge(machine?)).collect::<Result<Vec<_>>>()?;
    ensure!(!judged[0].violates(), "the cruise controller does not conform");
    let violating = judged.iter().filter(|one| one.violates()).count();
    let mut rows = Vec::new();
    if !args.json {
        println!("{} mutants, {violating} violate a requirement", judged.len() - 1);
        println!(
            "{:20} {:9} {:>7} {:>9} {:>14} {:>7} {:>7}",
            "", "oracle", "tests", "branches", "killed", "steps", "alarms"
        );
    }
    let published = as_published(Controller::cruise()?.specification);
    for contender in chosen {
        let Some(specification) = judged_by(contender.judge, &specification, &published) else { continue };
        let budget = budget(args, contender, 100);
        let score = score(contender, specification, &judged, budget, args.seconds)?;
        let Some(prepared) = contender.prepare(specification, budget)? else {
            continue;
        };
        let share = std::sync::Mutex::new(None);
        let report = prepared.attempt_on(u32::try_from(machine.states().len())?, &|| {
            let (system, branches) = counting_cruise();
            *share.lock().map_err(|_| anyhow::anyhow!("a test panicked"))? = Some(branches);
            Ok(Box::new(system))
        })?;
        let branches = share.into_inner().ok().flatten().context("nothing was tested")?();
        let steps = median(
            judged.iter().zip(&score.steps).filter(|(one, _)| one.violates()).map(|(_, &steps)| steps),
        );
        let paper = TABLE_1.iter().find(|row| row.0 == contender.label);
        let percent = 100.0 * score.killed as f64 / violating.max(1) as f64;
        if !args.json {
            let beside = paper.map_or(String::new(), |&(_, tests, branches, killed)| {
                format!(
                    "   paper: {tests} tests, {branches} %, {killed} ({:.1} %)",
                    100.0 * f64::from(killed) / PUBLISHED_MUTANTS
                )
            });
            println!(
                "{:20} {:9} {:7} {branches:7.1} % {:5} ({percent:5.1} %) {:>7} {:7}{beside}",
                contender.label,
                contender.judge.word(),
                report.runs,
                score.killed,
                steps.map_or("-".to_owned(), |steps| steps.to_string()),
                score.false_alarms,
            );
            if args.misses && contender.label == super::OURS {
                for (at, (one, steps)) in judged.iter().zip(&score.steps).enumerate() {
                    if one.violates() && steps.is_none() {
                        println!("    misses mutant {at}: {}", one.broken());
                    }
                }
            }
        }
        rows.push(json!({
            "subject": "cruise",
            "strategy": contender.label,
            "oracle": contender.judge.word(),
            "tests": report.runs,
            "steps": report.steps,
            "branch_coverage": branches,
            "mutants": judged.len() - 1,
            "violating": violating,
            "killed": score.killed,
            "false_alarms": score.false_alarms,
            "median_steps": steps,
            "seconds": score.seconds,
            "paper": paper.map(|&(_, tests, branches, killed)| json!({
                "tests": tests, "branch_coverage": branches, "killed": killed, "mutants": PUBLISHED_MUTANTS as u32,
            })),
        }));
    }
    if args.json {
        println!("{}", Value::from(rows));
    } else {
        for &(name, tests, branches, killed) in &TABLE_1[..3] {
            println!("{name:20} paper only: {tests} tests, {branches} %, {killed} of {PUBLISHED_MUTANTS}");
        }
    }
    Ok(())
}

/// Tests and steps until each planted fault is found, and what the controllers as they should be take.
pub(super) fn faults(args: &MutantsArgs, chosen: &[&Contender]) -> Result<()> {
    let mut rows = Vec::new();
    for (controller, k_max) in [(Controller::cruise()?, 100), (Controller::arm()?, ARM_TEST)] {
        let Controller { name, specification, machine, faults } = &controller;
        let verifier = specification.verifier()?;
        let again = if *name == "arm" { Controller::arm()? } else { Controller::cruise()? };
        let published = as_published(again.specification);
        for contender in chosen {
            let Some(specification) = judged_by(contender.judge, specification, &published) else { continue };
            let started = std::time::Instant::now();
            let Some(prepared) = contender.prepare(specification, budget(args, contender, k_max))? else {
                continue;
            };
            let prepared_in = started.elapsed().as_secs_f64();
            let mut found = 0;
            let mut seconds = prepared_in;
            let all = std::iter::once(("good", machine))
                .chain(faults.iter().map(|(fault, machine)| (*fault, machine)));
            for (number, (fault, machine)) in all.enumerate() {
                let judged = Judged::new(&controller.specification, &verifier, machine.clone())?;
                let report = prepared.attempt(machine)?;
                let alarm = judged.weigh(&report);
                let right = alarm.is_some_and(|alarm| alarm.right);
                found += usize::from(right);
                if number > 0 {
                    seconds += report.seconds;
                }
                let paper = (contender.label == "gdfs-5" && *name == "arm").then(|| match number {
                    0 => (PUBLISHED_ARM.0, PUBLISHED_ARM.1, 1171.0),
                    number => TABLE_2[number - 1],
                });
                if !args.json {
                    let beside = paper.map_or(String::new(), |(tests, steps, seconds)| {
                        format!("   paper: {tests} tests, {steps} steps, {seconds} s")
                    });
                    let what = match alarm {
                        None => "nothing found",
                        Some(alarm) if !alarm.right => "false alarm",
                        Some(alarm) if alarm.lasso => "lasso",
                        Some(_) => "violation",
                    };
                    println!(
                        "{name:8} {:20} {:9} {number:2} {fault:20} {what:13} tests {:6} steps {:6} {:7.3} s{beside}",
                        contender.label,
                        contender.judge.word(),
                        report.runs,
                        report.steps,
                        report.seconds,
                    );
                }
                rows.push(json!({
                    "subject": name,
                    "strategy": contender.label,
                    "oracle": contender.judge.word(),
                    "injection": number,
                    "fault": fault,
                    "found": right,
                    "false_alarm": alarm.is_some_and(|alarm| !alarm.right),
                    "lasso": alarm.is_some_and(|alarm| alarm.lasso),
                    "tests": report.runs,
                    "steps": report.steps,
                    "seconds": report.seconds,
                    "paper": paper.map(|(tests, steps, seconds)| json!({ "tests": tests, "steps": steps, "seconds": seconds })),
                }));
            }
            if !args.json {
                println!(
                    "{name:8} {:20} {:9} {found} of 10 found in {seconds:.3} s",
                    contender.label,
                    contender.judge.word()
                );
            }
        }
    }
    if args.json {
        println!("{}", Value::from(rows));
    }
    Ok(())
}

/// Strategies of the paper end by themselves: they are given the time for it.
fn budget(args: &MutantsArgs, contender: &Contender, k_max: u32) -> Budget {
    let budget = args.budget(k_max);
    let steps = if contender.is_published() { budget.steps.max(PUBLISHED_STEPS) } else { budget.steps };
    Budget { steps, ..budget }
}

fn as_published(mut specification: Specification) -> Option<Specification> {
    specification.judge_as_published().ok().map(|()| specification)
}

fn judged_by<'a>(
    judge: Judge,
    sound: &'a Specification,
    published: &'a Option<Specification>,
) -> Option<&'a Specification> {
    match judge {
        Judge::Sound => Some(sound),
        Judge::Published => published.as_ref(),
    }
}
