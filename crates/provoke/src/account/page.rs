//! The page: one file that a browser shows without anything else. What came from outside stands in it as data only, and
//! the script shows it as text.

use serde_json::{Value, json};

use super::{Account, Finding, Kind};
use crate::letter::{Alphabet, Field};
use crate::session::{Mark, Picture, Visits};
use crate::trace::Step;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Pictures with more nodes are cut down to what is near the trace.
const SHOWN_NODES: usize = 60;
/// So many nodes are left of them.
const NEAR: usize = 40;
/// Longer traces are shown from this far before their end.
const SHOWN_STEPS: usize = 1_500;
/// So many findings have their waveform.
const SHOWN_FINDINGS: usize = 200;

/// The page of an account.
pub fn page(account: &Account) -> String {
    with_data(account, &account.page_data(false))
}

impl Account {
    /// The page of a session that goes on: it asks for more.
    pub fn live_page(&self) -> String {
        with_data(self, &self.page_data(true))
    }

    /// What the page shows, as data.
    pub fn page_data(&self, live: bool) -> Value {
        let about = &self.about;
        let requirement = |id: &String| {
            let known = about.requirements.iter().find(|about| about.id == *id).cloned().unwrap_or_default();
            let (state, age) = self.state(id);
            json!({
                "id": id, "text": known.text, "formula": known.formula, "class": known.class,
                "line": known.line, "state": state, "age": age, "triggered": self.triggered(id),
            })
        };
        let objective = |id: &String| {
            let known = about.objectives.iter().find(|about| about.id == *id).cloned().unwrap_or_default();
            let (covered, distance) = self.objective(id);
            let counts = self.tallies.objectives.get(id).copied().unwrap_or_default();
            json!({
                "id": id, "text": known.text, "goal": known.goal, "line": known.line, "covered": covered,
                "distance": distance, "runs": counts.runs, "steps": counts.steps,
            })
        };
        let none = Vec::new();
        let report = |key: &str| self.report.as_ref().map_or(Value::Null, |report| report[key].clone());
        let visits = &self.visits.1;
        let pictures =
            about.pictures.iter().enumerate().map(|(at, picture)| {
                self.picture_data(picture, visits.get(at).unwrap_or(&Visits::default()))
            });
        json!({
            "live": live,
            "over": self.is_over(),
            "verdict": self.verdict(),
            "headline": self.headline(),
            "specification": about.specification,
            "program": about.program,
            "command": self.command(),
            "strategy": self.strategy,
            "seed": self.seed,
            "runs": self.tallies.runs.max(self.progress.runs),
            "steps": self.tallies.steps.max(self.progress.steps),
            "resets": self.tallies.resets,
            "seconds": self.seconds(),
            "doing": self.doing,
            "quiet": self.progress.quiet,
            "requirements": self.requirements.iter().map(requirement).collect::<Vec<_>>(),
            "assumptions": about.assumptions,
            "objectives": self.objectives.iter().map(objective).collect::<Vec<_>>(),
            "coverage": report("coverage"),
            "note": report("note"),
            "findings": self.findings.iter().take(SHOWN_FINDINGS).map(|one| self.finding_data(one)).collect::<Vec<_>>(),
            "pictures": pictures.collect::<Vec<_>>(),
            "counted_steps": self.visits.0,
            "plots": self.plot(),
            "warnings": if self.warnings.is_empty() { &none } else { &self.warnings },
        })
    }

    fn finding_data(&self, finding: &Finding) -> Value {
        let from = finding.trace.len().saturating_sub(SHOWN_STEPS);
        let shown = &finding.trace[from..];
        let states =
            self.about.pictures.iter().find(|picture| picture.of == finding.of).and_then(|picture| {
                let path = finding.story.paths.get(&picture.of)?;
                let label =
                    |&node: &u32| picture.nodes.get(node as usize).map_or("", |spot| &spot.label).to_owned();
                Some(path.iter().skip(from + 1).map(label).collect::<Vec<String>>())
            });
        let verdicts: serde_json::Map<String, Value> = finding
            .story
            .verdicts
            .iter()
            .map(|(id, lane)| (id.clone(), lane.chars().skip(from).collect::<String>().into()))
            .collect();
        json!({
            "kind": finding.kind,
            "of": finding.of,
            "error": finding.error.as_deref().map(super::words::line),
            "explanation": finding.story.explanation,
            "waves": self.waves(finding, from),
            "trace": shown,
            "from": from,
            "unanswered": finding.unanswered,
            "guilty": finding.guilty_step(),
            "loop_from": finding.loop_from,
            "verdicts": verdicts,
            "states": states,
            "stderr": finding.stderr.iter().map(|said| super::words::line(said)).collect::<Vec<_>>(),
            "tries": if finding.kind == Kind::Covered { String::new() } else { finding.tries() },
            "original_steps": finding.original_steps,
            "saved": finding.saved,
            "replay": self.replay_command(finding),
        })
    }

