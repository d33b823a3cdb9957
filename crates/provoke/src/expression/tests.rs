mod generate;
mod messages;
mod naive;

use std::collections::{BTreeMap, BTreeSet};

use generate::{Generator, Sort};
use naive::{Names, Value, Wrong};

use super::*;
use crate::rng::Rng;

fn small(low: i64, high: i64) -> Scalar {
    Scalar::Integer { low, high }
}

/// The names that the tests' expressions speak of.
pub(super) fn scope() -> Scope {
    let mut scope = Scope::new();
    let values = ["red", "green", "blue"].map(Into::into).to_vec();
    let colour = scope.enumeration(Enumeration { name: "Colour".into(), values }).unwrap();
    let colour = Scalar::Enumeration(colour);
    scope.define("Digit", Type::Scalar(small(0, 9))).unwrap();
    scope.constant("TEN", Type::Scalar(small(10, 10)), [10].into()).unwrap();
    let inner = Type::Map(Scalar::Boolean, Box::new(Type::Scalar(small(0, 5))));
    for (name, of) in [
        ("a", Type::BOOLEAN),
        ("b", Type::BOOLEAN),
        ("n", Type::INTEGER),
        ("k", Type::Scalar(small(0, 9))),
        ("j", Type::Scalar(small(-3, 3))),
        ("c", Type::Scalar(colour.clone())),
        ("s", Type::Set(Some(small(0, 9)))),
        ("t", Type::Set(Some(small(-70, 70)))),
        ("u", Type::Set(Some(colour.clone()))),
        ("m", Type::Map(small(0, 9), Box::new(Type::INTEGER))),
        ("w", Type::Map(colour, Box::new(inner))),
        ("v", Type::Map(small(0, 3), Box::new(Type::Set(Some(small(0, 9)))))),
    ] {
        scope.variable(name, of).unwrap();
    }
    scope
}

/// Random words of a type.
fn random(of: &Type, rng: &mut Rng, words: &mut Vec<i64>) {
    match of {
        Type::Scalar(Scalar::INTEGER) => {
            let most = [3, 100, i64::MAX][rng.index(3)];
            words.push(rng.bits() as i64 % most);
        }
        Type::Scalar(of) => {
            let (low, high) = of.bounds();
            words.push(low + rng.below((high - low + 1) as u64) as i64);
        }
        Type::Set(of) => {
            let size = of.as_ref().and_then(Scalar::size).unwrap() as usize;
            let start = words.len();
            words.resize(start + of.as_ref().unwrap().set_words(), 0);
            (0..size).filter(|_| rng.chance(0.3)).for_each(|bit| words[start + bit / 64] |= 1 << (bit % 64));
        }
        Type::Map(key, value) => (0..key.size().unwrap()).for_each(|_| random(value, rng, words)),
    }
}

/// What words mean.
fn value(of: &Type, words: &[i64]) -> Value {
    let scalar = |of: &Scalar, word: i64| match of {
        Scalar::Boolean => Value::Boolean(word == 1),
        Scalar::Integer { .. } => Value::Integer(word),
        Scalar::Enumeration(_) => Value::Enumerated(word as usize),
    };
    match of {
        Type::Scalar(of) => scalar(of, words[0]),
        Type::Set(None) => Value::Set(BTreeSet::new()),
        Type::Set(Some(of)) => {
            let low = of.bounds().0;
            let has = |bit: &u64| words[(bit / 64) as usize] >> (bit % 64) & 1 == 1;
            Value::Set((0..of.size().unwrap()).filter(has).map(|bit| scalar(of, low + bit as i64)).collect())
        }
        Type::Map(key, of) => {
            let entries = words.chunks(of.width()).zip(key.bounds().0..);
            Value::Map(entries.map(|(words, word)| (scalar(key, word), value(of, words))).collect())
        }
    }
}

/// A random state of the tests' scope, as words and as names.
fn state(rng: &mut Rng) -> (Vec<i64>, Names) {
    let scope = scope();
    let mut words = vec![0; scope.width()];
    let mut names: Names = BTreeMap::new();
    for name in scope.known() {
        match scope.meaning(name) {
            Some(Meaning::Variable { at, of }) => {
                let mut own = Vec::new();
                random(of, rng, &mut own);
                assert_eq!(own.len(), of.width());
                names.insert(name.into(), value(of, &own));
                words[*at..*at + own.len()].copy_from_slice(&own);
            }
            Some(Meaning::Constant { words, of }) => {
                names.insert(name.into(), value(of, words));
            }
            _ => {}
        }
    }
    names.insert("Digit".into(), Value::Set((0..10).map(Value::Integer).collect()));
    names.insert("Colour".into(), Value::Set((0..3).map(Value::Enumerated).collect()));
    for (number, colour) in ["red", "green", "blue"].into_iter().enumerate() {
        names.insert(colour.into(), Value::Enumerated(number));
    }
    (words, names)
}

