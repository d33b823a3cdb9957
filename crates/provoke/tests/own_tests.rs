//! A user's own `#[test]`: at most ten lines, and a message that says it all.

#![allow(clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use provoke::Test;
use provoke::report::{Judgement, Overall};
use provoke::system::Closure;

const DOOR: &str = r#"
    [signals]
    inputs  = ["knock", "lock"]
    outputs = ["open"]

    [[requirement]]
    id   = "locked"
    text = "A locked door never opens."
    ltl  = "G (lock -> !open)"
"#;

const OPENED: &str =
    "[[objective]]\nid = 'opened'\nltl = 'F open'\n[[objective]]\nid = 'twice'\nltl = 'F (open & X open)'\n";

/// What a test panics with.
fn message(test: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(test)).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().unwrap()).to_owned(),
    }
}

/// Forgets the lock after the second knock in a row.
fn forgetful(specification: &str) -> Test<'static> {
    Test::of_text(specification).system(
        || 0,
        |knocks, input, output| {
            *knocks = if input["knock"] { *knocks + 1 } else { 0 };
            output.set("open", input["knock"] && (!input["lock"] || *knocks > 2));
        },
    )
}

#[test]
fn the_door_stays_locked() {
    Test::of_text(DOOR)
        .system(|| (), |_, input, output| output.set("open", input["knock"] && !input["lock"]))
        .assert_passes();
}

#[test]
fn a_violation_is_told_whole() {
    let told = message(|| forgetful(DOOR).seed(7).assert_passes());
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(
        lines[..10],
        [
            "specification does not pass: violated locked",
            "",
            "violation of locked",
            "  --> specification:7",
            "  A locked door never opens.",
            "     1  knock=1 lock=0 / open=1",
            "     2  knock=1 lock=0 / open=1",
            ">    3  knock=1 lock=1 / open=1",
            "  locked forbids open=1 in answer to knock=1 lock=1 at step 3; it would have allowed open=0",
            lines[9],
        ],
        "{told}"
    );
    assert!(lines[9].starts_with("  3 steps") && lines[9].ends_with("reproduced 3 of 3"), "{told}");
    // What was learnt by the way is told before the verdict.
    let verdict = 10 + usize::from(lines[10].starts_with("the system showed "));
    assert!(lines[verdict].starts_with("VIOLATED: ") && lines[verdict].ends_with("seed 7"), "{told}");
    let again = "the same again: .strategy(\"auto\").steps(250).seed(7)";
    assert_eq!(lines[verdict + 2], again, "{told}");
}

#[test]
fn the_report_is_there_for_those_who_want_it() {
    let report = forgetful(DOOR).strategy("uniform").run().unwrap();
    assert_eq!(report.verdict, Overall::Violated);
    assert_eq!(report.violations[0].trace.len(), 3);
    assert_eq!(report.requirements[0].judgement, Judgement::Violated);
    let again = forgetful(DOOR).strategy("uniform").run().unwrap();
    assert_eq!((again.runs, again.steps), (report.runs, report.steps));
    let other = forgetful(DOOR).strategy("uniform").runs(1).steps(2).run().unwrap();
    assert_eq!((other.verdict, other.steps), (Overall::Covered, 2));
}

#[test]
fn objectives_are_covered_or_named() {
    let specification = format!("{DOOR}{OPENED}");
    forgetful(&specification).objective("opened").strategy("uniform").assert_passes();
    let shut = || Test::of_text(&specification).system(|| (), |_, _, _| {});
    let told = message(|| shut().total_steps(100).assert_passes());
    assert!(told.starts_with("specification does not pass: not covered within the limits: opened, twice\n"));
    let told = message(|| shut().objective("opend").assert_passes());
    assert_eq!(told, "specification cannot be tested: there is no objective `opend`; did you mean `opened`?");
    let report = shut().hunt().total_steps(100).run().unwrap();
    assert_eq!((report.verdict, report.objectives.len()), (Overall::Covered, 0));
}

