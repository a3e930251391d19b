"""The deployment files name options that exist, fit together, and admit nobody they shouldn't."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml
from typer.main import get_command

from pitboss.cli.app import app
from pitboss.server.connections import PEER_PATH
from pitboss.server.session_cookie import SECURE_COOKIE

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "pitboss.service").read_text("utf-8")
PROXY = (DEPLOY / "proxy.conf").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
PROCESSES = ("first", "second")


def options_of(command: str) -> dict[str, str]:
    """Return the options of the one `pitboss serve` in a command, with their values."""
    words = shlex.split(command[command.index("pitboss serve") :])[2:]
    return dict(zip(words[::2], words[1::2], strict=True))


def known() -> set[str]:
    """Return the options that `pitboss serve` has."""
    serve = get_command(app).commands["serve"]  # type: ignore[attr-defined]
    return {name for param in serve.params for name in param.opts}


def test_processes_of_the_compose_file_share_record_and_keys_and_nothing_else() -> None:
    options = [options_of(COMPOSE["services"][name]["command"][0]) for name in PROCESSES]
    for option in options:
        assert option.keys() <= known()
        assert option.keys() >= {"--database", "--keys", "--data", "--address", "--origin"}
    assert options[0] == options[1]
    assert "@database/" in options[0]["--database"]
    volumes = [
        dict(reversed(volume.split(":")) for volume in COMPOSE["services"][name]["volumes"]) for name in PROCESSES
    ]
    assert volumes[0][str(Path(options[0]["--keys"]).parent)] == volumes[1][str(Path(options[0]["--keys"]).parent)]
    assert volumes[0][options[0]["--data"]] != volumes[1][options[0]["--data"]]
    for name in PROCESSES:
        assert COMPOSE["services"][name]["environment"]["SELF"] == name
        assert COMPOSE["services"][name]["restart"] == "always"


def test_everything_the_compose_file_names_is_there() -> None:
    for service in COMPOSE["services"].values():
        for mounted in service.get("volumes", []):
            source = mounted.split(":")[0]
            is_ours = source in COMPOSE["volumes"] or source in ("./proxy.conf", "./certificate")
            assert is_ours, mounted
        assert set(service.get("secrets", [])) <= set(COMPOSE["secrets"])
        assert set(service.get("depends_on", [])) <= set(COMPOSE["services"])
        assert set(service["networks"]) <= set(COMPOSE["networks"])
    assert (DEPLOY / "proxy.conf").is_file()
    built = COMPOSE["services"]["first"]["build"]
    assert (DEPLOY / built["context"] / built["dockerfile"]).is_file()


def test_no_port_but_the_proxys_is_open_to_the_world() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"]
    proxy = COMPOSE["services"]["proxy"]["networks"]["inside"]["ipv4_address"]
    assert f"--proxy {proxy}" in " ".join(COMPOSE["services"]["first"]["command"])


def test_the_record_is_on_disk_when_the_database_says_so() -> None:
    command = COMPOSE["services"]["database"]["command"]
    assert {"fsync=on", "synchronous_commit=on", "full_page_writes=on"} <= set(command)


def test_the_proxy_keeps_a_visitor_with_a_process_and_strangers_from_the_processes_door() -> None:
    assert set(re.findall(r"server (\w+):8000", PROXY)) == set(PROCESSES)
    assert re.search(rf'"~{SECURE_COOKIE}=\(\?<session>\[\^;\]\+\)" \$session;', PROXY)
    assert re.search(r"hash \$visitor consistent;", PROXY)
    closed = re.findall(r"location (?:= )?(\S+) \{\s+return 404;", PROXY)
    assert any(PEER_PATH.decode().startswith(prefix) for prefix in closed)
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in PROXY
    assert PROXY.count("{") == PROXY.count("}")


def test_the_unit_starts_the_floor_and_restarts_it() -> None:
    settings: dict[str, list[str]] = {}
    for line in UNIT.splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            settings.setdefault(name, []).append(value)
    (start,) = settings["ExecStart"]
    assert options_of(start.replace(" $PITBOSS_OPTIONS", "")).keys() <= known()
    assert settings["Restart"] == ["always"]
    assert settings["KillSignal"] == ["SIGINT"]
    assert settings["ProtectSystem"] == ["strict"]
    assert f"/var/lib/{settings['StateDirectory'][0]}" in start


def test_systemd_takes_the_unit_where_there_is_one_to_ask(tmp_path: Path) -> None:
    unit = tmp_path / "pitboss.service"
    unit.write_text(UNIT.replace("/opt/pitboss/bin/pitboss", "/bin/true"))
    assert "/bin/true serve" in unit.read_text()
    if program := shutil.which("systemd-analyze"):
        said = subprocess.run([program, "verify", str(unit)], capture_output=True, text=True, check=False)
        assert (said.returncode, said.stderr) == (0, "")


def test_the_unit_takes_every_power_away_that_the_floor_can_do_without() -> None:
    lines = UNIT.splitlines()
    for setting in (
        *("NoNewPrivileges", "PrivateTmp", "PrivateDevices", "PrivateUsers", "PrivateIPC", "ProtectHome", "RemoveIPC"),
        *("ProtectClock", "ProtectControlGroups", "ProtectHostname", "ProtectKernelLogs", "ProtectKernelModules"),
        *("ProtectKernelTunables", "RestrictNamespaces", "RestrictRealtime", "RestrictSUIDSGID", "LockPersonality"),
    ):
        assert f"{setting}=yes" in lines
    for line in (
        "CapabilityBoundingSet=",
        "AmbientCapabilities=",
        "UMask=0077",
        "LimitCORE=0",
        "ProtectProc=invisible",
    ):
        assert line in lines
    assert "User=pitboss" in lines
    assert "SystemCallFilter=~@privileged @resources" in lines


def test_an_image_is_built_from_listed_files_only() -> None:
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert patterns[0] == "*", "what isn't listed isn't sent to the builder: no history, no data of a floor, no key"
    sent = {pattern[1:] for pattern in patterns if pattern.startswith("!")}
    assert sent == {
        *("LICENSE", "README.md", "hatch_build.py", "pins.txt", "pins-run.txt", "pyproject.toml", "src", "web")
    }
    secret = re.compile(r"\.(keys?|pem|db)$|^database_password$")
    for folder in (ROOT / "src", ROOT / "web"):
        files = (path for path in folder.rglob("*") if "node_modules" not in path.parts and path.is_file())
        assert [path for path in files if secret.search(path.name)] == []


def test_git_takes_no_key_and_no_password_of_a_floor() -> None:
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert {"*.keys", "*.key", "deploy/certificate/", "deploy/database_password"} <= set(ignored)
    if (ROOT / ".git").exists():
        asked = ["git", "ls-files", "*.keys", "*.key", "*.pem", "deploy/certificate", "deploy/database_password"]
        kept = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        assert kept == []
