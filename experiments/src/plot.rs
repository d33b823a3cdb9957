//! Success against runs, as an SVG picture.

use std::fmt::Write as _;

use crate::table::{Row, grouped};

/// The size of the picture, and where its axes are.
const WIDTH: f64 = 1010.0;
const HEIGHT: f64 = 500.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 440.0;

/// Told apart by people who do not see all colours (Okabe and Ito); beyond eight curves dashes help.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933"];

/// One rising line a row: which share of its attempts had succeeded after so many runs.
pub fn success_against_runs(rows: &[Row], runs: u64) -> String {
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    );
    let decades = (runs.max(10) as f64).log10().ceil();
    let across = |runs: u64| LEFT + (runs.max(1) as f64).log10() / decades * (RIGHT - LEFT);
    let up = |share: f64| BOTTOM - share * (BOTTOM - TOP);
    axes(&mut svg, decades as u32, across, up);
    for (at, row) in rows.iter().enumerate() {
        let mut found: Vec<u64> = row.successes().map(|attempt| attempt.outcome.runs).collect();
        found.sort_unstable();
        let all = row.attempts.len().max(1) as f64;
        let mut path = format!("M{:.1} {:.1}", across(1), up(0.0));
        for (before, &run) in found.iter().enumerate() {
            let (x, below, above) = (across(run), up(before as f64 / all), up((before + 1) as f64 / all));
            let _ = write!(path, " L{x:.1} {below:.1} L{x:.1} {above:.1}");
        }
        let _ = write!(path, " L{:.1} {:.1}", RIGHT, up(found.len() as f64 / all));
        let style = style(at);
        let _ = writeln!(svg, "<path d=\"{path}\" {style}/>");
        let y = TOP + 8.0 + 21.0 * at as f64;
        let _ = writeln!(svg, "<path d=\"M{} {y} h24\" {style}/>", RIGHT + 20.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", RIGHT + 52.0, y + 4.0, label(row));
    }
    svg + "</svg>\n"
}

/// The strategy, and what is unusual about the row.
fn label(row: &Row) -> String {
    let unusual = row.instance.iter().filter(|(name, _)| *name == "variant");
    let unusual: Vec<&str> =
        unusual.filter_map(|(_, value)| value.as_str()).filter(|text| !text.is_empty()).collect();
    let name = [&[row.strategy.as_str()][..], &unusual].concat().join(", ");
    name.replace('&', "&amp;").replace('<', "&lt;")
}

fn axes(svg: &mut String, decades: u32, across: impl Fn(u64) -> f64, up: impl Fn(f64) -> f64) {
    for decade in 0..=decades {
        let runs = 10u64.saturating_pow(decade);
        let x = across(runs);
        let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP} V{BOTTOM}\" stroke=\"#ddd\"/>");
        let y = BOTTOM + 18.0;
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{}</text>", grouped(runs));
    }
    for percent in [0, 25, 50, 75, 100] {
        let y = up(f64::from(percent) / 100.0);
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1} H{RIGHT}\" stroke=\"#ddd\"/>");
        let (x, y) = (LEFT - 8.0, y + 4.0);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{percent} %</text>");
    }
    let (middle, below) = ((LEFT + RIGHT) / 2.0, BOTTOM + 44.0);
    let _ = writeln!(svg, "<path d=\"M{LEFT} {TOP} V{BOTTOM} H{RIGHT}\" stroke=\"black\" fill=\"none\"/>");
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">runs until the fault was found</text>"
    );
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">attempts that found it</text>", TOP - 12.0);
}

/// A title, and for each line its name and its values.
pub type Panel<'a> = (&'a str, Vec<(String, Vec<f64>)>);