    /// Each signal with its kind and its values, one a step; empty where letters are labels.
    fn waves(&self, finding: &Finding, from: usize) -> Value {
        let Ok((interface, trace)) = self.letters(finding) else { return Value::Array(Vec::new()) };
        if interface.has_labels() {
            return Value::Array(Vec::new());
        }
        let shown = trace.get(from..).unwrap_or_default();
        let lane = |side: &str, alphabet: &Alphabet, at: usize, field: &Field| {
            let of = |step: &Step| if side == "input" { step.input } else { step.output };
            let values: Vec<String> = shown.iter().map(|step| alphabet.value_shown(of(step), at)).collect();
            let kind = match field.bounds() {
                Some(_) => "number",
                None if field.is_real() => "number",
                None if field.is_boolean() => "bool",
                None => "name",
            };
            json!({ "name": field.name(), "side": side, "kind": kind, "values": values })
        };
        let lanes = |side: &'static str, alphabet: &Alphabet| -> Vec<Value> {
            alphabet.fields().iter().enumerate().map(|(at, field)| lane(side, alphabet, at, field)).collect()
        };
        [lanes("input", &interface.inputs), lanes("output", &interface.outputs)].concat().into()
    }

    fn picture_data(&self, picture: &Picture, visits: &Visits) -> Value {
        let shown = self.shown(picture, visits);
        let place: rustc_hash::FxHashMap<usize, usize> =
            shown.iter().enumerate().map(|(place, &at)| (at, place)).collect();
        let edges: Vec<(usize, usize, u64)> = visits
            .edges
            .iter()
            .filter_map(|&(from, to, count)| {
                Some((*place.get(&(from as usize))?, *place.get(&(to as usize))?, count))
            })
            .collect();
        let marks: Vec<Option<Mark>> =
            shown.iter().filter_map(|&at| picture.nodes.get(at)).map(|spot| spot.mark).collect();
        let path = self.findings.iter().find_map(|finding| finding.story.paths.get(&picture.of));
        json!({
            "of": picture.of,
            "states": picture.states,
            "shown": shown.len(),
            "all": picture.nodes.len(),
            "counted": picture.counted,
            "grows": picture.grows,
            "svg": if shown.is_empty() { String::new() } else { picture.graph(&shown).to_svg() },
            "nodes": shown.iter().map(|&at| visits.nodes.get(at).copied().unwrap_or(0)).collect::<Vec<u64>>(),
            "visited": visits.nodes.iter().filter(|&&count| count > 0).count(),
            "marks": marks,
            "edges": edges,
            "path": path.map(|path| path.iter().filter_map(|&at| place.get(&(at as usize)).copied()).collect::<Vec<_>>()),
        })
    }

    /// The nodes that are drawn: all, or those near the trace, or else those that were visited most.
    fn shown(&self, picture: &Picture, visits: &Visits) -> Vec<usize> {
        let all = picture.nodes.len();
        if all <= SHOWN_NODES {
            return (0..all).collect();
        }
        let path = self.findings.iter().find_map(|finding| finding.story.paths.get(&picture.of));
        let mut near: indexmap::IndexSet<usize> = match path {
            Some(path) => path.iter().rev().map(|&at| at as usize).filter(|&at| at < all).collect(),
            None => {
                let mut by_count: Vec<usize> = (0..all).collect();
                by_count.sort_by_key(|&at| std::cmp::Reverse(visits.nodes.get(at).copied().unwrap_or(0)));
                picture.starts.iter().copied().chain(by_count).take(NEAR / 2).collect()
            }
        };
        near.truncate(NEAR);
        let mut next = 0;
        while next < near.len() && near.len() < NEAR {
            let at = near[next];
            let around = picture.edges.iter().filter_map(|&(from, to, _)| match (from == at, to == at) {
                (true, _) => Some(to),
                (_, true) => Some(from),
                _ => None,
            });
            for other in around.collect::<Vec<_>>() {
                if near.len() < NEAR && other < all {
                    near.insert(other);
                }
            }
            next += 1;
        }
        let mut shown: Vec<usize> = near.into_iter().collect();
        shown.sort_unstable();
        shown
    }
}

/// The page around its data. In it no text can end the element that it stands in.
fn with_data(account: &Account, data: &Value) -> String {
    let data = data
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    let title = super::words::xml(&super::words::line(&account.headline()));
    let (before, rest) = PAGE.split_once("/*STYLE*/").unwrap_or((PAGE, ""));
    let (between, rest) = rest.split_once("/*DATA*/").unwrap_or((rest, ""));
    let (behind, end) = rest.split_once("/*SCRIPT*/").unwrap_or((rest, ""));
    let (before, between) = (before.replace("<!--TITLE-->", &title), between.replace("<!--TITLE-->", &title));
    [&before, STYLE, &between, &data, behind, SCRIPT, end].concat()
}
