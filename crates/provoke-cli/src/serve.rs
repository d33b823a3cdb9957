//! `--serve`: the page while the session goes on, for a browser on this machine. It can only be looked at.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use provoke::account::Account;

/// How often a page that is looked at is brought up to date.
const PACE: Duration = Duration::from_millis(400);
/// How long browsers have to take the last word.
const GOODBYE: Duration = Duration::from_secs(2);
/// The most who may look at once, and the longest request.
const VISITORS: usize = 16;
const REQUEST: u64 = 16 * 1024;

/// Serves the page of an account until it is dropped.
pub(crate) struct Live {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    account: Arc<Mutex<Account>>,
    over: AtomicBool,
    visitors: AtomicUsize,
    loopback: bool,
}

impl Live {
    /// Listens at this address.
    pub(crate) fn open(address: &str, account: Arc<Mutex<Account>>) -> Result<Live> {
        let listener = TcpListener::bind(address).with_context(|| format!("failed to serve at {address}"))?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            account,
            over: AtomicBool::new(false),
            visitors: AtomicUsize::new(0),
            loopback: address.ip().is_loopback(),
        });
        let own = shared.clone();
        std::thread::spawn(move || own.listen(&listener));
        Ok(Live { address, shared })
    }

    /// Where the page is.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        let since = Instant::now();
        while self.shared.visitors.load(Ordering::SeqCst) > 0 && since.elapsed() < GOODBYE {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// One who looks.
struct Visit<'s>(&'s Shared);

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.0.visitors.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    fn listen(self: &Arc<Shared>, listener: &TcpListener) {
        while !self.over.load(Ordering::SeqCst) {
            match listener.accept() {
                Ok((stream, _)) if self.visitors.load(Ordering::SeqCst) < VISITORS => {
                    self.visitors.fetch_add(1, Ordering::SeqCst);
                    let own = self.clone();
                    std::thread::spawn(move || {
                        let _visit = Visit(&own);
                        // One who went away has seen enough.
                        let _ = own.answer(&stream);
                    });
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    fn answer(&self, stream: &TcpStream) -> std::io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.set_write_timeout(Some(Duration::from_secs(5)))?;
        let mut lines = BufReader::new(stream.take(REQUEST)).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        let mut host = None;
        for line in lines {
            let line = line?;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                host = Some(value.trim().to_owned());
            }
        }
        let mut words = first.split(' ');
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        // Another site must not read this one through a name of its own.
        if self.loopback && !host.as_deref().is_some_and(is_local) {
            return respond(stream, "403 Forbidden", "text/plain", "not for this host\n", true);
        }
        if method != "GET" && method != "HEAD" {
            return respond(stream, "405 Method Not Allowed", "text/plain", "only GET\n", true);
        }
        let body = method == "GET";
        match path.split('?').next().unwrap_or("") {
            "/" => respond(stream, "200 OK", "text/html; charset=utf-8", &self.now().live_page(), body),
            "/data.json" => {
                let data = self.now().page_data(true).to_string();
                respond(stream, "200 OK", "application/json", &data, body)
            }
            "/events" if body => self.events(stream),
            _ => respond(stream, "404 Not Found", "text/plain", "there is nothing here\n", body),
        }
    }

    fn now(&self) -> Account {
        self.account.lock().map(|account| account.clone()).unwrap_or_default()
    }

    /// Server-sent events: all data again whenever something has changed.
    fn events(&self, mut stream: &TcpStream) -> std::io::Result<()> {
        stream.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        )?;
        let mut last = String::new();
        loop {
            // Asked first: what is sent after the end is the whole of it.
            let is_over = self.over.load(Ordering::SeqCst);
            let now = self.now();
            let mark = format!("{} {} {:?}", now.doing, now.findings.len(), now.progress);
            if mark != last || is_over {
                last = mark;
                write!(stream, "data: {}\n\n", now.page_data(true))?;
                stream.flush()?;
            }
            if is_over || now.is_over() {
                return Ok(());
            }
            let since = Instant::now();
            while since.elapsed() < PACE && !self.over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

/// Whether a `Host` names this machine.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn respond(mut to: &TcpStream, status: &str, kind: &str, text: &str, body: bool) -> std::io::Result<()> {
    write!(
        to,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        text.len()
    )?;
    if body {
        to.write_all(text.as_bytes())?;
    }
    to.flush()
}