/// Whether a well-typed expression may be refused.
fn may_refuse(message: &str) -> bool {
    ["always overflows", "divides by zero", "is no key", "the elements of this set", "has no element"]
        .iter()
        .any(|allowed| message.contains(allowed))
}

/// Evaluates one random expression in a few random states both ways; false where it was refused.
fn agrees(seed: u64) -> bool {
    let mut generator = Generator::new(seed);
    let sort = [Sort::Boolean, Sort::Integer, Sort::Set, Sort::Colour][(seed % 4) as usize];
    let expression = generator.typed(sort, 4);
    let source = Source::new("random", expression.to_string());
    let expression = parse(&source.text).unwrap();
    let code = match expression.compile(&source, &scope(), None) {
        Ok(code) => code,
        Err(error) if may_refuse(error.message()) => return false,
        Err(error) => panic!("{error}"),
    };
    let mut machine = Machine::new();
    for _ in 0..4 {
        let (words, names) = state(&mut generator.rng);
        let expected = naive::evaluate(&expression, &names);
        let found = code.evaluate(&mut machine, &words, &[]);
        match (&expected, &found) {
            (Ok(expected), Ok(found)) => {
                assert_eq!(*expected, value(code.of(), found), "{expression}");
                if let Some(always) = code.always() {
                    assert_eq!(*expected, Value::Boolean(always), "{expression}");
                }
            }
            (Err(expected), Err(found)) => {
                let found = match found.what {
                    FaultKind::Overflow => Wrong::Overflow,
                    FaultKind::DivisionByZero => Wrong::DivisionByZero,
                    FaultKind::NoKey { .. } => Wrong::NoKey,
                    FaultKind::EmptySet => Wrong::EmptySet,
                    other => panic!("{expression}: {other}"),
                };
                assert_eq!(*expected, found, "{expression}");
            }
            _ => panic!("{expression}: {expected:?}, but {found:?}"),
        }
    }
    true
}

#[test]
fn code_agrees_with_the_tree() {
    // Nearly all are compiled; those that are refused always fault.
    let compiled = (0..4_000).filter(|&seed| agrees(seed)).count();
    assert!(compiled > 3_000, "{compiled}");
}

#[test]
fn what_is_shown_reads_back() {
    for seed in 0..20_000 {
        let expression = Generator::new(seed).any(5);
        let text = expression.to_string();
        match parse(&text) {
            Ok(again) => assert_eq!(again, expression, "{text}"),
            Err(error) => panic!("{text}: {error}"),
        }
    }
}

proptest::proptest! {
    #[test]
    fn code_agrees_with_the_tree_for_any_seed(seed: u64) {
        agrees(seed);
    }

    #[test]
    fn no_text_is_too_strange(text in "([a-d]|all x in |some |count |in|if |then|else|not |mod|\\.\\.|[-+*/(){}\\[\\],:|&!<>=\"^\\\\]|[0-9]{1,20}| |\\PC){0,40}") {
        if let Ok(expression) = parse(&text) {
            assert_eq!(parse(&expression.to_string()).unwrap(), expression);
            let source = Source::new("strange", &*text);
            if let Ok(code) = expression.compile(&source, &scope(), None) {
                let (words, _) = state(&mut Rng::new(1));
                let _ = code.evaluate(&mut Machine::new(), &words, &[]);
            }
        }
    }
}

