//! A system under test that writes down what is said to it: the campaign as the system sees it, run by run.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crate::machine::Answering;

/// So many exchanges are told in one line; systems without a reset have one run only.
const EXCHANGES: usize = 50;

/// A server at an address of its own. Each connection is a run.
pub(crate) struct Recorder {
    pub(crate) address: String,
    is_over: Arc<AtomicBool>,
    serving: JoinHandle<String>,
}

impl Recorder {
    /// Serves what `start` makes at each reset.
    pub(crate) fn new(mut start: impl FnMut() -> Answering + Send + 'static) -> Recorder {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = is_over.clone();
        let serving = std::thread::spawn(move || {
            let mut told = String::new();
            for run in 1.. {
                let (connection, _) = listener.accept().unwrap();
                if ends.load(Ordering::SeqCst) {
                    break;
                }
                told.push_str(&serve(connection, start(), run));
            }
            told
        });
        Recorder { address, is_over, serving }
    }

    /// What was recorded, a line a run.
    pub(crate) fn end(self) -> String {
        self.is_over.store(true, Ordering::SeqCst);
        TcpStream::connect(&self.address).unwrap();
        self.serving.join().unwrap()
    }
}

/// Answers until the connection is closed; tells the number of steps and a hash of all exchanges.
fn serve(connection: TcpStream, mut answering: Answering, run: usize) -> String {
    connection.set_nodelay(true).unwrap();
    let mut writer = connection.try_clone().unwrap();
    let mut exchanges = Vec::new();
    // A connection that is reset rather than closed is over as well.
    for line in BufReader::new(connection).lines().map_while(Result::ok) {
        let answer = answering(&line);
        exchanges.push(format!("{line} / {answer}\n"));
        if writer.write_all(format!("{answer}\n").as_bytes()).is_err() {
            break;
        }
    }
    if exchanges.is_empty() {
        return format!("run {run}: 0 steps\n");
    }
    let told = |(part, exchanges): (usize, &[String])| {
        let from = part * EXCHANGES;
        let begins = if part == 0 { String::new() } else { format!(" from {}", from + 1) };
        let hash = hash(&exchanges.concat());
        format!("run {run}{begins}: {} steps, {hash:016x}\n", exchanges.len())
    };
    exchanges.chunks(EXCHANGES).enumerate().map(told).collect()
}

/// FNV-1a.
pub(crate) fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}
