//! The user is the system, and loses.

use std::io::BufRead;

use anyhow::Result;
use provoke::automaton::show_guard;
use provoke::specification::Specification;
use provoke::verify::synthesis::{Play, Spoiler};

use crate::output::say;

/// Plays line by line: the environment's input, what every answer comes to, and then the user's answer; until a
/// requirement is broken or there are no more answers.
pub(super) fn play(
    specification: &Specification,
    spoiler: &mut Spoiler,
    ids: impl Fn(&[usize]) -> Vec<String>,
) -> Result<()> {
    let interface = specification.interface();
    say("you are the system; an answer is a line such as ")?;
    say(format_args!("`{}`\n", interface.outputs.show(interface.outputs.simplest())))?;
    let mut lines = std::io::stdin().lock().lines();
    let mut step = 0;
    loop {
        step += 1;
        say(format_args!("{step:>4}  {}\n", interface.inputs.show(spoiler.input())))?;
        for foreseen in spoiler.foreseen() {
            let guard = show_guard(&specification.space, &foreseen.outputs);
            match &ids(&foreseen.breaks)[..] {
                [] => say(format_args!("        {guard}: the game goes on\n"))?,
                broken => say(format_args!("        {guard}: breaks {}\n", broken.join(", ")))?,
            }
        }
        let answer = loop {
            let Some(line) = lines.next().transpose()? else { return say("no more answers\n") };
            match interface.outputs.parse(line.trim()) {
                Ok(answer) => break answer,
                Err(error) => say(format_args!("        {error}; try again\n"))?,
            }
        };
        if let Play::Broken(broken) = spoiler.answer(answer) {
            let steps = provoke::report::count(step, "step");
            let waiting = match spoiler.bound() {
                None => String::new(),
                Some(bound) => format!(", kept waiting more than {bound} times"),
            };
            return say(format_args!(
                "you lose after {steps}: {} broken{waiting}\n",
                ids(&broken).join(", ")
            ));
        }
    }
}
