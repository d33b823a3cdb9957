use super::*;
use crate::letter::{Alphabet, Kind, Letter};
use crate::trace::Step;
use crate::trace::write_trace;

fn interface() -> Interface {
    Interface::signals(["a", "b_0", "b_1"], ["x"]).unwrap()
}

fn labels() -> Interface {
    Interface::labels(["coin", "push"], ["open", "shut, really"]).unwrap()
}

fn parse_as(format: Format, interface: &Interface, text: &str) -> Result<Trace, SpecError> {
    parse(&Source::new("run", text), format, interface, &Options::default())
}

fn shown(format: Format, text: &str) -> String {
    let trace = parse_as(format, &interface(), text).unwrap_or_else(|error| panic!("{error}"));
    let text = write_trace(&interface(), &trace, &[]);
    text.lines().skip(1).map(|line| line.replace(['a', 'b', 'x', '_', '='], "")).collect::<Vec<_>>().join("|")
}

fn fault(format: Format, text: &str) -> (String, Option<(usize, usize)>) {
    let error = parse_as(format, &interface(), text).unwrap_err();
    assert!(!error.to_string().is_empty());
    (error.message().to_owned(), error.line_column())
}

#[test]
fn csv_is_read_by_its_header() {
    assert_eq!(shown(Format::Csv, "x,a,b_0,b_1\n1,0,1,true\n\n0,1,0,FALSE\n"), "0 01 11 / 1|1 00 10 / 0");
    assert_eq!(shown(Format::Csv, "\u{feff}time;a;\"b_0\";b_1;x\r\n0.5;1;1;\"1\";1"), "1 01 11 / 1");
    assert_eq!(shown(Format::Csv, "a\tb_0\tb_1\tx\n 1\t0\t0 \t1\n"), "1 00 10 / 1");
    let trace = parse_as(Format::Csv, &labels(), "input,output\ncoin,open\npush,\"shut, really\"\n").unwrap();
    assert_eq!(trace[1].output.index(), 1);
}

#[test]
fn csv_faults_are_shown() {
    let csv = |text: &str| fault(Format::Csv, text);
    assert_eq!(csv("a,b0,b_1,x\n"), ("there is no column `b_0`".into(), Some((1, 1))));
    assert_eq!(
        csv("a,b_0,b_1,x\n1,0,0\n"),
        ("this line has 3 fields, the header has 4".into(), Some((2, 1)))
    );
    assert_eq!(csv("a,b_0,b_1,x\n1,0,yes,1\n"), ("`yes` is not a value of a signal".into(), Some((2, 5))));
    assert_eq!(csv("a,b_0,b_1,x\n1,0,\"1,1\n"), ("this quote is never closed".into(), Some((2, 5))));
    assert_eq!(csv("a,a,b_0,b_1,x\n").0, "column `a` stands twice");
    assert_eq!(csv("").0, "run is empty");
    let help = parse_as(Format::Csv, &interface(), "a,b0,b_1,x\n").unwrap_err();
    assert_eq!(help.help_text(), Some("the file has `b0`; names must be the same"));
}

#[test]
fn json_lines_are_read() {
    assert_eq!(
        shown(
            Format::JsonLines,
            "{\"a\": 1, \"b_0\": false, \"b_1\": 0, \"x\": true, \"t\": 3}\n\n\
             {\"inputs\": {\"a\": 0, \"b_0\": 1, \"b_1\": 1}, \"outputs\": {\"x\": 0}}\n"
        ),
        "1 00 10 / 1|0 01 11 / 0"
    );
    let trace =
        parse_as(Format::JsonLines, &labels(), "{\"input\": \"push\", \"output\": \"open\"}").unwrap();
    assert_eq!((trace[0].input.index(), trace[0].output.index()), (1, 0));
}

#[test]
fn json_faults_are_shown() {
    let json = |text: &str| fault(Format::JsonLines, text);
    assert_eq!(json("{\"a\": 1, \"b_0\": 1, \"b_1\": 1}"), ("signal `x` is missing".into(), Some((1, 1))));
    assert_eq!(
        json("\n {\"a\": 1, \"b_0\": 1, \"b_1\": 1, \"x\": 7}"),
        ("`x` is not true or false here".into(), Some((2, 31)))
    );
    assert_eq!(json("{\"a\": 1,}").0, "this is not JSON: trailing comma");
    assert_eq!(json("[1]").0, "expected an object, as in {\"a\": 1, \"x\": 0}");
}

