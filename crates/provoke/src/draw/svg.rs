//! Graphs as SVG, laid out and drawn here.

use std::fmt::Write;

use super::layers::{Item, Layers, Way, layers};
use super::order::order;
use super::place::place;
use super::text::{clip, escape, width, wrap};
use super::{Colour, Graph, Node, Shape, below, loops};

const NODE_SIZE: f64 = 13.0;
const EDGE_SIZE: f64 = 11.0;
const NODE_LINE: f64 = 16.0;
const EDGE_LINE: f64 = 14.0;
const MARGIN: f64 = 20.0;
const INK: Colour = Colour(0x33, 0x3a, 0x44);

const STYLE: &str = "\
.node{stroke:#333a44;stroke-width:1.3}\
.inner{fill:none}\
.name{font:13px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;text-anchor:middle;fill:#16191d}\
.edge{fill:none;stroke-width:1.3}\
.guard{font:11px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle}\
.behind{fill:#fff;fill-opacity:.88}\
.loop{text-anchor:start}\
.title{font:600 15px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#16191d}\
.legend{font:12px ui-sans-serif,system-ui,'Segoe UI',Helvetica,Arial,sans-serif;fill:#16191d}\
.about{font-weight:600}\
.formula{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}";

/// Edges with the same ends and looks, drawn as one.
struct Bundle {
    from: usize,
    to: usize,
    colour: Colour,
    dashed: bool,
    lines: Vec<String>,
    whole: String,
}

/// The size of a node's outline.
struct Outline {
    width: f64,
    height: f64,
    lines: Vec<String>,
}

impl Graph {
    /// The graph as an SVG picture, top to bottom from the starts.
    pub fn to_svg(&self) -> String {
        let bundles = bundles(self);
        let (around, ways): (Vec<&Bundle>, Vec<&Bundle>) =
            bundles.iter().partition(|bundle| bundle.from == bundle.to);
        let mut loops: Vec<Vec<&Bundle>> = vec![Vec::new(); self.nodes.len()];
        around.into_iter().for_each(|bundle| loops[bundle.from].push(bundle));
        let outlines: Vec<Outline> = self.nodes.iter().map(outline).collect();
        let starts: Vec<usize> = self.starts.iter().copied().filter(|&at| at < self.nodes.len()).collect();
        let mut items: Vec<Item> = outlines.iter().map(node_item).collect();
        for (item, loops) in items.iter_mut().zip(&loops).filter(|(_, loops)| !loops.is_empty()) {
            item.right += loops::REACH + 6.0 + loops.iter().map(|one| one.width()).fold(0.0, f64::max);
            item.height = item.height.max(loops::height(&heights(loops)));
        }
        starts.iter().for_each(|&start| items[start].left += loops::REACH);
        let sizes: Vec<Way> = ways
            .iter()
            .map(|bundle| Way {
                from: bundle.from,
                to: bundle.to,
                width: bundle.width(),
                height: bundle.height(),
            })
            .collect();
        let layers = layers(items, &starts, &sizes);
        let (x, y) = place(&layers, &order(&layers));
        let picture = Picture { graph: self, outlines, layers, x, y };
        picture.draw(&ways, &loops, &starts)
    }
}

impl Bundle {
    fn width(&self) -> f64 {
        self.lines.iter().map(|line| width(line, EDGE_SIZE)).fold(0.0, f64::max)
    }

    fn height(&self) -> f64 {
        self.lines.len() as f64 * EDGE_LINE
    }
}

fn heights(bundles: &[&Bundle]) -> Vec<f64> {
    bundles.iter().map(|bundle| bundle.height()).collect()
}

fn bundles(graph: &Graph) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut known = rustc_hash::FxHashMap::default();
    for edge in graph.links() {
        let colour = edge.colour.unwrap_or(INK);
        let at = *known.entry((edge.from, edge.to, colour, edge.dashed)).or_insert(bundles.len());
        if at == bundles.len() {
            let (from, to, dashed) = (edge.from, edge.to, edge.dashed);
            bundles.push(Bundle { from, to, colour, dashed, lines: Vec::new(), whole: edge.label.clone() });
        } else {
            bundles[at].whole.push('\n');
            bundles[at].whole.push_str(&edge.label);
        }
    }
    bundles.iter_mut().for_each(|bundle| bundle.lines = wrap(&bundle.whole));
    bundles
}

