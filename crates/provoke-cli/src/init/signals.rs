//! Answers that are values of signals: which signals, and of which types.

/// Each signal with its values, one an answer.
type Values = Vec<(String, Vec<String>)>;

/// How the values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `a=1 b=0`
    Pairs,
    /// `{"a":true,"b":false}`
    Json,
}

/// The signals that all of these answers are about, where they are about the same.
pub(super) fn signals(answers: &[&str]) -> Option<(Form, Values)> {
    let pairs = || answers.iter().map(|answer| pairs(answer)).collect::<Option<Vec<_>>>();
    let objects = || answers.iter().map(|answer| object(answer)).collect::<Option<Vec<_>>>();
    let (form, all) = match (pairs(), objects()) {
        (Some(pairs), _) => (Form::Pairs, pairs),
        (None, Some(objects)) => (Form::Json, objects),
        (None, None) => return None,
    };
    let mut values: Values = all.first()?.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
    for answer in &all {
        if answer.len() != values.len() {
            return None;
        }
        for (name, value) in answer {
            values.iter_mut().find(|(known, _)| known == name)?.1.push(value.clone());
        }
    }
    (!values.is_empty()).then_some((form, values))
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|one| one.is_alphanumeric() || one == '_')
}

fn pairs(answer: &str) -> Option<Vec<(String, String)>> {
    let pair = |word: &str| {
        let (name, value) = word.split_once('=')?;
        (is_name(name) && !value.is_empty()).then(|| (name.to_owned(), value.to_owned()))
    };
    answer.split_whitespace().map(pair).collect()
}

fn object(answer: &str) -> Option<Vec<(String, String)>> {
    let serde_json::Value::Object(object) = serde_json::from_str(answer).ok()? else { return None };
    let pair = |(name, value): (String, serde_json::Value)| {
        let value = match value {
            serde_json::Value::Bool(value) => u8::from(value).to_string(),
            serde_json::Value::Number(value) => value.to_string(),
            serde_json::Value::String(value) => value,
            _ => return None,
        };
        is_name(&name).then_some((name, value))
    };
    object.into_iter().map(pair).collect()
}

/// The type that fits these values, as it is declared; none where no type does.
pub(super) fn declared(values: &[String]) -> Option<String> {
    let is_truth = |value: &String| matches!(value.as_str(), "0" | "1" | "true" | "false");
    if values.iter().all(is_truth) {
        return Some("\"bool\"".to_owned());
    }
    let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
    if let Some(numbers) = numbers {
        let (low, high) = (*numbers.iter().min()?, *numbers.iter().max()?);
        // What was seen is a sample: the next answer beside it is no fault.
        let end = low.unsigned_abs().max(high.unsigned_abs()).saturating_mul(10);
        let end = (1..18).map(|zeros| 10u64.pow(zeros)).find(|power| *power >= end)?;
        let first = if low < 0 { format!("-{end}") } else { "0".to_owned() };
        return Some(format!("\"{first}..{end}\"{:<12} # seen: {low} to {high}", ""));
    }
    let is_part = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E');
    let real = |value: &String| {
        value.parse().ok().filter(|number: &f64| number.is_finite() && value.bytes().all(is_part))
    };
    let reals: Option<Vec<f64>> = values.iter().map(real).collect();
    if let Some(reals) = reals {
        let (low, high) = (reals.iter().copied().reduce(f64::min)?, reals.iter().copied().reduce(f64::max)?);
        return Some(format!("\"real\"{:<15} # seen: {low} to {high}", ""));
    }
    let mut names: Vec<&str> = values.iter().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let quoted = |name: &&str| serde_json::Value::from(*name).to_string();
    let all: Vec<String> = names.iter().map(quoted).collect();
    names.iter().all(|name| is_name(name)).then(|| format!("[{}]", all.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_off_answers() {
        let (form, values) = signals(&["floor=0 motor=up door=0", "floor=3 motor=off door=1"]).unwrap();
        assert_eq!(form, Form::Pairs);
        let types: Vec<(&str, String)> =
            values.iter().map(|(name, values)| (name.as_str(), declared(values).unwrap())).collect();
        let motor = "[\"off\", \"up\"]".to_owned();
        assert_eq!(
            types,
            [
                ("floor", "\"0..100\"             # seen: 0 to 3".to_owned()),
                ("motor", motor),
                ("door", "\"bool\"".to_owned())
            ]
        );
        let one = |values: &[&str]| declared(&values.iter().map(|&value| value.into()).collect::<Vec<_>>());
        assert_eq!(one(&["20", "-3.5"]).unwrap(), "\"real\"                # seen: -3.5 to 20");
        assert_eq!(one(&["-12", "7"]).unwrap(), "\"-1000..1000\"             # seen: -12 to 7");
        assert!(one(&["inf", "1.5"]).is_none());
        assert!(one(&["99999999999999999999", "1"]).is_some_and(|of| of.starts_with("\"real\"")));
        assert_eq!(signals(&["{\"lamp\": true}"]).unwrap().0, Form::Json);
        // Not all about the same, or about nothing.
        assert!(signals(&["a=1", "b=1"]).is_none());
        assert!(signals(&["a=1", "error"]).is_none() && signals(&[]).is_none() && signals(&[""]).is_none());
    }
}
