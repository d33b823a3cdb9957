use super::catalogue::{Kind, Scope};
use super::*;
use crate::ltl::{holds_for_ever, holds_on};
use crate::rng::Rng;

fn shown(sentence: &str) -> String {
    parse(sentence).unwrap_or_else(|error| panic!("{error}")).formula.to_string()
}

#[test]
fn sentences_become_formulas() {
    for (sentence, formula) in [
        ("Globally, it is never the case that {p} holds.", "G !p"),
        ("it is always the case that p", "G p"),
        ("Globally, p eventually holds", "F p"),
        ("eventually p & X !s holds within three steps", "F[0:3](p & X !s)"),
        (
            "After alarm, it is always the case that if button holds then stop holds within 3 steps",
            "!alarm W (alarm & G(button -> F[0:3] stop))",
        ),
        ("Between q and r, p eventually holds", "G(q & !r & F r -> (!r U (p & !r)))"),
        ("After q until r, p never holds.", "G(q & !r -> (!p W r))"),
        ("Before r, if p holds then s previously held", "F r -> (!p W (s | r))"),
        ("if p has occurred, then in response s eventually holds", "G(p -> F s)"),
        ("If {a and not b} holds, then {x or (y U z)} holds as well.", "G(a & !b -> x | (y U z))"),
        ("transitions to states in which p holds occur at most twice", "!p W (p W (!p W (p W G !p)))"),
        ("transitions to states in which p holds occur at most 1 time", "!p W (p W G !p)"),
        ("if p holds then it must have been the case that s has occurred before it", "!p W s"),
    ] {
        assert_eq!(shown(sentence), formula, "{sentence}");
    }
}

#[test]
fn wordings_agree() {
    for same in [
        &[
            "if p holds, then s eventually holds",
            "Globally, it is always the case that if p holds then s eventually holds",
            "if p has occurred then in response s eventually holds",
        ][..],
        &[
            "if s holds and is succeeded by t, then p previously held",
            "if s and afterwards t hold, then it must have been the case that p has occurred before it",
        ],
        &[
            "if p holds, then t previously held and was preceded by s",
            "if p holds, then it must have been the case that s and afterwards t have occurred before it",
        ],
        &[
            "if p holds, then s eventually holds and is succeeded by t",
            "if p has occurred, then in response s followed by t eventually holds",
        ],
        &[
            "it is always the case that if s holds and is succeeded by t, then p eventually holds after t",
            "if s followed by t have occurred, then in response p eventually holds",
        ],
        &["if p holds then s holds within 2 steps", "if p holds then s holds after at most two steps"],
    ] {
        for sentence in same {
            assert_eq!(shown(sentence), shown(same[0]), "{sentence}");
        }
    }
}

#[test]
fn errors_point_at_the_fault() {
    let error = |sentence: &str| {
        let error = parse(sentence).unwrap_err();
        assert!(!error.to_string().is_empty());
        (error.message().to_owned(), error.line_column().map(|(_, column)| column))
    };
    let expected = "expected `never`, `always`, `eventually`, `holds` or `occurs`, found the end";
    assert_eq!(error("Globally, p"), (expected.into(), Some(12)));
    assert_eq!(
        error("After a, if b holds then c"),
        ("expected `previously`, `eventually`, `holds` or `is`, found the end".into(), Some(27))
    );
    assert_eq!(
        error("Between a and b and c, p eventually holds"),
        ("this sentence can be read in more than one way".into(), Some(1))
    );
    assert_eq!(error("Before {a & }, p never holds").0, "expected a formula after `&`");
    assert_eq!(error("Before (a, p never holds").0, "this `(` is never closed");
    assert_eq!(error("").0, "there is no sentence here");
    assert_eq!(
        error("it is never the case that a b holds"),
        ("expected an operator before `b`".into(), Some(29))
    );
    assert_eq!(error("p eventually holds within 99999999999 steps").0, "4294967295 is too many");
    assert_eq!(
        error("transitions to states in which p holds occur at most 1001 times").0,
        "1001 is too many"
    );
    assert_eq!(
        error("if s holds and is succeeded by t then p eventually holds after s").0,
        "a response comes after the last of its stimuli"
    );
    let help = parse("Globally, p").unwrap_err();
    assert!(help.help_text().is_some_and(|help| help.contains("After q until r")), "{help}");
    let reserved = parse("Globally, is eventually holds").unwrap_err();
    assert!(reserved.message().contains("a signal of that name is written {is}"), "{reserved}");
    assert_eq!(shown("Globally, {is} eventually holds"), "F is");
}

