//! Pictures of automata and games. Each is also written to the target's `tmp` folder, to be looked at.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{read_requirement, write_hoa};
use provoke::bdd::Space;
use provoke::diagnostic::Source;
use provoke::draw::{Colour, Graph, Link, Node, Note, Shape, automaton_graph, game_graph, product_graph};
use provoke::game::explicit::{Component, Product, Solved, solve};
use provoke::game::{Next, Place};
use provoke::letter::Interface;
use provoke::rng::Rng;
use provoke::specification::Specification;

fn keep(name: &str, svg: &str) {
    std::fs::write(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), svg).unwrap();
}

/// Checks that elements nest and attributes are quoted, and counts elements by name.
fn elements(svg: &str) -> std::collections::BTreeMap<String, usize> {
    let mut counts = std::collections::BTreeMap::new();
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>'), "stray >: {:?}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap().to_owned();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        *counts.entry(name.clone()).or_insert(0) += 1;
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    counts
}

fn game(text: &str, interface: Interface, goal: &str) -> Solved {
    let space = Arc::new(Space::new(interface));
    let automaton = Arc::new(read_requirement(&Source::new("r.hoa", text), &space).unwrap());
    let component = Component::requirement(automaton.clone());
    let product = Arc::new(Product::new(space, vec![component], 1000).unwrap());
    let goal = automaton.state_named(goal).unwrap();
    solve(
        product.clone(),
        |next| matches!(next, Next::To(at) if product.component_state(at, Place(0)) == Some(goal)),
    )
    .unwrap()
}

#[test]
fn the_first_example_in_all_its_views() {
    let text = include_str!("../../../examples/first/first.hoa");
    let solved = game(text, Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap(), "o");
    let product = solved.product();
    let automaton = automaton_graph(&product.components()[0].automaton);
    assert_eq!(automaton.nodes.len(), 4);
    for (name, graph) in [
        ("first-automaton", automaton),
        ("first-product", product_graph(product, "first")),
        ("first-game", game_graph(&solved, "first: reach o").unwrap()),
    ] {
        let svg = graph.to_svg();
        keep(&format!("{name}.svg"), &svg);
        keep(&format!("{name}.dot"), &graph.to_dot());
        let counts = elements(&svg);
        assert_eq!(counts["g"], graph.nodes.len());
    }
}

#[test]
fn a_product_is_written_as_one_automaton() {
    let text = include_str!("../../../examples/first/first.hoa");
    let solved = game(text, Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap(), "o");
    let flat = solved.product().to_automaton();
    let component = &solved.product().components()[0].automaton;
    assert_eq!((flat.states.len(), flat.edge_count()), (component.states.len(), component.edge_count()));
    let again = read_requirement(&Source::new("again.hoa", write_hoa(&flat).unwrap()), &flat.space).unwrap();
    assert_eq!(again.state_named("o").map(|at| again.allowed(at) == flat.allowed(at)), Some(true));
}

#[test]
fn the_carriage_as_a_game() {
    let text = include_str!("../../../examples/carriage/figure3.hoa");
    let interface = Interface::signals(["bwdlimit", "fwdlimit", "cargo"], ["movefwd", "movebwd"]).unwrap();
    let solved = game(text, interface, "s2");
    let automaton = automaton_graph(&solved.product().components()[0].automaton);
    // The game has the violation besides, and every state is near or far.
    let picture = game_graph(&solved, "the carriage: reach s2").unwrap();
    assert_eq!(picture.nodes.len(), automaton.nodes.len() + 1);
    assert!(picture.nodes.iter().all(|node| node.fill.is_some()));
    for (name, graph) in [("carriage-game.svg", picture), ("carriage-automaton.svg", automaton)] {
        let svg = graph.to_svg();
        keep(name, &svg);
        assert_eq!(elements(&svg)["g"], graph.nodes.len());
    }
}