/// One picture below another, each with one rising line a contender: what it reached on its first so many subjects,
/// from the lowest value to the highest.
pub fn cactus(pictures: &[Panel<'_>]) -> String {
    let mut svg = String::new();
    let height = HEIGHT * pictures.len() as f64;
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    );
    for (place, (title, lines)) in pictures.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", HEIGHT * place as f64);
        let most = lines.iter().flat_map(|(_, values)| values).fold(1.0f64, |most, &value| most.max(value));
        let subjects = lines.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(1) as f64;
        let across = |at: usize| LEFT + at as f64 / subjects * (RIGHT - LEFT);
        let up = |value: f64| BOTTOM - value / most * (BOTTOM - TOP);
        for quarter in 0..=4 {
            let value = most * f64::from(quarter) / 4.0;
            let y = up(value);
            let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1} H{RIGHT}\" stroke=\"#ddd\"/>");
            let (x, y) = (LEFT - 8.0, y + 4.0);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{}</text>",
                grouped(value.round() as u64)
            );
        }
        let _ =
            writeln!(svg, "<path d=\"M{LEFT} {TOP} V{BOTTOM} H{RIGHT}\" stroke=\"black\" fill=\"none\"/>");
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{title}</text>", TOP - 12.0);
        let (middle, below) = ((LEFT + RIGHT) / 2.0, BOTTOM + 24.0);
        let _ = writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">subjects, {subjects} in all</text>"
        );
        for (at, (label, values)) in lines.iter().enumerate() {
            let points = values
                .iter()
                .enumerate()
                .map(|(at, &value)| format!("{:.1} {:.1}", across(at + 1), up(value)));
            let path = points.collect::<Vec<_>>().join(" L");
            let style = style(at);
            if !path.is_empty() {
                let _ = writeln!(svg, "<path d=\"M{path}\" {style}/>");
            }
            let y = TOP + 8.0 + 21.0 * at as f64;
            let _ = writeln!(svg, "<path d=\"M{} {y} h24\" {style}/>", RIGHT + 20.0);
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{label}</text>", RIGHT + 52.0, y + 4.0);
        }
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// How the line with this number is drawn.
fn style(at: usize) -> String {
    let colour = COLOURS[at % COLOURS.len()];
    let dash = ["", "7 3", "2 3"][at / COLOURS.len() % 3];
    format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dash}\" fill=\"none\"")
}

/// One bar for each family and strategy, on a logarithmic scale; no bar where there is no number.
pub fn bars(all: &[(String, String, Option<u64>)]) -> String {
    let mut strategies: Vec<&str> = Vec::new();
    for (_, strategy, _) in all {
        if !strategies.contains(&strategy.as_str()) {
            strategies.push(strategy);
        }
    }
    let most = all.iter().filter_map(|(.., steps)| *steps).max().unwrap_or(10).max(10) as f64;
    let (tall, row) = (40.0 + 14.0 * all.len() as f64, 14.0);
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {tall}\" width=\"{WIDTH}\" height=\"{tall}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
    );
    let _ = writeln!(svg, "<text x=\"10\" y=\"20\">median steps to all error outputs</text>");
    for (at, (family, strategy, steps)) in all.iter().enumerate() {
        let y = 34.0 + row * at as f64;
        let place = strategies.iter().position(|name| name == strategy).unwrap_or(0);
        let colour = COLOURS[place % COLOURS.len()];
        let _ = writeln!(svg, "<text x=\"10\" y=\"{}\">{family}, {strategy}</text>", y + 10.0);
        match steps {
            Some(steps) => {
                let wide = (*steps as f64).max(1.0).log10() / most.log10() * 500.0;
                let _ = writeln!(
                    svg,
                    "<rect x=\"300\" y=\"{y}\" width=\"{wide:.1}\" height=\"11\" fill=\"{colour}\"/>\n\
                     <text x=\"{:.1}\" y=\"{}\">{}</text>",
                    306.0 + wide,
                    y + 10.0,
                    grouped(*steps)
                );
            }
            None => {
                let _ = writeln!(svg, "<text x=\"300\" y=\"{}\">not all</text>", y + 10.0);
            }
        }
    }
    svg + "</svg>\n"
}