const VCD: &str = "$date today $end $timescale 1 ns $end
$scope module top $end
  $var wire 1 ! clk $end
  $var wire 1 \" a $end
  $var wire 2 # b [1:0] $end
  $scope module dut $end $var reg 1 $ x $end $upscope $end
$upscope $end
$enddefinitions $end
$dumpvars 0! 0\" b0 # 0$ $end
#0
b10 #
#5 1!
#10 0! 1\" 1$
#15 1!
#20
";

#[test]
fn vcd_has_one_step_a_time_stamp() {
    assert_eq!(shown(Format::Vcd, VCD), "0 00 11 / 0|0 00 11 / 0|1 00 11 / 1|1 00 11 / 1");
    let options = Options { clock: Some("top.clk".into()), ..Options::default() };
    let clocked = parse(&Source::new("run", VCD), Format::Vcd, &interface(), &options).unwrap();
    // Just before the edges at 5 and 15.
    assert_eq!(clocked.len(), 2);
    assert_eq!((clocked[0].input.index(), clocked[1].input.index()), (0b100, 0b101));
}

#[test]
fn vcd_faults_are_shown() {
    let vcd = |text: &str| fault(Format::Vcd, text);
    assert_eq!(vcd(&VCD.replace("1\" 1$", "x\" 1$")).0, "this value (`x`) is neither 0 nor 1 at #10");
    assert_eq!(vcd(&VCD.replace("1\" 1$", "x\" 1$")).1, Some((13, 8)));
    assert_eq!(vcd(&VCD.replace(" a $end", " aa $end")).0, "run has no variable `a`");
    assert_eq!(vcd(&VCD.replace("1 \" a $end", "8 \" a $end")).0, "variable `a` of run has 8 bits");
    assert_eq!(
        vcd(&VCD.replace("0$ $end", "$end")),
        ("the variable with the code `$` has no value yet at #0".into(), Some((10, 1)))
    );
    assert_eq!(vcd(&VCD.replace("#15", "#now")).0, "`#now` is not a time stamp");
    assert_eq!(vcd(&VCD.replace("#15 1!", "#15 go")).0, "expected a value change, found `go`");
    assert_eq!(vcd("$scope module top").0, "this section has no `$end`");
    assert_eq!(vcd("").0, "the declarations have no `$enddefinitions`");
    let twice = VCD.replace("$var reg 1 $ x $end", "$var reg 1 $ x $end $var reg 1 % a $end");
    assert_eq!(vcd(&twice).0, "`a` is the name of several variables in run");
}

#[test]
fn the_form_is_told_by_the_beginning() {
    assert_eq!(by_content("# provoke trace 1\na=1 / x=0\n"), Format::Text);
    assert_eq!(by_content("\n{\"a\": 1}\n"), Format::JsonLines);
    assert_eq!(by_content(VCD), Format::Vcd);
    assert_eq!(by_content("a,b,x\n"), Format::Csv);
    assert_eq!(by_name(Path::new("run.VCD")), Some(Format::Vcd));
}