/// One node with a loop of each colour, among others.
fn looping(labels: &[String], below: bool) -> Graph {
    let mut graph = Graph { starts: vec![0], ..Graph::default() };
    graph.nodes =
        ["q0", "q1\nd 1  r 1"].map(|label| Node { label: label.into(), ..Node::default() }).to_vec();
    for (at, label) in labels.iter().enumerate() {
        let colour = Some(Colour(at as u8, 0, 0));
        graph.edges.push(Link { from: 1, to: 1, label: label.clone(), colour, dashed: at % 2 == 0 });
    }
    graph.edges.push(Link { from: 0, to: 1, label: "there".into(), ..Link::default() });
    if below {
        graph.edges.push(Link { from: 1, to: 0, label: "back | again".into(), ..Link::default() });
    }
    graph
}

/// The places of the lines of loops' labels: (x, y).
fn loop_lines(svg: &str) -> Vec<[f64; 2]> {
    let lines = svg.lines().filter(|line| line.starts_with("<text class=\"guard loop\""));
    lines.map(|line| ["x", "y"].map(|name| number(line, name))).collect()
}

#[test]
fn labels_of_loops_do_not_overprint() {
    let long = "request & !cancel & grant & !busy & !ready_lamp | reset_button & busy | !request & cancel"
        .to_owned();
    for labels in
        [vec!["a".to_owned(); 5], vec![long.clone(); 3], vec![long, "b".into(), String::new(), "c".into()]]
    {
        for below in [false, true] {
            let svg = looping(&labels, below).to_svg();
            keep(&format!("loops-{}-{below}.svg", labels.len()), &svg);
            let mut lines = loop_lines(&svg);
            lines.sort_by(|a, b| a[1].total_cmp(&b[1]));
            assert!(lines.len() >= labels.iter().filter(|label| !label.is_empty()).count());
            // Lines of text are 14 high.
            assert!(lines.windows(2).all(|pair| pair[1][1] - pair[0][1] >= 13.9), "{lines:?}");
            let high = number(&svg, "height");
            assert!(lines.iter().all(|[_, y]| (10.0..high).contains(y)));
        }
    }
}

fn random_graph(nodes: usize, edges: usize, seed: u64) -> Graph {
    let mut rng = Rng::new(seed);
    let guards = ["a", "!a & b", "a & !b | c & d | !x & y & z | a & b & c & d", "true", ""];
    let mut graph = Graph { starts: vec![0], title: format!("{nodes} nodes"), ..Graph::default() };
    for at in 0..nodes {
        let shape = *rng.pick(&[Shape::Round, Shape::Round, Shape::Double, Shape::Box]).unwrap();
        graph.nodes.push(Node { label: format!("q{at}"), shape, ..Node::default() });
    }
    for at in 1..edges {
        // A tree first, then anything; mostly forward.
        let to = if at < nodes { at } else { rng.index(nodes) };
        let from = if at < nodes { rng.index(at) } else { rng.index(nodes) };
        let label = (*rng.pick(&guards).unwrap()).to_owned();
        graph.edges.push(Link { from, to, label, ..Link::default() });
    }
    graph
}

#[test]
fn graphs_of_many_sizes() {
    for (nodes, edges) in [(0, 0), (1, 0), (12, 18), (30, 45), (60, 90)] {
        let svg = random_graph(nodes, edges, 5).to_svg();
        keep(&format!("random-{nodes}.svg"), &svg);
        assert_eq!(elements(&svg).get("g").copied().unwrap_or(0), nodes);
    }
}

#[test]
fn large_graphs_are_drawn_too() {
    // A long ring: every second edge leads back to the start, over all rows.
    let count = 4000;
    let mut graph = Graph { starts: vec![0], ..Graph::default() };
    graph.nodes = (0..count).map(|at| Node { label: at.to_string(), ..Node::default() }).collect();
    for from in 0..count {
        for to in [(from + 1) % count, 0] {
            graph.edges.push(Link { from, to, label: "x".into(), ..Link::default() });
        }
    }
    assert_eq!(elements(&graph.to_svg())["g"], count);
    assert_eq!(elements(&random_graph(3000, 6000, 1).to_svg())["g"], 3000);
}