#[test]
fn an_interface_says_which_names_there_are() {
    let space = Space::new(crate::letter::Interface::signals(["alarm"], ["stop"]).unwrap());
    let source = Source::new("r1", "After alarm, stob eventually holds");
    let error = parse_in(&source, 0..source.text.len(), Some(&space)).unwrap_err();
    assert_eq!(
        (error.message(), error.help_text()),
        ("unknown proposition `stob`", Some("did you mean `stop`?"))
    );
    assert_eq!(error.line_column(), Some((1, 14)));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(
        text in "((after|After|if|then|holds|and|it|is|always|the|case|that|until|between|p|q|within|3|steps|never|eventually|[{}()\",.&!é]) ?){0,14}"
    ) {
        if let Err(error) = parse(&text) {
            proptest::prop_assert!(matches!(error.line_column(), Some((1, _))), "{error}");
        }
    }
}

/// A trace over `p s t q r`, one bit each: finite, or repeating from a step on.
struct Word {
    letters: Vec<u8>,
    back: Option<usize>,
}

const NAMES: [&str; 5] = ["p", "s", "t", "q", "r"];

impl Word {
    fn is(&self, which: usize, at: usize) -> bool {
        let at = match self.back {
            Some(back) if at >= self.letters.len() => back + (at - back) % (self.letters.len() - back),
            _ => at,
        };
        self.letters[at] >> which & 1 == 1
    }

    /// Steps from `from` on: all of a finite trace; of an infinite one enough to see every later step's like.
    fn from(&self, from: usize) -> std::ops::Range<usize> {
        match self.back {
            None => from..self.letters.len().max(from),
            Some(_) => from..from + self.letters.len(),
        }
    }

    fn value(letter: &u8, name: &str) -> bool {
        NAMES.iter().position(|known| *known == name).is_some_and(|at| letter >> at & 1 == 1)
    }

    fn satisfies(&self, formula: &Formula) -> bool {
        match self.back {
            None => holds_on(formula, &self.letters, Word::value),
            Some(back) => holds_for_ever(formula, &self.letters[..back], &self.letters[back..], Word::value),
        }
    }
}

const P: usize = 0;
const S: usize = 1;
const T: usize = 2;
const Q: usize = 3;
const R: usize = 4;

/// The stretches a scope speaks of: first step, and the step behind the last where there is one.
fn stretches(word: &Word, scope: Scope) -> Vec<(usize, Option<usize>)> {
    let first = |which: usize, from: usize| word.from(from).find(|&at| word.is(which, at));
    let opened = || word.from(0).filter(|&at| word.is(Q, at) && !word.is(R, at));
    match scope {
        Scope::Globally => vec![(0, None)],
        Scope::Before => first(R, 0).map(|end| (0, Some(end))).into_iter().collect(),
        Scope::After => first(Q, 0).map(|start| (start, None)).into_iter().collect(),
        Scope::Between => opened().filter_map(|at| first(R, at).map(|end| (at, Some(end)))).collect(),
        Scope::AfterUntil => opened().map(|at| (at, first(R, at))).collect(),
    }
}