/// What is read can be written and read again; a fault that has a place has one in the text.
fn read_or_shown(format: Format, text: &str) {
    match parse_as(format, &interface(), text) {
        Ok(trace) => {
            let written = write_trace(&interface(), &trace, &[]);
            assert_eq!(parse_as(Format::Text, &interface(), &written).ok(), Some(trace), "{text}");
        }
        Err(error) => {
            let (line, _) = error.line_column().unwrap_or((1, 1));
            assert!(line <= text.matches('\n').count() + 1, "{error}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_readers_panic(text in "[ab_01x,;\"{}:$#\\[\\]\n\r é.-]{0,60}") {
        for format in [Format::Text, Format::Csv, Format::JsonLines, Format::Vcd] {
            read_or_shown(format, &text);
        }
    }

    #[test]
    fn damaged_dumps_do_not_panic(at in 0usize..400, piece in "(\\$end|\\$var|#|b|1|x!|é| |\\[9:3\\]){1,3}") {
        let mut text = VCD.to_owned();
        let at = at.min(text.len());
        text.insert_str(at, &piece);
        read_or_shown(Format::Vcd, &text);
    }
}

/// Numbers, negative ones among them, names and truth values.
fn typed() -> Interface {
    let names = |names: &[&'static str]| Kind::enumeration(names.iter().copied());
    let inputs = [
        ("call", Kind::Number { low: 0, high: 6 }),
        ("shift", Kind::Number { low: -3, high: 12 }),
        ("mode", names(&["idle", "man\\ual", "a,b", "$end"])),
        ("a", Kind::Boolean),
    ];
    let outputs = [
        ("floor", Kind::Number { low: 1, high: 6 }),
        ("deep", Kind::Number { low: -9, high: -2 }),
        ("same", Kind::Number { low: 0, high: 1 }),
        ("motor", names(&["up", "down", "off"])),
    ];
    let side = |fields: [(&str, Kind); 4]| {
        Alphabet::of_fields(fields.map(|(name, kind)| (name.to_owned(), kind))).unwrap()
    };
    Interface::new(side(inputs), side(outputs)).unwrap()
}

proptest::proptest! {
    #[test]
    fn values_of_every_kind_are_read_back(places in proptest::collection::vec(proptest::array::uniform8(0u64..1_000), 1..12)) {
        let interface = typed();
        let letter = |side: &Alphabet, places: &[u64]| {
            let pairs = side.fields().iter().zip(places);
            pairs.fold(Letter::from_index(0), |letter, (field, place)| field.set(letter, field.value(place % field.count())))
        };
        let step = |places: &[u64; 8]| Step {
            input: letter(&interface.inputs, &places[..4]),
            output: letter(&interface.outputs, &places[4..]),
        };
        let trace: Trace = places.iter().map(step).collect();
        for format in [Format::Vcd, Format::Csv, Format::JsonLines, Format::Text] {
            let text = write(&interface, &trace, format, &[]);
            let read = parse_as(format, &interface, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            proptest::prop_assert_eq!(&read, &trace, "{}", text);
        }
    }
}

#[test]
fn numbers_are_vectors_and_names_are_texts() {
    let interface = typed();
    let trace = parse_as(
        Format::Csv,
        &interface,
        "call,shift,mode,a,floor,deep,same,motor\n5,-3,idle,1,6,-9,1,off\n",
    );
    let text = write(&interface, &trace.unwrap(), Format::Vcd, &[]);
    for line in [
        "$var wire 3 \" call [2:0] $end",
        "$var wire 5 # shift [4:0] $end",
        "$var string 1 $ mode $end",
        "b101 \"",
        "b11101 #",
        "sidle $",
        "1%",
        "b10111 '",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    let wrong = text.replace("b101 \"", "b111 \"");
    let error = parse_as(Format::Vcd, &interface, &wrong).unwrap_err();
    assert_eq!(error.message(), "`call` is `111` here, and not a number from 0 to 6");
    // Simulators write the place of a name.
    let bits = |line: &str| match line.ends_with(" motor $end") {
        true => line.replace("string 1", "wire 2"),
        false => line.replace("soff", "b10"),
    };
    let placed: String = text.lines().map(|line| bits(line) + "\n").collect();
    let read =
        |text: &str| parse_as(Format::Vcd, &interface, text).map_err(|error| error.message().to_owned());
    assert_eq!(read(&placed), read(&text));
    assert_eq!(
        read(&placed.replace("b10 ", "b11 ")),
        Err("`motor` is `11` here, and not one of up, down, off".to_owned())
    );
    // An answer that is none of its signal's values is kept as it was said; only its range judges it.
    let unknown = parse_as(Format::Vcd, &interface, &text.replace("soff", "sof")).unwrap();
    assert!(interface.outputs.is_stray(unknown[0].output));
    assert_eq!(interface.outputs.show(unknown[0].output).to_string(), "floor=6 deep=-9 same=1 motor=of");
}
