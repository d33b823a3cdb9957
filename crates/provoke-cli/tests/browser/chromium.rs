//! A browser that is driven over its debugging protocol: a socket, frames, and JSON.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) struct Browser {
    child: Child,
    socket: TcpStream,
    next: u64,
    /// Errors that the console or the page told of.
    pub(crate) errors: Vec<String>,
    _folder: tempfile::TempDir,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, where it is installed.
fn program() -> Option<&'static str> {
    ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        let found = Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        found.is_ok_and(|status| status.success())
    })
}

impl Browser {
    /// None where there is no browser on this machine.
    pub(crate) fn start() -> Option<Browser> {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(program()?);
        command.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]);
        command.args(["--disable-dev-shm-usage", "--disable-extensions", "--remote-debugging-port=0"]);
        command.arg(format!("--user-data-dir={}", folder.path().display())).arg("about:blank");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
            let rest = line.strip_prefix("DevTools listening on ws://")?.to_owned();
            Some(rest.split('/').next()?.to_owned())
        });
        let address = address.expect("the browser says where it listens");
        std::thread::spawn(move || lines.for_each(drop));
        let mut http = TcpStream::connect(&address).unwrap();
        write!(http, "GET /json/list HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        let targets: Value = serde_json::from_slice(&body(&mut http)).unwrap();
        let page = targets.as_array().unwrap().iter().find(|target| target["type"] == "page").unwrap();
        let url = page["webSocketDebuggerUrl"].as_str().unwrap();
        let path = url.strip_prefix(&format!("ws://{address}")).unwrap();
        let mut socket = TcpStream::connect(&address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        write!(
            socket,
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        .unwrap();
        let mut byte = [0];
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            socket.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        let mut browser = Browser { child, socket, next: 0, errors: Vec::new(), _folder: folder };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        Some(browser)
    }

    fn send(&mut self, text: &str) {
        let mut frame = vec![0x81];
        match text.len() {
            length @ 0..126 => frame.push(0x80 | length as u8),
            length @ 126..65536 => {
                frame.push(0x80 | 126);
                frame.extend((length as u16).to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        // A mask of zeros leaves the text as it is.
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.socket.write_all(&frame).unwrap();
    }

    /// One message, whatever number of frames it comes in.
    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        loop {
            let mut head = [0; 2];
            self.socket.read_exact(&mut head).expect("the browser answers");
            let mut length = u64::from(head[1] & 0x7f);
            if length >= 126 {
                let mut long = vec![0; if length == 126 { 2 } else { 8 }];
                self.socket.read_exact(&mut long).unwrap();
                length = long.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
            }
            let mut payload = vec![0; length as usize];
            self.socket.read_exact(&mut payload).unwrap();
            message.extend(payload);
            if head[0] & 0x80 != 0 {
                return serde_json::from_slice(&message).unwrap();
            }
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        let is_error = match event["method"].as_str().unwrap_or("") {
            "Runtime.exceptionThrown" => true,
            "Runtime.consoleAPICalled" => {
                ["error", "warning"].contains(&params["type"].as_str().unwrap_or(""))
            }
            "Log.entryAdded" => params["entry"]["level"] == "error",
            _ => false,
        };
        if is_error {
            self.errors.push(params.to_string());
        }
    }

    /// Calls a method and waits for its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "id": id, "method": method, "params": params }).to_string());
        loop {
            let mut message = self.receive();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.note(&message);
        }
    }

    /// Opens a page and waits until it is there.
    pub(crate) fn open(&mut self, url: &str, width: u32, dark: bool) {
        let size = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
        self.send(&json!({ "id": 0, "method": "Page.navigate", "params": { "url": url } }).to_string());
        loop {
            let message = self.receive();
            self.note(&message);
            if message["method"] == "Page.loadEventFired" {
                break;
            }
        }
        // What came in the meantime has been told by the time this is answered.
        self.run("0");
    }

    /// The value of an expression in the page.
    pub(crate) fn run(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// Moves the pointer to the middle of what a selector finds.
    pub(crate) fn point_at(&mut self, selector: &str, share: f64) {
        let place = self.run(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return [b.left + b.width * {share}, b.top + b.height / 2]; }})()"
        ));
        self.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": place[0], "y": place[1] }));
    }

    /// A small picture of the page down to 3,000 pixels, as JPEG.
    pub(crate) fn picture(&mut self, to: &Path, width: u32) {
        let high = self.run("Math.min(3000, document.documentElement.scrollHeight)");
        let clip = json!({ "x": 0, "y": 0, "width": width, "height": high, "scale": 0.6 });
        let params = json!({ "format": "jpeg", "quality": 50, "captureBeyondViewport": true, "clip": clip });
        let shot = self.call("Page.captureScreenshot", params);
        std::fs::write(to, base64(shot["data"].as_str().unwrap())).unwrap();
    }
}

/// The body of an answer that says how long it is.
fn body(from: &mut TcpStream) -> Vec<u8> {
    from.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut lines = BufReader::new(from);
    let mut length = 0;
    loop {
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).unwrap();
    body
}

fn base64(text: &str) -> Vec<u8> {
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for chunk in text.trim_end_matches('=').as_bytes().chunks(4) {
        let whole = chunk.iter().fold(0u32, |sum, &byte| sum << 6 | u32::from(value(byte)))
            << (6 * (4 - chunk.len()));
        bytes.extend(&whole.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}
