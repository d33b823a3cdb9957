//! Goals that are to be met again and again, followed one round at a time.

use rustc_hash::FxHashSet;

use crate::ltl::forms::{FALSE, Form, Forms, Id, TRUE};

/// The forms `G F a` of which a tableau may follow one round at a time: wait for an `a`, see it through to its
/// end, wait for the next.
///
/// That is enough where some finite part of a run shows that `a` held: of infinitely many such parts, infinitely
/// many do not overlap. A plain tableau may begin a new `a` in every step and has a state for each set of those
/// under way: `G F(a <-> X X X a)` has 3^3 then, and 2 * 3 + 1 this way.
///
/// Only where the goal is the whole formula: beside others, a choice that waits could be taken for one that asks
/// for no more than one that has begun a round, and no round would ever end.
pub(crate) fn rounds(forms: &Forms, form: Id) -> FxHashSet<Id> {
    goal(forms, form).map(|_| form).into_iter().collect()
}

/// The `a` of `G F a`, if it is shown by finitely many steps, more than one.
fn goal(forms: &Forms, form: Id) -> Option<Id> {
    let Form::Unless(again, FALSE) = *forms.get(form) else { return None };
    let Form::Until(TRUE, goal) = *forms.get(again) else { return None };
    let traits = forms.traits(goal);
    (traits.guarantee && !traits.boolean && !forms.finite()).then_some(goal)
}
