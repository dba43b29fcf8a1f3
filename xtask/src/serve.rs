//! A static web server, as small as any host's: files in, bytes out.
//!
//! Knows: GET and HEAD, the type of a file by its ending, and one folder mounted at one path, with
//! nothing beside it. Does not know: any header that makes a page work here and not elsewhere.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::error::Result;

/// A request's line and headers; ours need a tenth of it.
const HEAD_BYTES_MAX: u64 = 16 * 1024;
/// A browser opens connections ahead of need: they may stay silent this long.
const SILENCE_MAX: Duration = Duration::from_secs(30);

/// A server that has its port and waits to be run.
pub(crate) struct Server {
    listener: TcpListener,
    address: String,
    share: Arc<Share>,
}

/// One folder, and the path where it is mounted: it begins and ends with a slash.
struct Share {
    folder: PathBuf,
    mount: String,
}

/// What a request is answered with.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    File(PathBuf),
    Moved(String),
    Refused(&'static str),
}

impl Server {
    /// Takes a port on the loopback address; port 0 takes any free one.
    pub(crate) fn bind(folder: PathBuf, mount: &str, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = format!("http://{}{mount}", listener.local_addr()?);
        let share = Arc::new(Share {
            folder,
            mount: mount.to_owned(),
        });
        Ok(Server {
            listener,
            address,
            share,
        })
    }

    /// The address of the mounted folder, with its last slash.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Serves until the process ends.
    pub(crate) fn run(self) -> Result<()> {
        for stream in self.listener.incoming().flatten() {
            let share = Arc::clone(&self.share);
            // A browser that hangs up early is no news.
            thread::spawn(move || share.serve(&stream));
        }
        Ok(())
    }

    /// Serves on a thread of its own, until the process ends.
    pub(crate) fn run_in_background(self) {
        thread::spawn(move || self.run());
    }
}

impl Share {
    fn serve(&self, mut stream: &TcpStream) -> io::Result<()> {
        stream.set_read_timeout(Some(SILENCE_MAX))?;
        let Some((method, target)) = read_head(stream)? else {
            return Ok(());
        };
        let answer = match method.as_str() {
            "GET" | "HEAD" => self.answer(&target),
            _ => Answer::Refused("405 Method Not Allowed"),
        };
        let (head, body) = response(&answer);
        stream.write_all(head.as_bytes())?;
        if method != "HEAD" {
            stream.write_all(&body)?;
        }
        stream.flush()
    }

    fn answer(&self, target: &str) -> Answer {
        let path = target.split(['?', '#']).next().unwrap_or_default();
        if format!("{path}/") == self.mount {
            return Answer::Moved(self.mount.clone());
        }
        let Some(path) = path.strip_prefix(&self.mount).and_then(decode) else {
            return Answer::Refused("404 Not Found");
        };
        if !stays_inside(Path::new(&path)) {
            return Answer::Refused("403 Forbidden");
        }
        let file = self.folder.join(&path);
        if file.is_dir() {
            let is_spelled_as_folder = path.is_empty() || path.ends_with('/');
            return match is_spelled_as_folder {
                true => existing(file.join("index.html")),
                false => Answer::Moved(format!("{}{path}/", self.mount)),
            };
        }
        existing(file)
    }
}

/// Neither `..` nor a root: joined to a folder, such a path stays in it.
fn stays_inside(path: &Path) -> bool {
    path.components()
        .all(|part| matches!(part, Component::Normal(_)))
}

fn existing(file: PathBuf) -> Answer {
    if file.is_file() {
        Answer::File(file)
    } else {
        Answer::Refused("404 Not Found")
    }
}

/// The method and the target of a request, once its whole head is there.
fn read_head(stream: &TcpStream) -> io::Result<Option<(String, String)>> {
    let mut lines = BufReader::new(stream.take(HEAD_BYTES_MAX)).lines();
    let Some(first) = lines.next().transpose()? else {
        return Ok(None);
    };
    for line in lines {
        if line?.is_empty() {
            let mut words = first.split(' ').map(str::to_owned);
            return Ok(words.next().zip(words.next()));
        }
    }
    Ok(None)
}