fn outline(node: &Node) -> Outline {
    let lines: Vec<String> = node.label.lines().take(6).map(|line| clip(line, 48)).collect();
    let text = lines.iter().map(|line| width(line, NODE_SIZE)).fold(0.0, f64::max);
    let height = lines.len().max(1) as f64 * NODE_LINE + 14.0;
    Outline { width: (text + 22.0).max(height), height, lines }
}

fn node_item(outline: &Outline) -> Item {
    let half = outline.width / 2.0;
    Item { left: half, right: half, height: outline.height, row: 0, is_node: true }
}

struct Picture<'a> {
    graph: &'a Graph,
    outlines: Vec<Outline>,
    layers: Layers,
    x: Vec<f64>,
    y: Vec<f64>,
}

impl Picture<'_> {
    fn draw(mut self, ways: &[&Bundle], loops: &[Vec<&Bundle>], starts: &[usize]) -> String {
        let top = MARGIN + if self.graph.title.is_empty() { 0.0 } else { 30.0 };
        self.x.iter_mut().for_each(|x| *x += MARGIN);
        self.y.iter_mut().for_each(|y| *y += top);
        let items = self.layers.items.iter().enumerate();
        let (right, bottom) = items.fold((0.0f64, top), |(right, bottom), (at, item)| {
            (right.max(self.x[at] + item.right), bottom.max(self.y[at] + item.height / 2.0))
        });
        let (below, under) = below::size(self.graph);
        let wide = right.max(MARGIN + below).max(MARGIN + width(&self.graph.title, 15.0)) + MARGIN;
        let high = bottom + MARGIN + under;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" viewBox=\"0 0 {wide:.0} {high:.0}\">\n<style>{STYLE}</style>\n"
        );
        if !self.graph.title.is_empty() {
            let _ = writeln!(svg, "<title>{}</title>", escape(&self.graph.title));
        }
        svg.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
        self.arrowheads(&mut svg, ways.iter().chain(loops.iter().flatten()));
        if !self.graph.title.is_empty() {
            let title = escape(&self.graph.title);
            let _ = writeln!(
                svg,
                "<text class=\"title\" x=\"{MARGIN}\" y=\"{:.0}\">{title}</text>",
                MARGIN + 8.0
            );
        }
        let ports = self.ports();
        for (at, bundle) in ways.iter().enumerate() {
            self.edge(&mut svg, bundle, at, &ports[at]);
        }
        let placed: Vec<Vec<loops::Loop>> = loops
            .iter()
            .zip(&self.outlines)
            .map(|(around, outline)| loops::loops(&heights(around), outline.height))
            .collect();
        for (bundle, one) in loops.iter().flatten().zip(placed.iter().flatten()) {
            self.loop_edge(&mut svg, bundle, one);
        }
        starts.iter().for_each(|&start| self.start(&mut svg, start));
        (0..self.graph.nodes.len()).for_each(|node| self.node(&mut svg, node));
        for (at, bundle) in ways.iter().enumerate() {
            self.label(&mut svg, bundle, at);
        }
        for (bundle, one) in loops.iter().flatten().zip(placed.iter().flatten()) {
            self.loop_label(&mut svg, bundle, one);
        }
        below::draw(self.graph, &mut svg, MARGIN, bottom + MARGIN);
        svg.push_str("</svg>\n");
        svg
    }

    /// One arrowhead for each colour.
    fn arrowheads<'b>(&self, svg: &mut String, bundles: impl Iterator<Item = &'b &'b Bundle>) {
        let mut colours: Vec<String> = bundles.map(|bundle| bundle.colour.to_string()).collect();
        colours.push(INK.to_string());
        colours.sort_unstable();
        colours.dedup();
        svg.push_str("<defs>\n");
        for colour in colours {
            let _ = writeln!(
                svg,
                "<marker id=\"arrow{}\" viewBox=\"0 0 10 8\" refX=\"9\" refY=\"4\" markerWidth=\"9\" markerHeight=\"7.2\" markerUnits=\"userSpaceOnUse\" orient=\"auto-start-reverse\"><path d=\"M0 0L10 4L0 8L2.5 4z\" fill=\"{colour}\"/></marker>",
                &colour[1..]
            );
        }
        svg.push_str("</defs>\n");
    }

    /// Where each edge leaves its upper node and meets its lower one: side by side, in the order of where
    /// they come from.
    fn ports(&self) -> Vec<[(f64, f64); 2]> {
        let mut sides: Vec<[Vec<(f64, usize)>; 2]> = vec![Default::default(); self.outlines.len()];
        for (at, chain) in self.layers.chains.iter().enumerate() {
            if let [upper, second, ..] = chain[..]
                && let [.., last, lower] = chain[..]
            {
                sides[upper][0].push((self.x[second], at));
                sides[lower][1].push((self.x[last], at));
            }
        }
        let mut ports = vec![[(0.0, 0.0); 2]; self.layers.chains.len()];
        for (node, sides) in sides.iter_mut().enumerate() {
            for (end, side) in sides.iter_mut().enumerate() {
                side.sort_by(|a, b| a.0.total_cmp(&b.0));
                let Outline { width, height, .. } = self.outlines[node];
                let gap = (width * 0.7 / side.len() as f64).min(18.0);
                for (at, &(_, edge)) in side.iter().enumerate() {
                    let aside = (at as f64 - (side.len() - 1) as f64 / 2.0) * gap;
                    let rim = self.rim(node, aside);
                    let y = if end == 0 { self.y[node] + rim } else { self.y[node] - rim };
                    debug_assert!(rim <= height / 2.0 + 1e-9);
                    ports[edge][end] = (self.x[node] + aside, y);
                }
            }
        }
        ports
    }

    /// How far above and below the middle of a node its outline is, this far aside.
    fn rim(&self, node: usize, aside: f64) -> f64 {
        let Outline { width, height, .. } = self.outlines[node];
        let radius = if self.graph.nodes[node].shape == Shape::Box { 3.0 } else { height / 2.0 };
        let into = (aside.abs() - (width / 2.0 - radius)).clamp(0.0, radius);
        height / 2.0 - radius + (radius * radius - into * into).sqrt()
    }

    fn edge(&self, svg: &mut String, bundle: &Bundle, at: usize, [upper, lower]: &[(f64, f64); 2]) {
        let chain = &self.layers.chains[at];
        let mut points = vec![*upper];
        points.extend(chain[1..chain.len() - 1].iter().map(|&item| (self.x[item], self.y[item])));
        points.push(*lower);
        let end = if self.layers.upwards[at] { "start" } else { "end" };
        self.path(svg, bundle, &curve(&points), end);
    }

    fn path(&self, svg: &mut String, bundle: &Bundle, path: &str, end: &str) {
        let Bundle { colour, dashed, whole, from, to, .. } = bundle;
        let dashes = if *dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let head = &colour.to_string()[1..];
        let _ = writeln!(
            svg,
            "<path class=\"edge\" data-from=\"{from}\" data-to=\"{to}\" d=\"{path}\" stroke=\"{colour}\"{dashes} marker-{end}=\"url(#arrow{head})\"><title>{}</title></path>",
            escape(whole)
        );
    }

    fn label(&self, svg: &mut String, bundle: &Bundle, at: usize) {
        let Some(item) = self.layers.labels[at] else { return };
        self.behind(svg, bundle, 0.5, self.x[item], self.y[item]);
        self.guard(svg, bundle, "guard", self.x[item], self.y[item]);
    }

    /// What keeps lines out of a label: white under each line of it. `left` is the share to the left of `x`.
    fn behind(&self, svg: &mut String, bundle: &Bundle, left: f64, x: f64, y: f64) {
        for (at, line) in bundle.lines.iter().enumerate() {
            let wide = width(line, EDGE_SIZE) + 4.0;
            let top = y - bundle.height() / 2.0 + at as f64 * EDGE_LINE;
            let _ = writeln!(
                svg,
                "<rect class=\"behind\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{EDGE_LINE}\"/>",
                x - wide * left
            );
        }
    }

    fn guard(&self, svg: &mut String, bundle: &Bundle, class: &str, x: f64, y: f64) {
        let first = y - bundle.height() / 2.0 + EDGE_LINE * 0.75;
        for (at, line) in bundle.lines.iter().enumerate() {
            let y = first + at as f64 * EDGE_LINE;
            let _ = writeln!(
                svg,
                "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{}\">{}</text>",
                bundle.colour,
                escape(line)
            );
        }
    }

    fn loop_edge(&self, svg: &mut String, bundle: &Bundle, one: &loops::Loop) {
        let node = bundle.from;
        let (x, y) = (self.x[node] + self.outlines[node].width / 2.0, self.y[node]);
        let [leave, enter] = one.ends.map(|below| self.x[node] + self.side(node, below));
        let far = x + loops::REACH * 1.2;
        let path = format!(
            "M{leave:.1} {:.1}C{far:.1} {:.1} {far:.1} {:.1} {enter:.1} {:.1}",
            y + one.ends[0],
            y + one.pulls[0],
            y + one.pulls[1],
            y + one.ends[1]
        );
        self.path(svg, bundle, &path, "end");
    }

    fn loop_label(&self, svg: &mut String, bundle: &Bundle, one: &loops::Loop) {
        let node = bundle.from;
        let x = self.x[node] + self.outlines[node].width / 2.0 + loops::REACH;
        let y = self.y[node] + one.label;
        self.behind(svg, bundle, 0.0, x, y);
        self.guard(svg, bundle, "guard loop", x, y);
    }

    /// How far right of the middle of a node its outline is, this far below or above.
    fn side(&self, node: usize, aside: f64) -> f64 {
        let Outline { width, height, .. } = self.outlines[node];
        let radius = if self.graph.nodes[node].shape == Shape::Box { 3.0 } else { height / 2.0 };
        let into = (aside.abs() - (height / 2.0 - radius)).clamp(0.0, radius);
        width / 2.0 - radius + (radius * radius - into * into).sqrt()
    }

    fn start(&self, svg: &mut String, node: usize) {
        let (x, y) = (self.x[node] - self.outlines[node].width / 2.0, self.y[node]);
        let head = &INK.to_string()[1..];
        let _ = writeln!(
            svg,
            "<path class=\"edge\" d=\"M{:.1} {y:.1}H{x:.1}\" stroke=\"{INK}\" marker-end=\"url(#arrow{head})\"/>",
            x - loops::REACH
        );
    }

    fn node(&self, svg: &mut String, at: usize) {
        let (node, Outline { width, height, lines }) = (&self.graph.nodes[at], &self.outlines[at]);
        let (x, y) = (self.x[at] - width / 2.0, self.y[at] - height / 2.0);
        let radius = if node.shape == Shape::Box { 3.0 } else { height / 2.0 };
        let fill = node.fill.unwrap_or(Colour(255, 255, 255));
        let tooltip = if node.tooltip.is_empty() { &node.label } else { &node.tooltip };
        let _ = writeln!(svg, "<g data-node=\"{at}\"><title>{}</title>", escape(tooltip));
        let _ = writeln!(
            svg,
            "<rect class=\"node\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius:.1}\" fill=\"{fill}\"/>"
        );
        if node.shape == Shape::Double {
            let _ = writeln!(
                svg,
                "<rect class=\"node inner\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\"/>",
                x + 3.0,
                y + 3.0,
                width - 6.0,
                height - 6.0,
                radius - 3.0
            );
        }
        let first = self.y[at] - lines.len() as f64 * NODE_LINE / 2.0 + NODE_LINE * 0.78;
        for (line, text) in lines.iter().enumerate() {
            let y = first + line as f64 * NODE_LINE;
            let _ = writeln!(
                svg,
                "<text class=\"name\" x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
                self.x[at],
                escape(text)
            );
        }
        svg.push_str("</g>\n");
    }
}

/// A smooth line through points that go down: vertical at both ends, and never swinging past a point.
fn curve(points: &[(f64, f64)]) -> String {
    let slope = |a: (f64, f64), b: (f64, f64)| if b.1 == a.1 { 0.0 } else { (b.0 - a.0) / (b.1 - a.1) };
    // Tangents of monotone cubic interpolation: harmonic means, zero where the line turns back.
    let tangent = |at: usize| {
        if at == 0 || at + 1 == points.len() {
            return 0.0;
        }
        let (before, after) = (slope(points[at - 1], points[at]), slope(points[at], points[at + 1]));
        if before * after <= 0.0 { 0.0 } else { 2.0 * before * after / (before + after) }
    };
    let mut path = format!("M{:.1} {:.1}", points[0].0, points[0].1);
    for (at, pair) in points.windows(2).enumerate() {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let third = (y1 - y0) / 3.0;
        let (out, into) = (tangent(at) * third, tangent(at + 1) * third);
        let _ = write!(
            path,
            "C{:.1} {:.1} {:.1} {:.1} {x1:.1} {y1:.1}",
            x0 + out,
            y0 + third,
            x1 - into,
            y1 - third
        );
    }
    path
}