#[test]
fn depth_is_bounded_and_length_is_not() {
    // On half of the stack that a thread has by default.
    let body = || {
        let refused = |text: String| parse(&text).unwrap_err().message().to_owned();
        let deep = format!("this expression is nested more than {MAX_DEPTH} deep");
        for open in [
            "(",
            "-(",
            "!",
            "not (",
            "{",
            "m[",
            "min(",
            "1 + (",
            "if ",
            "if a then ",
            "all x in ",
            "a -> ",
            "1 + ",
        ] {
            assert_eq!(refused(open.repeat(100_000)), deep, "{open}");
        }
        assert_eq!(refused(format!("n{}", " + n".repeat(100_000))), deep);
        let scope = scope();
        let run = |text: String| {
            let source = Source::new("t", text);
            let code = parse(&source.text).unwrap().compile(&source, &scope, None).unwrap();
            code.word(&mut Machine::new(), &vec![0; scope.width()], &[])
        };
        assert_eq!(run(format!("n{}", " + 1".repeat(MAX_DEPTH - 1))), Ok(MAX_DEPTH as i64 - 1));
        let nested = "(1 + ".repeat(MAX_DEPTH - 1) + "n" + &")".repeat(MAX_DEPTH - 1);
        assert_eq!(run(nested), Ok(MAX_DEPTH as i64 - 1));
        assert_eq!(run(format!("!a{}", " & !a".repeat(100_000))), Ok(1));
        let choice = "if a then 1 else (".repeat(MAX_DEPTH - 1) + "n" + &")".repeat(MAX_DEPTH - 1);
        let again = parse(&choice).unwrap();
        assert_eq!(parse(&again.to_string()).unwrap(), again);
        assert_eq!(run(choice), Ok(0));
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(body).unwrap().join().unwrap();
}

#[test]
fn a_value_that_becomes_one_of_a_type_is_checked() {
    let scope = scope();
    let run = |text: &str, of: &Type, k: i64, n: i64| {
        let source = Source::new("t", text);
        let code = parse(&source.text).unwrap().compile(&source, &scope, Some(of)).unwrap();
        let mut words = vec![0; scope.width()];
        (words[2], words[3]) = (n, k);
        let shown = code.evaluate(&mut Machine::new(), &words, &[]).map(|words| of.show(words).to_string());
        shown.map_err(|fault| format!("{}: {fault}", &text[fault.span.clone()]))
    };
    let digit = Type::Scalar(small(0, 9));
    assert_eq!(run("k + 1", &digit, 8, 0), Ok("9".into()));
    assert_eq!(run("k + 1", &digit, 9, 0), Err("k + 1: 10 is outside 0..9".into()));
    let digits = Type::Set(Some(small(0, 9)));
    assert_eq!(run("{k} union {n, 3}", &digits, 1, 5), Ok("{1, 3, 5}".into()));
    assert_eq!(run("{k} union {n, 3}", &digits, 1, 50), Err("n: 50 is outside 0..9".into()));
    assert_eq!(run("k - 1..k + 1", &digits, 4, 0), Ok("{3, 4, 5}".into()));
    assert_eq!(run("k - 1..k + 1", &digits, 0, 0), Err("k - 1..k + 1: -1 is outside 0..9".into()));
    assert_eq!(run("if n > 3 then {} else {n}", &digits, 0, 70), Ok("{}".into()));
    let map = Type::Map(small(0, 2), Box::new(Type::Scalar(small(0, 20))));
    assert_eq!(run("[x in 0..2 : x * n]", &map, 0, 10), Ok("[0: 0, 1: 10, 2: 20]".into()));
    assert_eq!(run("[x in 0..2 : x * n]", &map, 0, 11), Err("x * n: 22 is outside 0..20".into()));
    let sets = Type::Map(Scalar::Boolean, Box::new(digits));
    assert_eq!(run("[x in bool : if x then {k} else {}]", &sets, 7, 0), Ok("[false: {}, true: {7}]".into()));
}

#[test]
fn faults_name_the_part() {
    let scope = scope();
    let fault = |text: &str| {
        let source = Source::new("t", text);
        let code = parse(&source.text).unwrap().compile(&source, &scope, None).unwrap();
        let mut words = vec![0; scope.width()];
        words[2] = i64::MAX;
        let fault = code.evaluate(&mut Machine::new(), &words, &[]).unwrap_err();
        (text[fault.span.clone()].to_owned(), fault.what)
    };
    assert_eq!(fault("1 + (n + k * 2 + 1)"), ("(n + k * 2 + 1)".into(), FaultKind::Overflow));
    assert_eq!(fault("a | 7 / k > 1"), ("7 / k".into(), FaultKind::DivisionByZero));
    assert_eq!(fault("7 mod j"), ("7 mod j".into(), FaultKind::DivisionByZero));
    let no_key = FaultKind::NoKey { key: -1, low: 0, high: 9 };
    assert_eq!(fault("m[k - 1] = 3"), ("k - 1".into(), no_key));
    assert_eq!(fault("min(s)"), ("min(s)".into(), FaultKind::EmptySet));
    assert_eq!(
        fault("all x in 0..n : x > 3"),
        ("0..n".into(), FaultKind::LongRange { low: 0, high: i64::MAX })
    );
    let long = "count x in 0..65535 : some y in 0..65535 : x + y < 0";
    assert_eq!(fault(long).1, FaultKind::TooLong);
}