fn response(answer: &Answer) -> (String, Vec<u8>) {
    match answer {
        Answer::File(path) => match fs::read(path) {
            Ok(body) => (
                head(
                    "200 OK",
                    &[("Content-Type", content_type(path))],
                    body.len(),
                ),
                body,
            ),
            Err(_) => response(&Answer::Refused("404 Not Found")),
        },
        Answer::Moved(to) => (
            head("301 Moved Permanently", &[("Location", to)], 0),
            Vec::new(),
        ),
        Answer::Refused(status) => (
            head(
                status,
                &[("Content-Type", "text/plain; charset=utf-8")],
                status.len(),
            ),
            status.as_bytes().to_vec(),
        ),
    }
}

/// No connection and no file is kept: a build is seen at the next reload.
fn head(status: &str, headers: &[(&str, &str)], length: usize) -> String {
    let own: String = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    format!(
        "HTTP/1.1 {status}\r\n{own}Content-Length: {length}\r\n\
         Cache-Control: no-cache\r\nConnection: close\r\n\r\n"
    )
}

fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        let digit = |byte: u8| (byte as char).to_digit(16);
        bytes.push(match byte {
            b'%' => u8::try_from(digit(rest.next()?)? * 16 + digit(rest.next()?)?).ok()?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn content_type(path: &Path) -> &'static str {
    match path
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
    {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(name: &str, mount: &str) -> Share {
        let folder =
            std::env::temp_dir().join(format!("fencepost-serve-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("deep")).unwrap();
        fs::write(folder.join("index.html"), "front").unwrap();
        fs::write(folder.join("deep/index.html"), "deep").unwrap();
        fs::write(folder.join("a b.js"), "script").unwrap();
        Share {
            folder,
            mount: mount.to_owned(),
        }
    }

    #[test]
    fn the_mounted_folder_is_there_and_nothing_beside_it() {
        let share = share("table", "/some/sub/");
        let file = |name: &str| Answer::File(share.folder.join(name));
        let table = [
            ("/some/sub/", file("index.html")),
            ("/some/sub/?lesson=2#top", file("index.html")),
            ("/some/sub/index.html", file("index.html")),
            ("/some/sub/a%20b.js", file("a b.js")),
            ("/some/sub/deep/", file("deep/index.html")),
            ("/some/sub/deep", Answer::Moved("/some/sub/deep/".into())),
            ("/some/sub", Answer::Moved("/some/sub/".into())),
            ("/some/sub/none.js", Answer::Refused("404 Not Found")),
            ("/some/sub/a%2", Answer::Refused("404 Not Found")),
            ("/index.html", Answer::Refused("404 Not Found")),
            ("/", Answer::Refused("404 Not Found")),
            (
                "/some/sub/../../etc/passwd",
                Answer::Refused("403 Forbidden"),
            ),
            ("/some/sub/%2e%2e/secret", Answer::Refused("403 Forbidden")),
            ("/some/sub//etc/passwd", Answer::Refused("403 Forbidden")),
        ];
        for (target, expected) in table {
            assert_eq!(share.answer(target), expected, "{target}");
        }
        fs::remove_dir_all(&share.folder).unwrap();
    }

    #[test]
    fn a_browser_gets_its_page() {
        let share = share("tcp", "/");
        let server = Server::bind(share.folder.clone(), "/", 0).unwrap();
        let host = server.listener.local_addr().unwrap();
        server.run_in_background();
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let page = ask("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assert!(
            page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"),
            "{page}"
        );
        assert!(page.ends_with("\r\n\r\nfront"), "{page}");
        let head = ask("HEAD / HTTP/1.1\r\n\r\n");
        assert!(
            head.contains("Content-Length: 5\r\n") && head.ends_with("\r\n\r\n"),
            "{head}"
        );
        assert!(ask("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
        fs::remove_dir_all(&share.folder).unwrap();
    }
}
