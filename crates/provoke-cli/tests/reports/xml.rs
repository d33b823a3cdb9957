//! A small reader of XML, strict about what must be escaped; and what the common schema of JUnit files says.

use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) children: Vec<Element>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

fn unescaped(text: &str) -> String {
    assert!(!text.contains('<'), "an unescaped < in {text}");
    let allowed = |c: char| matches!(c, '\n' | '\r' | '\t' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(text.chars().all(allowed), "a character that XML forbids");
    let mut parts = text.split('&');
    let mut whole = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let (entity, rest) = part.split_once(';').expect("an unescaped &");
        whole.push_str(match entity {
            "lt" => "<",
            "gt" => ">",
            "amp" => "&",
            "quot" => "\"",
            "#39" => "'",
            "#10" => "\n",
            other => panic!("unknown entity {other}"),
        });
        whole.push_str(rest);
    }
    whole
}

/// Reads a document; panics where it is not well-formed.
pub(crate) fn parse(text: &str) -> Element {
    let text = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let mut open = vec![Element::default()];
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        open.last_mut().unwrap().text += &unescaped(&rest[..start]);
        let end = rest.find('>').expect("a tag that ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let done = open.pop().unwrap();
            assert_eq!(done.name, name, "tags are balanced");
            open.last_mut().unwrap().children.push(done);
            continue;
        }
        let (inside, closed) = tag.strip_suffix('/').map_or((tag, false), |inside| (inside, true));
        let (name, mut attributes) = inside.split_once(' ').unwrap_or((inside, ""));
        let mut element = Element { name: name.to_owned(), ..Element::default() };
        while !attributes.is_empty() {
            let (key, value) = attributes.split_once("=\"").expect("an attribute with a value");
            let (value, more) = value.split_once('"').expect("a value that ends");
            let twice = element.attributes.insert(key.to_owned(), unescaped(value));
            assert!(twice.is_none(), "{key} stands twice");
            attributes = more.trim_start();
        }
        match closed {
            true => open.last_mut().unwrap().children.push(element),
            false => open.push(element),
        }
    }
    assert_eq!((open.len(), rest.trim()), (1, ""), "one element, and nothing behind it");
    let mut root = open.pop().unwrap();
    assert_eq!(root.children.len(), 1);
    root.children.pop().unwrap()
}

/// Element, its attributes (those with ! must be there), and its children in the order in which they may stand.
const SCHEMA: &[(&str, &[&str], &[&str])] = &[
    ("testsuites", &["name", "time", "tests", "failures", "disabled", "errors"], &["testsuite"]),
    (
        "testsuite",
        &[
            "name!",
            "tests!",
            "failures",
            "errors",
            "time",
            "disabled",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        ],
        &["properties", "testcase", "system-out", "system-err"],
    ),
    ("properties", &[], &["property"]),
    ("property", &["name!", "value!"], &[]),
    (
        "testcase",
        &["name!", "assertions", "time", "classname!", "status"],
        &["skipped", "error", "failure", "flakyFailure", "system-out", "system-err"],
    ),
    ("failure", &["type!", "message"], &[]),
    ("error", &["type!", "message"], &[]),
    ("flakyFailure", &["type!", "message"], &[]),
    ("skipped", &["message"], &[]),
    ("system-out", &[], &[]),
    ("system-err", &[], &[]),
];

/// Holds an element against the schema that Jenkins, GitLab and others read by, and its counts against what they count.
pub(crate) fn validate(element: &Element) {
    let (_, attributes, children) =
        SCHEMA.iter().find(|(name, ..)| *name == element.name).unwrap_or_else(|| panic!("{}", element.name));
    for known in *attributes {
        if let Some(name) = known.strip_suffix('!') {
            assert!(element.attributes.contains_key(name), "{} has no {name}", element.name);
        }
    }
    for name in element.attributes.keys() {
        assert!(
            attributes.iter().any(|known| known.trim_end_matches('!') == name),
            "{name} of {}",
            element.name
        );
    }
    let place = |child: &Element| children.iter().position(|name| *name == child.name);
    let order: Vec<usize> = element
        .children
        .iter()
        .map(|child| place(child).unwrap_or_else(|| panic!("{}", child.name)))
        .collect();
    assert!(order.is_sorted(), "children of {} in order", element.name);
    if element.name == "testsuite" {
        let cases: Vec<&Element> = element.all("testcase").collect();
        let with = |name: &str| cases.iter().filter(|case| case.all(name).next().is_some()).count();
        for (count, found) in [
            ("tests", cases.len()),
            ("failures", with("failure")),
            ("errors", with("error")),
            ("skipped", with("skipped")),
        ] {
            assert_eq!(element.attributes[count], found.to_string(), "{count}");
        }
    }
    element.children.iter().for_each(validate);
}
