//! What states still expect, said below a picture and where the pointer rests.

use super::text::clip;
use super::{Graph, Note};
use crate::automaton::Expected;
use crate::game::explicit::Product;
use crate::game::{Place, State};

/// The most states of one automaton that are listed below a picture.
const LISTED: usize = 60;
/// The longest tooltip, in characters.
const TOOLTIP: usize = 2_000;

const LIVENESS: &str =
    "what must happen some day is not part of the automaton; it is shown as one way to the state left it";

/// Adds to the [picture of an automaton](super::automaton_graph) what each state still expects.
pub fn explain_states(graph: &mut Graph, expected: &Expected) {
    let mut notes = vec![Note::plain("what each state still expects:")];
    for (at, node) in graph.nodes.iter_mut().enumerate().take(expected.formulas.len()) {
        let text = said(expected, at);
        node.tooltip = format!("{}\nexpects {}", node.tooltip, clip(&text, TOOLTIP));
        notes.push(Note { about: node.label.clone(), text });
    }
    add(graph, notes, expected.is_exact);
}

/// Adds to the [picture of a product](super::product_graph) or a [game](super::game_graph) what the states of
/// its components still expect. For each component that is to be explained: its name, and what its states
/// expect.
pub fn explain_components(graph: &mut Graph, product: &Product, components: &[Option<(String, Expected)>]) {
    let mut names: Vec<String> = Vec::new();
    let mut notes: Vec<(Vec<Note>, bool)> = Vec::new();
    for (place, (component, explained)) in product.components().iter().zip(components).enumerate() {
        let automaton = &component.automaton;
        let Some((name, expected)) = explained else {
            names.push(automaton.name.clone().unwrap_or_else(|| "?".to_owned()));
            continue;
        };
        names.push(name.clone());
        let texts: Vec<String> = (0..automaton.states.len()).map(|at| said(expected, at)).collect();
        let mut occurs = vec![false; texts.len()];
        for (at, node) in graph.nodes.iter_mut().enumerate().take(product.states()) {
            let Some(state) = product.component_state(State(at as u32), Place(place)) else { continue };
            occurs[state as usize] = true;
            let room = TOOLTIP.saturating_sub(node.tooltip.chars().count());
            if room > 0 {
                let line = format!("\n{name} expects {}", clip(&texts[state as usize], TOOLTIP / 4));
                node.tooltip.push_str(&clip(&line, room));
            }
        }
        let mut lines = vec![Note::plain(&format!("what the states of {name} still expect:"))];
        for (state, text) in texts.into_iter().enumerate().filter(|(state, _)| occurs[*state]) {
            lines.push(Note { about: automaton.state_name(state as u32), text });
        }
        notes.push((lines, expected.is_exact));
    }
    if names.len() > 1 && !notes.is_empty() {
        graph.notes.push(Note::plain(&format!("states are named after those of {}", names.join(", "))));
    }
    notes.into_iter().for_each(|(lines, is_exact)| add(graph, lines, is_exact));
}

/// Notes under a heading, as many as are worth reading.
fn add(graph: &mut Graph, mut notes: Vec<Note>, is_exact: bool) {
    let more = notes.len().saturating_sub(LISTED + 1);
    if more > 0 {
        notes.truncate(LISTED + 1);
        notes.push(Note::plain(&format!("... and {more} more")));
    }
    if !is_exact {
        notes.push(Note::plain(LIVENESS));
    }
    graph.notes.extend(notes);
}

fn said(expected: &Expected, at: usize) -> String {
    match expected.formulas.get(at) {
        Some(Some(formula)) => formula.to_string(),
        _ => "a formula too long to be written".to_owned(),
    }
}
