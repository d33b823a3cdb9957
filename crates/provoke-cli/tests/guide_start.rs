//! The first page of the guide: its commands are run, one after the other, and must print what it says. `...` stands for
//! the rest of a line, and by itself for any lines.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether the output is what the page shows.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, rest) => rest.is_none(),
        (Some((&"...", shown)), _) => (0..=printed.len()).any(|skipped| fits(shown, &printed[skipped..])),
        (Some(_), None) => false,
        (Some((line, shown)), Some((found, printed))) => {
            let same = match line.strip_suffix("...") {
                Some(start) => found.starts_with(start),
                None => line == found,
            };
            same && fits(shown, printed)
        }
    }
}

#[test]
fn the_first_page_does_what_it_says() {
    let has_python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !has_python.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no python3 on this machine");
        return;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/start.md");
    let page = std::fs::read_to_string(page).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut place = folder.path().to_owned();
    let mut commands = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            let (words, shown) = example.split_once('\n').unwrap();
            if let Some(into) = words.strip_prefix("cd ") {
                place.push(into);
                continue;
            }
            let words: Vec<&str> = words.split_whitespace().collect();
            assert_eq!(words[0], "provoke");
            let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
            let output =
                command.current_dir(&place).args(&words[1..]).env_remove("GITHUB_ACTIONS").output().unwrap();
            let printed = String::from_utf8(output.stdout).unwrap();
            let (shown, lines): (Vec<&str>, Vec<&str>) = (shown.lines().collect(), printed.lines().collect());
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(fits(&shown, &lines), "{words:?} printed\n{printed}{error}");
            let is_red = printed.contains("VIOLATED");
            assert_eq!(output.status.code(), Some(i32::from(is_red)), "{words:?}");
            commands += 1;
        }
    }
    assert_eq!(commands, 7);
}

fn init(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    let output = command.current_dir(folder).arg("init").args(words).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn every_language_has_a_green_and_a_red_run() {
    for language in ["python", "c", "rust", "shell"] {
        let compiler = match language {
            "python" => "python3",
            "c" => "cc",
            "rust" => "rustc",
            _ => "sh",
        };
        let found =
            Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if compiler != "sh" && !found.is_ok_and(|status| status.success()) {
            eprintln!("skipped: no {compiler} on this machine");
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let (code, said) = init(folder.path(), &["--language", language, "it-1"]);
        assert_eq!(code, Some(0), "{said}");
        let made: Vec<PathBuf> = std::fs::read_dir(folder.path().join("it-1"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        assert_eq!(made.len(), 5, "{made:?}");
        let next = said.lines().last().unwrap().strip_prefix("next: ").unwrap();
        // What it says to type is typed: the last command is the red one.
        let binary = Path::new(env!("CARGO_BIN_EXE_provoke")).parent().unwrap();
        let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.current_dir(folder.path()).env("PATH", path).env_remove("GITHUB_ACTIONS");
        let output = shell.args(["-c", &format!("{next}; echo code $?")]).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(printed.contains("objective alarmed covered in 3 steps"), "{language}: {printed}{error}");
        assert!(
            printed.contains("violation of R3") && printed.ends_with("code 1\n"),
            "{language}: {printed}{error}"
        );
        let (code, said) = init(folder.path(), &["--language", language, "it-1"]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("is there already"), "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(init(folder.path(), &["../up"]).0, Some(2));
}

#[test]
fn a_program_that_exists_is_tried() {
    let folder = tempfile::tempdir().unwrap();
    let program = "#!/bin/sh\necho ready\nwhile read line; do case \"$line\" in on) echo lit ;; off) echo dark ;; *) echo what ;; esac; done\n";
    std::fs::write(folder.path().join("lamp.sh"), program).unwrap();
    let (code, said) = init(folder.path(), &["--command", "sh lamp.sh", "lamp"]);
    assert_eq!(code, Some(0), "{said}");
    let spec = std::fs::read_to_string(folder.path().join("lamp/lamp.toml")).unwrap();
    assert!(spec.contains("banner_lines = 1") && spec.contains("#   on       -> lit\n"), "{spec}");
    assert!(spec.contains("outputs = [\"dark\", \"lit\", \"what\"]"), "{spec}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder.path().join("lamp")).args([
        "test",
        "lamp.toml",
        "--hunt",
        "--runs",
        "20",
        "--steps",
        "5",
    ]);
    let output = command.env_remove("GITHUB_ACTIONS").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}{}", String::from_utf8_lossy(&output.stdout));
    let (code, said) = init(folder.path(), &["--command", "./no-such-program", "none"]);
    assert_eq!(code, Some(2), "{said}");
}

/// Tries a shell script, then tests it as is proposed.
fn tried(name: &str, script: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("it.sh"), script).unwrap();
    let (code, said) = init(folder.path(), &["--command", "sh it.sh", name]);
    if code != Some(0) {
        return (code, said, String::new());
    }
    let spec = std::fs::read_to_string(folder.path().join(name).join(format!("{name}.toml"))).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_provoke"));
    command.current_dir(folder.path().join(name)).env_remove("GITHUB_ACTIONS");
    command.args(["test", &format!("{name}.toml"), "--hunt", "--runs", "3", "--steps", "5"]);
    let output = command.output().unwrap();
    (
        output.status.code(),
        spec,
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
    )
}

#[test]
fn what_is_proposed_runs_as_it_is() {
    // A prompt has no line end; who starts slowly is waited for.
    let (code, spec, said) =
        tried("prompts", "sleep 0.5; printf 'hello\\n> '; while read line; do printf 'yes\\n> '; done\n");
    assert!(spec.contains("banner_lines = 1\nprompt = \"> \"\n"), "{spec}");
    assert!(spec.contains("#   help     -> yes\n") && code == Some(0), "{spec}{said}");
    // Where nothing is known that must hold, it is sent anything.
    let (code, spec, said) = tried("signals", "while read line; do echo 'level=17 open=1'; done\n");
    assert!(spec.contains("level = \"0..1000\"             # seen: 17 to 17\n"), "{spec}");
    assert!(spec.contains("\n# [[requirement]]\n"), "{spec}");
    assert!(code == Some(0) && said.contains("3 runs, 15 steps"), "{said}");
    let (code, said, _) = tried("dies", "sleep 0.4; echo 'no configuration' >&2; exit 3\n");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("ended without a word, with exit code 3: no configuration"), "{said}");
}