/// What the sentence says about one stretch, in words about its steps.
fn says(word: &Word, (start, end): (usize, Option<usize>), kind: Kind, number: Option<u32>) -> bool {
    let steps = |from: usize| match end {
        Some(end) => from..end.max(from),
        None => word.from(from),
    };
    let is = |which: usize, at: usize| word.is(which, at);
    let some = |which: usize, from: usize| steps(from).any(|at| is(which, at));
    let so_far = |which: usize, at: usize| (start..=at).any(|earlier| is(which, earlier));
    let soon = |which: usize, from: usize| match number {
        None => some(which, from),
        Some(most) => (from..=from + most as usize).any(|at| {
            let inside = end.is_none_or(|end| at < end) && (word.back.is_some() || at < word.letters.len());
            inside && is(which, at)
        }),
    };
    match kind {
        Kind::Absence => steps(start).all(|at| !is(P, at)),
        Kind::Universality => steps(start).all(|at| is(P, at)),
        Kind::Existence => soon(P, start),
        Kind::BoundedExistence => {
            // Steps where p begins to hold; a cycle that has one has it in each of its rounds.
            let most = number.unwrap_or(0) as usize;
            let last = if end.is_none() && word.back.is_some() {
                start + word.letters.len() * (most + 3)
            } else {
                steps(start).end
            };
            (start..last).filter(|&at| is(P, at) && (at == start || !is(P, at - 1))).count() <= most
        }
        Kind::Precedence => steps(start).all(|at| !is(P, at) || so_far(S, at)),
        Kind::CauseOfChain => steps(start).all(|at| !(is(S, at) && some(T, at + 1)) || so_far(P, at)),
        Kind::ChainOfCauses => steps(start).all(|at| {
            !is(P, at)
                || (start..at).any(|first| is(S, first) && (first + 1..=at).any(|second| is(T, second)))
        }),
        Kind::Response => steps(start).all(|at| !is(P, at) || soon(S, at)),
        Kind::ChainOfResponses => {
            steps(start).all(|at| !is(P, at) || steps(at).any(|first| is(S, first) && some(T, first + 1)))
        }
        Kind::ResponseToChain => steps(start)
            .all(|first| !is(S, first) || steps(first + 1).all(|second| !is(T, second) || some(P, second))),
        Kind::Invariant => match number {
            None => steps(start).all(|at| !is(P, at) || is(S, at)),
            Some(_) => steps(start).all(|at| !is(P, at) || soon(S, at)),
        },
    }
}

const SENTENCES: &[(Kind, Option<u32>, &str)] = &[
    (Kind::Absence, None, "it is never the case that p holds"),
    (Kind::Universality, None, "it is always the case that p holds"),
    (Kind::Existence, None, "p eventually holds"),
    (Kind::Existence, Some(0), "p eventually holds within 0 steps"),
    (Kind::Existence, Some(2), "p eventually holds within 2 steps"),
    (Kind::BoundedExistence, Some(0), "transitions to states in which p holds occur at most 0 times"),
    (Kind::BoundedExistence, Some(1), "transitions to states in which p holds occur at most once"),
    (Kind::BoundedExistence, Some(2), "transitions to states in which p holds occur at most twice"),
    (Kind::Precedence, None, "it is always the case that if p holds then s previously held"),
    (Kind::CauseOfChain, None, "if s holds and is succeeded by t, then p previously held"),
    (Kind::ChainOfCauses, None, "if p holds, then t previously held and was preceded by s"),
    (Kind::Response, None, "if p has occurred then in response s eventually holds"),
    (Kind::Response, Some(1), "if p has occurred then in response s eventually holds within 1 step"),
    (Kind::ChainOfResponses, None, "if p holds, then s eventually holds and is succeeded by t"),
    (Kind::ResponseToChain, None, "if s holds and is succeeded by t, then p eventually holds"),
    (Kind::Invariant, None, "it is always the case that if p holds then s holds as well"),
    (Kind::Invariant, Some(2), "it is always the case that if p holds then s holds within 2 steps"),
];

const OPENINGS: &[(Scope, &str)] = &[
    (Scope::Globally, "Globally, "),
    (Scope::Before, "Before r, "),
    (Scope::After, "After q, "),
    (Scope::Between, "Between q and r, "),
    (Scope::AfterUntil, "After q until r, "),
];

/// All short words over the named letters, then longer ones at random.
fn words(used: &[usize], mut judge: impl FnMut(&Word)) {
    let letters: Vec<u8> = (0..1u8 << used.len())
        .map(|code| used.iter().enumerate().fold(0, |letter, (at, bit)| letter | (code >> at & 1) << bit))
        .filter(|letter| used.len() < 5 || letter.count_ones() <= 2)
        .collect();
    let mut length = 1;
    while letters.len().pow(length as u32) * (length + 1) <= 12_000 {
        for code in 0..letters.len().pow(length as u32) {
            let digits = (0..length).map(|at| letters[code / letters.len().pow(at as u32) % letters.len()]);
            let letters: Vec<u8> = digits.collect();
            for back in (0..length).map(Some).chain([None]) {
                judge(&Word { letters: letters.clone(), back });
            }
        }
        length += 1;
    }
    let mut rng = Rng::new(used.len() as u64);
    for _ in 0..2_000 {
        let length = length + rng.index(8);
        let back = rng.index(length + 1);
        // Long stretches are of interest, so their ends are rare.
        let mut letter = || letters[rng.index(letters.len())] & if rng.chance(0.8) { !(1 << R) } else { !0 };
        let letters = (0..length).map(|_| letter()).collect();
        judge(&Word { letters, back: (back < length).then_some(back) });
    }
}

