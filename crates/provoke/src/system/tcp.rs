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
    /// It was called before: a busy signal may pass.
    pub(super) known: bool,
}

impl Tcp {
    pub(super) fn new(address: String) -> Tcp {
        Tcp { address, known: false }
    }

    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The error of a server that cannot be reached.
    pub(super) fn unreachable(&self, why: String) -> SystemError {
        SystemError::Unstartable { what: self.address.clone(), why }
    }

    /// Calls the server, once for each address that its name has.
    pub(super) fn connect_once(&self, time: Duration) -> io::Result<Connection> {
        let addresses: Vec<SocketAddr> = self.address.to_socket_addrs()?.collect();
        let mut failure = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in addresses {
            match TcpStream::connect_timeout(&address, time) {
                // Calling a free port again and again may end in talking to ourselves.
                Ok(stream) if stream.local_addr().ok() == Some(address) => {
                    failure = io::ErrorKind::ConnectionRefused.into();
                }
                Ok(stream) => {
                    // One write a line, sent at once: Nagle's algorithm would hold it back for the last
                    // acknowledgement.
                    stream.set_nodelay(true)?;
                    stream.set_nonblocking(true)?;
                    let from = OwnedFd::from(stream.try_clone()?);
                    return Ok(Connection::new(stream.into(), from, Stderr::default()));
                }
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn connect(&self, time: Duration) -> io::Result<Connection> {
        let start = Instant::now();
        loop {
            let left = time.saturating_sub(start.elapsed()).max(Duration::from_millis(1));
            match self.connect_once(left) {
                // A server that serves one client after another may still be busy with our last call.
                Err(error) if is_refused(&error) && self.known && start.elapsed() < time => {
                    std::thread::sleep(Duration::from_millis(5).min(left));
                }
                result => return result,
            }
        }
    }
}

pub(super) fn is_refused(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ConnectionRefused
}

impl Link for Tcp {
    fn open(&mut self, time: Duration) -> Result<Connection, SystemError> {
        let connection = self.connect(time);
        self.known = true;
        connection.map_err(|error| match error.kind() {
            io::ErrorKind::ConnectionRefused => SystemError::Refused { address: self.address.clone() },
            io::ErrorKind::InvalidInput => {
                self.unreachable("expected an address such as 127.0.0.1:7000".to_owned())
            }
            io::ErrorKind::TimedOut => self.unreachable("no answer to the call".to_owned()),
            _ => self.unreachable(error.to_string()),
        })
    }

    fn close(&mut self, connection: Connection, _: Farewell) -> (Ending, Stderr) {
        let (_, _, stderr) = connection.into_ends();
        (Ending::HungUp, stderr)
    }

    fn starts_afresh(&self) -> bool {
        false
    }
}
