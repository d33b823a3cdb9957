//! JUnit XML, as continuous integration reads it: one test case a requirement and one an objective.

use std::fmt::Write;

use super::words::{line, xml};
use super::{Account, Finding, Kind};
use crate::report::count;

/// Longer traces are cut in the middle.
const SHOWN_STEPS: usize = 200;

/// What became of a test case.
enum Outcome {
    Passed,
    Skipped(String),
    /// An element with a message, a type and a body.
    Failed(&'static str, String, &'static str, String),
}

impl Account {
    /// The account as JUnit XML. A violation that did not recur every time it was tried is a `flakyFailure`.
    pub fn junit(&self) -> String {
        let mut cases: Vec<(String, String, Outcome, String)> = Vec::new();
        for id in &self.requirements {
            cases.push((id.clone(), "requirements".to_owned(), self.requirement_outcome(id), String::new()));
        }
        for id in &self.objectives {
            let (outcome, note) = self.objective_outcome(id);
            cases.push((id.clone(), "objectives".to_owned(), outcome, note));
        }
        if let Some(broken) = self.findings.iter().find(|finding| finding.kind == Kind::Broken) {
            let message = broken.error.clone().unwrap_or_default();
            let body = self.body(broken, "");
            let outcome = Outcome::Failed("error", message, "broken", body);
            cases.push(("system".to_owned(), "system".to_owned(), outcome, String::new()));
        }
        let of = |wanted: &str| {
            let is = |(.., outcome, _): &&(String, String, Outcome, String)| match outcome {
                Outcome::Passed => false,
                Outcome::Skipped(_) => wanted == "skipped",
                Outcome::Failed(element, ..) => *element == wanted,
            };
            cases.iter().filter(is).count()
        };
        let (tests, failures, errors, skipped) = (cases.len(), of("failure"), of("error"), of("skipped"));
        let seconds = self.seconds();
        let name = xml(&line(&self.about.specification));
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        let _ = writeln!(
            text,
            "<testsuites name=\"provoke\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{seconds:.3}\">"
        );
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{seconds:.3}\">"
        );
        text += "    <properties>\n";
        for (name, value) in self.properties() {
            let (name, value) = (xml(&name), xml(&line(&value)));
            let _ = writeln!(text, "      <property name=\"{name}\" value=\"{value}\"/>");
        }
        text += "    </properties>\n";
        for (id, class, outcome, note) in cases {
            let (id, class) = (xml(&line(&id)), xml(&class));
            let _ = write!(text, "    <testcase name=\"{id}\" classname=\"{name}.{class}\" time=\"0\"");
            match outcome {
                Outcome::Passed if note.is_empty() => {
                    text += "/>\n";
                    continue;
                }
                Outcome::Passed => text += ">\n",
                Outcome::Skipped(message) => {
                    let _ = writeln!(text, ">\n      <skipped message=\"{}\"/>", xml(&line(&message)));
                }
                Outcome::Failed(element, message, kind, body) => {
                    let (message, body) = (xml(&line(&message)), body_xml(&body));
                    let _ = writeln!(
                        text,
                        ">\n      <{element} message=\"{message}\" type=\"{kind}\">{body}</{element}>"
                    );
                }
            }
            if !note.is_empty() {
                let _ = writeln!(text, "      <system-out>{}</system-out>", body_xml(&note));
            }
            text += "    </testcase>\n";
        }
        text + "  </testsuite>\n</testsuites>\n"
    }

    /// What is said of the session as a whole.
    fn properties(&self) -> Vec<(String, String)> {
        let tallies = &self.tallies;
        let covered = self.objectives.iter().filter(|id| self.objective(id).0).count();
        let mut all = vec![
            ("verdict".to_owned(), self.verdict().to_owned()),
            ("strategy".to_owned(), self.strategy.clone()),
            ("seed".to_owned(), self.seed.to_string()),
            ("runs".to_owned(), tallies.runs.to_string()),
            ("steps".to_owned(), tallies.steps.to_string()),
            ("resets".to_owned(), tallies.resets.to_string()),
            ("coverage".to_owned(), format!("{covered} of {} objectives", self.objectives.len())),
            ("command".to_owned(), self.command()),
        ];
        for coverage in self.report.iter().flat_map(|report| report["coverage"].as_array()).flatten() {
            let of = coverage["of"].as_str().unwrap_or("elements");
            let value = format!("{} of {}", coverage["covered"], coverage["elements"]);
            all.push((format!("coverage of {of}"), value));
        }
        all
    }

    fn requirement_outcome(&self, id: &str) -> Outcome {
        let text = self.about.requirements.iter().find(|about| about.id == id).map(|about| &*about.text);
        let text = text.unwrap_or_default();
        let violation =
            self.findings.iter().find(|finding| finding.kind == Kind::Violation && finding.of == id);
        if let Some(violation) = violation {
            let message = if text.is_empty() { format!("{id} is violated") } else { text.to_owned() };
            let element = if violation.is_flaky() { "flakyFailure" } else { "failure" };
            return Outcome::Failed(element, message, "violation", self.body(violation, text));
        }
        match self.state(id) {
            (state, _) if state == "never_triggered" => {
                Outcome::Skipped("it was never put to the test".to_owned())
            }
            (state, _) if state == "unknown" => Outcome::Skipped("the session did not end".to_owned()),
            _ => Outcome::Passed,
        }
    }

    fn objective_outcome(&self, id: &str) -> (Outcome, String) {
        let covering = self.findings.iter().find(|finding| finding.kind == Kind::Covered && finding.of == id);
        let (covered, distance) = self.objective(id);
        if covered {
            let told = |finding: &Finding| {
                format!("covered in {}\n{}", count(finding.trace.len(), "step"), finding.table(SHOWN_STEPS))
            };
            return (Outcome::Passed, covering.map(told).unwrap_or_default());
        }
        let message = match distance {
            Some(distance) => format!("not covered (closest: {} away)", count(distance, "step")),
            None => "not covered".to_owned(),
        };
        match self.verdict() {
            "exhausted" => {
                let body = format!("{message}\nrun again: {}\n", self.command());
                (Outcome::Failed("failure", message, "not_covered", body), String::new())
            }
            _ => (Outcome::Skipped(format!("{message}; the session ended before")), String::new()),
        }
    }

    /// The trace, why it is wrong, and how to run it again.
    fn body(&self, finding: &Finding, text: &str) -> String {
        let mut body = String::from("\n");
        if !text.is_empty() {
            let _ = writeln!(body, "{text}");
        }
        if let Some(explanation) = &finding.story.explanation {
            let _ = writeln!(body, "{}", line(explanation));
        }
        body += &finding.table(SHOWN_STEPS);
        let _ = writeln!(body, "{}; {}", count(finding.trace.len(), "step"), finding.tries());
        for line in &finding.stderr {
            let _ = writeln!(body, "stderr: {}", super::words::line(line));
        }
        let _ = writeln!(body, "replay: {}", self.replay_command(finding));
        body
    }
}

/// Several lines of text; line ends are kept.
fn body_xml(text: &str) -> String {
    text.split('\n').map(xml).collect::<Vec<_>>().join("\n")
}
