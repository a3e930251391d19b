"""The whole check: every line, every link, every signed head, every opened card, every transfer."""

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pitboss_verify.bundle import RELATED, is_bundle, related_lines, unpack
from pitboss_verify.cards import Cards
from pitboss_verify.checkpoints import Checkpoints, read_witnessed
from pitboss_verify.entries import Chain, read_entry
from pitboss_verify.heads import Heads, read_public_keys
from pitboss_verify.logs import Lines, lines_of
from pitboss_verify.money import Money
from pitboss_verify.receipts import check_receipt, is_receipt
from pitboss_verify.report import Report, Unsound

SEEN_EVERY = 10_000


class UnusableFile(Exception):
    """A given file cannot be read at all."""


def verify(
    log: Path,
    *,
    heads: Sequence[Path] = (),
    key: Path | None = None,
    is_excerpt: bool = False,
    checkpoints: Path | None = None,
    witnessed: Path | None = None,
    witness_key: str | None = None,
    seen: Callable[[int], None] | None = None,
) -> Report:
    """Check a log, a database or an evidence bundle, against signed heads; `seen` gets the number checked so far."""
    if is_bundle(log):
        with TemporaryDirectory() as folder:
            entries, own = unpack(log, Path(folder))
            report = verify(entries, heads=(*own, *heads), key=key, is_excerpt=True, seen=seen)
        report.fault = report.fault or _fault_of_related(log)
        return report
    report = Report(log.name, [path.name for path in heads])
    try:
        trusted = _trusted(key)
        if is_receipt(log):
            try:
                check_receipt(log, trusted, witness_key, report)
            except Unsound as fault:
                report.fault = f"{str(fault)[0].upper()}{str(fault)[1:]}."
            return report
        lines = lines_of(log)
        if seen:
            lines = _counted(lines, seen)
        try:
            signed = [_signed(path, trusted, report) for path in heads]
            tree = _tree(checkpoints, trusted)
            check(lines, report, heads=signed, is_excerpt=is_excerpt, tree=tree)
            if tree is not None:
                held = read_witnessed(witnessed, witness_key, tree.origin) if witnessed else None
                tree.finish(report, held[0] if held else None)
                if held:
                    report.witnessed, report.witness = held[0].size, held[1].name if held[1] else None
        except Unsound as fault:
            sentence = str(fault)
            # A file's name keeps its case; every other sentence gets a capital.
            begins = sentence if sentence.startswith(tuple(report.heads_files)) else sentence[0].upper() + sentence[1:]
            report.fault = f"{begins}."
    except OSError as fault:
        raise UnusableFile(f"{fault.filename or log} cannot be read: {fault.strerror}.") from None
    return report


def check(
    lines: Lines,
    report: Report,
    *,
    heads: Sequence[Heads] = (),
    is_excerpt: bool = False,
    tree: Checkpoints | None = None,
) -> None:
    """Check lines in order, count them in the report, and raise Unsound at the first fault."""
    chain, cards, money = Chain(is_excerpt=is_excerpt), Cards(report, is_excerpt=is_excerpt), Money(report)
    for place, line, found in lines:
        try:
            entry = found or read_entry(line)
            chain.take(entry)
            for signed in heads:
                signed.meet(entry)
            cards.take(entry)
            money.take(entry)
            if tree is not None:
                tree.take(entry, line)
        except Unsound as fault:
            raise Unsound(f"{place} {fault}") from None
        report.entries += 1
        report.streams = len(chain.ends)
    cards.finish()
    if is_excerpt:
        _check_ends(chain, heads)
        return
    for signed in heads:
        if unmet := signed.unmet(chain.ends):
            raise Unsound(unmet)
    if overdrawn := money.overdrawn():
        raise Unsound(overdrawn)


def _fault_of_related(bundle: Path) -> str | None:
    # These entries are cut out of their streams, so all that can be checked is that none was changed.
    for number, line in enumerate(related_lines(bundle), 1):
        try:
            read_entry(line.decode())
        except (Unsound, UnicodeDecodeError) as fault:
            wrong = str(fault) if isinstance(fault, Unsound) else "isn't text"
            return f"Line {number} of {RELATED} {wrong}."
    return None


def _check_ends(chain: Chain, heads: Sequence[Heads]) -> None:
    # An excerpt has no required length, but it can end at a signed head.
    for stream, (last, _) in chain.ends.items():
        if heads and not any(signed.vouches_for(stream, last) for signed in heads):
            raise Unsound(f"stream {stream} ends at entry {last}, which no signed head confirms")


def _counted(lines: Lines, seen: Callable[[int], None]) -> Lines:
    for count, line in enumerate(lines, 1):
        yield line
        if count % SEEN_EVERY == 0:
            seen(count)


def _signed(path: Path, trusted: frozenset[str] | None, report: Report) -> Heads:
    try:
        heads = Heads(path.read_bytes().decode(), trusted, path.name)
    except UnicodeDecodeError:
        raise Unsound(f"{path.name} isn't text") from None
    report.heads += heads.count
    report.torn_heads += heads.torn
    report.keys += [key for key in heads.keys if key not in report.keys]
    report.keys_are_given = trusted is not None
    if not heads.count:
        raise Unsound(f"{path.name} contains no heads")
    return heads


def _tree(path: Path | None, trusted: frozenset[str] | None) -> Checkpoints | None:
    if path is None:
        return None
    try:
        return Checkpoints(path.name, path.read_bytes().decode(), trusted)
    except UnicodeDecodeError:
        raise Unsound(f"{path.name} isn't text") from None


def _trusted(key: Path | None) -> frozenset[str] | None:
    if key is None:
        return None
    try:
        return read_public_keys(key)
    except (Unsound, UnicodeDecodeError):
        raise UnusableFile(f"{key} must contain public keys, one per line, each of 64 hexadecimal digits.") from None
