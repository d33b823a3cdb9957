use std::time::*;
fn main() {
    for path in std::env::args().skip(1) {
        let start = Instant::now();
        let (circuit, _) = provoke::format::aiger::read_file(path.as_ref()).unwrap();
        let names = circuit.inputs.clone();
        let errors: Vec<_> = circuit.outputs.iter().map(|o| o.value).collect();
        let cons: Vec<_> = circuit.constraints.iter().map(|o| o.value).collect();
        let secs: u64 = std::env::var("SECS").ok().and_then(|s| s.parse().ok()).unwrap_or(20);
        let answer = provoke::game::symbolic::tester_can_force(&circuit, &|at| names[at].starts_with("controllable_"), &errors, &cons,
            provoke::game::symbolic::Effort { time: Duration::from_secs(secs), nodes: 60_000_000 });
        println!("{} {:?} {:?}", path.rsplit('/').next().unwrap(), answer, start.elapsed());
    }
}
