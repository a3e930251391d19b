"""What the documentation site adds to Markdown: generated references, repository files, names of saved files."""

import re
import sys
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs_site"))

import notebook  # noqa: E402
import reference_pages  # noqa: E402

BINARY = (".zip",)  # listed on the site without contents
REPOSITORY = "repository"  # where the site shows files that are outside docs/
LANGUAGES = {
    ".toml": "toml",
    ".yaml": "yaml",
    ".py": "python",
    ".json": "json",
    ".service": "ini",
    ".conf": "nginx",
    ".ipynb": "json",
}
GENERATED = {
    "commands": reference_pages.commands,
    "http": reference_pages.http_routes,
    "events": reference_pages.events,
    "table_commands": reference_pages.table_commands,
    "notebook": notebook.markdown,
}

_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s#]+)(#[^)\s]*)?\)")
_MARK = re.compile(r"^<!-- generated: (\w+) -->$", re.MULTILINE)
_SAVED = re.compile(r"^<!-- (?:file|from): (\S+) -->\n```(\w+)$", re.MULTILINE)
_FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add each repository file that a page links to, directly or through other files."""
    waiting = [ROOT / "docs" / file.src_uri for file in files if file.is_documentation_page()]
    waiting += [ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.exists():
            continue
        seen.add(path)
        if not path.is_relative_to(ROOT / "docs"):
            files.append(File.generated(config, _site_uri(path), content=_shown(path)))
        if path.suffix == ".md":
            waiting += [_target(path, match[2]) for match in _LINK.finditer(path.read_text("utf-8"))]
        elif path.is_dir():
            waiting += [entry for entry in sorted(path.iterdir()) if entry.is_file()]
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Insert generated parts, point links to the site's copies of files, and name the files that blocks save."""
    source = _source(page.file.src_uri)
    parts = _FENCED.split(markdown)
    parts[::2] = [_LINK.sub(lambda match: _led(match, source, page.file.src_uri), part) for part in parts[::2]]
    markdown = _SAVED.sub(r'```\2 title="\1"', "".join(parts))
    return _MARK.sub(lambda match: GENERATED[match[1]](), markdown)


def _led(match: re.Match[str], source: Path, uri: str) -> str:
    if re.match(r"[a-z]+:", match[2]):
        return match[0]
    target = _target(source, match[2])
    if not target.exists():
        return match[0]  # mkdocs reports it
    return f"{match[1]}{relpath(_site_uri(target), PurePosixPath(uri).parent)}{match[3] or ''})"


def _target(source: Path, link: str) -> Path:
    return Path(normpath(source.parent / link))


def _site_uri(path: Path) -> str:
    if path.is_relative_to(ROOT / "docs"):
        return path.relative_to(ROOT / "docs").as_posix()
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        return f"{REPOSITORY}/{name}/index.md"
    return f"{REPOSITORY}/{name}" if path.suffix == ".md" else f"{REPOSITORY}/{name}.md"


def _source(uri: str) -> Path:
    if not uri.startswith(f"{REPOSITORY}/"):
        return ROOT / "docs" / uri
    path = ROOT / uri.removeprefix(f"{REPOSITORY}/")
    return path if path.exists() else path.with_suffix("")


def _shown(path: Path) -> str:
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        listed = "\n".join(f"- [{entry.name}]({entry.name})" for entry in sorted(path.iterdir()) if entry.is_file())
        return f"# {name}/\n\n{listed}\n"
    if path.suffix in BINARY:
        return f"# {name}\n\nA file of {path.stat().st_size:,} bytes in the repository.\n"
    text = path.read_text("utf-8")
    return text if path.suffix == ".md" else f"# {name}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{text}````\n"