/// The number that is the value of an attribute, where it stands first.
fn number(text: &str, name: &str) -> f64 {
    let from = text.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
    text[from..].split('"').next().unwrap().parse().unwrap()
}

/// The outlines of nodes never overlap: (x, y, width, height) of every rectangle inside a group.
fn outlines(svg: &str) -> Vec<[f64; 4]> {
    let lines: Vec<&str> = svg.lines().collect();
    let after_group = lines.windows(2).filter(|pair| pair[0].starts_with("<g data-node="));
    after_group.map(|pair| ["x", "y", "width", "height"].map(|name| number(pair[1], name))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn nodes_never_overlap(nodes in 1usize..25, extra in 0usize..25, seed in any::<u64>()) {
        let outlines = outlines(&random_graph(nodes, nodes + extra, seed).to_svg());
        prop_assert_eq!(outlines.len(), nodes);
        for (at, [x, y, width, height]) in outlines.iter().enumerate() {
            for [x2, y2, width2, height2] in &outlines[..at] {
                let apart = x + width <= *x2 || x2 + width2 <= *x || y + height <= *y2 || y2 + height2 <= *y;
                prop_assert!(apart);
            }
        }
    }

    #[test]
    fn any_text_gives_well_formed_pictures(title in ".*", label in any::<String>(), edge in any::<String>()) {
        let node = |label: &str| Node { label: label.to_owned(), tooltip: title.clone(), ..Node::default() };
        let graph = Graph {
            title: title.clone(),
            nodes: vec![node(&label), node("</g><script>alert(1)</script>")],
            edges: vec![
                Link { from: 0, to: 1, label: edge.clone(), ..Link::default() },
                Link { from: 1, to: 1, label: edge.clone(), dashed: true, ..Link::default() },
                Link { from: 1, to: 9, label: edge, ..Link::default() },
            ],
            starts: vec![0, 7],
            legend: vec![(Colour(1, 2, 3), label.clone())],
            notes: vec![Note { about: label, text: title.clone() }],
        };
        let counts = elements(&graph.to_svg());
        prop_assert_eq!((counts["g"], counts.get("script")), (2, None));
        // In DOT, quotes come in pairs once escapes are taken out.
        let dot = graph.to_dot().replace("\\\\", "").replace("\\\"", "");
        prop_assert_eq!(dot.matches('"').count() % 2, 0);
        prop_assert_eq!(dot.matches(" -> ").count() >= 3, true);
    }
}

#[test]
fn violations_keep_their_places_where_an_earlier_one_is_never_entered() {
    // Under the assumption nobody violates the first requirement, so only the second has a violation to draw.
    let text = r#"
        signals = { inputs = ["a"], outputs = ["x"] }
        assumption = [{ id = "A", ltl = "G !a" }]
        requirement = [{ id = "idle", ltl = "G(a -> x)" }, { id = "R", ltl = "G(x -> X !x)" }]
        objective = [{ id = "o", ltl = "F(x & X X x)" }]
    "#;
    let specification = Specification::from_text("spec.toml".as_ref(), text).unwrap();
    let guidance = specification.guidance(specification.objectives.first(), 1000).unwrap();
    let solved = guidance.inside.solved().unwrap();
    for graph in [game_graph(solved, "o").unwrap(), product_graph(solved.product(), "o")] {
        let violations: Vec<usize> =
            (0..graph.nodes.len()).filter(|&at| graph.nodes[at].label.starts_with("violates")).collect();
        assert_eq!(violations.len(), 1);
        assert_eq!(graph.nodes[violations[0]].label, "violates R");
        assert!(graph.edges.iter().any(|edge| edge.dashed && edge.to == violations[0]));
    }
}