#[test]
fn slips_of_the_pen_are_not_findings() {
    let told = message(|| {
        Test::of_text(DOOR).system(|| (), |_, input, _| assert!(!input["lokc"])).run().unwrap();
    });
    assert_eq!(told, "unknown input signal `lokc` (did you mean `lock`?)");
    let told = message(|| {
        Test::of_text(DOOR).system(|| (), |_, _, output| output.set("opne", true)).assert_passes();
    });
    assert_eq!(told, "unknown output signal `opne` (did you mean `open`?)");
    let told =
        message(|| Test::of_text(DOOR).system(|| (), |_, _, output| output.say("open")).assert_passes());
    assert_eq!(told, "outputs are signals here: use `set` instead of `say` for `open`");
}

#[test]
fn other_panics_are_findings() {
    let told = message(|| {
        let step = |steps: &mut u32, _: &provoke::Input<'_>, _: &mut provoke::Output<'_>| {
            *steps += 1;
            assert!(*steps < 3, "tired");
        };
        Test::of_text(DOOR).system(|| 0, step).assert_passes();
    });
    assert!(told.starts_with("specification does not pass: the system broke\n"), "{told}");
    assert!(told.contains("tired") && told.contains("no answer"), "{told}");
}

#[test]
fn labels_are_said() {
    let machine = "[labels]\ninputs = ['coin', 'kick']\noutputs = ['coffee', 'nothing']\n\
        [[requirement]]\nid = 'paid'\nltl = 'G (coffee -> coin)'\n";
    let test = || Test::of_text(machine);
    let pays = |_: &mut (), input: &provoke::Input<'_>, output: &mut provoke::Output<'_>| {
        assert_eq!(input["coin"], input.label() == "coin");
        output.say(if input["coin"] { "coffee" } else { "nothing" });
    };
    test().system(|| (), pays).assert_passes();
    let told = message(|| test().system(|| (), |_, _, output| output.say("coffee")).assert_passes());
    assert!(told.contains(">    1  kick / coffee\n"), "{told}");
    let told = message(|| test().system(|| (), |_, _, output| output.set("coffee", true)).assert_passes());
    assert_eq!(told, "outputs are labels here: use `say` instead of `set` for `coffee`");
    let told = message(|| test().system(|| (), |_, _, _| {}).assert_passes());
    assert_eq!(told, "the system gave no answer: it must `say` a label in every step");
}

#[test]
fn files_machines_and_systems_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("door.toml");
    std::fs::write(&path, format!("{DOOR}[system]\nmodel = 'door.dot'\n")).unwrap();
    let machine = |answer| format!("digraph {{ __start0 -> q; q -> q [label=\"true / {answer}\"]; }}");
    std::fs::write(folder.path().join("door.dot"), machine("!open")).unwrap();
    Test::of(&path).assert_passes();
    std::fs::write(folder.path().join("door.dot"), machine("open")).unwrap();
    let told = message(|| Test::of(&path).keep_traces().assert_passes());
    assert!(told.starts_with(&format!("{} does not pass: violated locked\n", path.display())), "{told}");
    assert!(folder.path().join("door.traces/locked.trace").is_file());
    let open = Closure::new(|| (), |(), _| provoke::letter::Letter::default());
    let mended = Test::of(&path).keep_traces().on(open).run().unwrap();
    assert_eq!(mended.no_longer.len(), 1);
    let told = message(|| Test::of(folder.path().join("none.toml")).assert_passes());
    assert!(told.contains("none.toml cannot be tested: ") && told.contains("cannot read"), "{told}");
    let told = message(|| Test::of_text(DOOR).assert_passes());
    assert!(told.starts_with("specification cannot be tested: no system to test"), "{told}");
    let told = message(|| Test::of(&path).strategy("unifrom").option("epsilon", 0.5).assert_passes());
    assert!(told.ends_with("there is no strategy `unifrom`; did you mean `uniform`?"), "{told}");
}

#[test]
fn numbers_go_to_their_ends_where_that_takes_fewer_steps() {
    let text = "[signals.inputs]\nspeed = { real = [-5.0, 5.0] }\n[signals.outputs]\ntemp = 'real'\n\
        [[requirement]]\nid = 'R'\nltl = 'G temp < 20'\n";
    let report = Test::of_text(text)
        .system(
            || 10.0,
            |temp: &mut f64, input, output| {
                *temp += input.real("speed") / 2.0;
                output.set_real("temp", *temp);
            },
        )
        .seed(1)
        .run()
        .unwrap();
    // Two and a half degrees a step at most: no run is shorter.
    assert_eq!(report.violations[0].trace.len(), 4);
}
