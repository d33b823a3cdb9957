//! A TCP server as the system under test.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use super::connection::Connection;
use super::lines::{Farewell, Link};
use super::stderr::Stderr;
use super::{Ending, SystemError};

/// A server that we connect to; without a reset line, every reset connects anew.
#[derive(Debug)]
pub(super) struct Tcp {
    address: String,
    /// It has answered the telephone before: a busy signal may pass.
    known: bool,
}

impl Tcp {
    pub(super) fn new(address: String) -> Tcp {
        Tcp { address, known: false }
    }

    fn connect(&self, time: Duration) -> io::Result<Connection> {
        let start = Instant::now();
        let stream = loop {
            let left = time.saturating_sub(start.elapsed()).max(Duration::from_millis(1));
            match connect_any(&self.address, left) {
                // A server that serves one client after another may still be busy with our last call.
                Err(error)
                    if error.kind() == io::ErrorKind::ConnectionRefused
                        && self.known
                        && start.elapsed() < time =>
                {
                    std::thread::sleep(Duration::from_millis(5).min(left));
                }
                result => break result?,
            }
        };
        // One write a line, sent at once: Nagle's algorithm would hold it back for the last acknowledgement.
        stream.set_nodelay(true)?;
        stream.set_nonblocking(true)?;
        let from = OwnedFd::from(stream.try_clone()?);
        Ok(Connection::new(stream.into(), from, Stderr::default()))
    }
}

fn connect_any(address: &str, time: Duration) -> io::Result<TcpStream> {
    let addresses: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, time) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

impl Link for Tcp {
    fn open(&mut self, time: Duration) -> Result<Connection, SystemError> {
        let connection = self.connect(time).map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::ConnectionRefused => "connection refused: nobody listens there".to_owned(),
                io::ErrorKind::InvalidInput => "expected an address such as 127.0.0.1:7000".to_owned(),
                io::ErrorKind::TimedOut => "no answer to the call".to_owned(),
                _ => error.to_string(),
            };
            SystemError::Unstartable { what: self.address.clone(), why }
        })?;
        self.known = true;
        Ok(connection)
    }

    fn close(&mut self, connection: Connection, _: Farewell) -> (Ending, Stderr) {
        let (_, _, stderr) = connection.into_ends();
        (Ending::HungUp, stderr)
    }

    fn starts_afresh(&self) -> bool {
        false
    }
}