#[test]
fn every_pattern_means_what_it_says() {
    let mut judged = 0;
    for (kind, number, body) in SENTENCES {
        for (scope, opening) in OPENINGS {
            let sentence = format!("{opening}{body}");
            let formula = parse(&sentence).unwrap().formula;
            let names = formula.propositions();
            let used: Vec<usize> =
                (0..5).filter(|&at| names.iter().any(|name| **name == *NAMES[at])).collect();
            let (mut holds, mut fails) = (0, 0);
            words(&used, |word| {
                let said =
                    stretches(word, *scope).into_iter().all(|stretch| says(word, stretch, *kind, *number));
                let found = word.satisfies(&formula);
                assert_eq!(found, said, "{sentence}: {formula} on {:?} from {:?}", word.letters, word.back);
                *(if found { &mut holds } else { &mut fails }) += 1;
            });
            assert!(holds > 20 && fails > 20, "{sentence}: {holds} words fit, {fails} do not");
            judged += holds + fails;
        }
    }
    assert!(judged > 300_000, "{judged}");
}

#[test]
fn chains_may_be_longer() {
    assert_eq!(
        shown("if p holds, then s eventually holds and is succeeded by t and is succeeded by u"),
        "G(p -> F(s & XF(t & XF u)))"
    );
    assert_eq!(
        shown("if s followed by t followed by u have occurred, then in response p eventually holds"),
        "G(s -> NG(t -> NG(u -> F p)))"
    );
}

/// Formulas of the published tables that do not mean what their sentences say, each with a word that tells.
#[test]
fn published_tables_are_not_copied() {
    let differs = |sentence: &str, published: &str, letters: &[u8], back: usize| {
        let word = Word { letters: letters.to_vec(), back: Some(back) };
        let published = ltl::parse(published).unwrap().formula;
        assert!(
            word.satisfies(&published) && !word.satisfies(&parse(sentence).unwrap().formula),
            "{sentence}"
        );
    };
    let [p, s, t, q] = [1 << P, 1 << S, 1 << T, 1 << Q];
    // The second t after s goes unanswered.
    let sentence = "if s followed by t have occurred, then in response p eventually holds";
    differs(sentence, "G(s & XF t -> X F(t & F p))", &[s, t, p, t, 0], 4);
    // After the first q, p comes without s; the published formula is content with the second q.
    differs("After q, if p holds then s previously held", "G !q | F(q & (!p W s))", &[q, p, q, 0], 3);
}

#[test]
fn deadlines_in_time() {
    let space = Space::new(crate::letter::Interface::signals(["s", "ms"], ["b"]).unwrap());
    let read = |cycle: Option<u32>, text: &str| {
        let space = Space::new(space.interface().clone()).with_cycle(cycle);
        parse_in(&Source::new("pattern", text), 0..text.len(), Some(&space))
            .map(|parsed| parsed.formula.to_string())
    };
    let globally = |rest: &str| format!("Globally, it is always the case that if s holds then b {rest}");
    for (text, steps) in [
        (globally("holds within 3 steps"), 3),
        (globally("holds within 300 ms"), 3),
        (globally("holds within 350ms"), 3),
        (globally("eventually holds within 2 seconds"), 20),
        (globally("holds after at most 0.1 s"), 1),
        ("Globally, s eventually holds within 500 milliseconds".to_owned(), 5),
    ] {
        let formula = read(Some(100), &text).unwrap();
        assert!(formula.contains(&format!("F[0:{steps}]")), "{text}: {formula}");
    }
    let error = read(None, &globally("holds within 300 ms")).unwrap_err();
    assert_eq!(error.message(), "this is a time, and nothing says how long a step takes");
    assert!(error.help_text().unwrap().contains("cycle_ms"));
    // Units are no words of the language: signals may have their names.
    assert_eq!(read(None, "Globally, it is never the case that ms holds").unwrap(), "G !ms");
}
