"""The pages: their links lead somewhere, and their tables are what the scripts that print them print."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = sorted((ROOT / "docs").glob("*.md"))
LINK = re.compile(r"\]\(([^)#:]*)(?:#([^)]+))?\)")


def anchors(page: Path) -> set[str]:
    """The anchors of its headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*sorted(ROOT.glob("*.md")), *DOCS], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
        assert not anchor or anchor in anchors(page.parent / target if target else page), anchor


def test_every_page_and_figure_is_linked() -> None:
    """Images of a folder that is linked as a whole count."""
    linked = set()
    for page in [ROOT / "README.md", *DOCS]:
        links = LINK.findall(page.read_text(encoding="utf-8"))
        linked |= {(page.parent / target).resolve() for target, _ in links if target}
    files = [path for path in (ROOT / "docs").rglob("*.*") if path.is_file()]
    assert len(files) > 20
    assert [path for path in files if not linked & {path, path.parent}] == []


def run_script(monkeypatch: pytest.MonkeyPatch, script: str, *arguments: str | Path) -> None:
    """A script of the tree, in this process, which has imported what the script needs."""
    monkeypatch.setattr(sys, "argv", [script, *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(ROOT / script), run_name="__main__")
    assert ended.value.code == 0


def rows(page: str) -> dict[tuple[str, str], dict[str, str]]:
    """The rows of the first table with a column `accuracy`, by its first two cells."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    (table,) = re.findall(r"^\|[^\n]*\| accuracy \|.*?(?=\n\n)", text, re.MULTILINE | re.DOTALL)
    header, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {(cells[0], cells[1]): dict(zip(header, cells, strict=True)) for cells in lines}


def test_figures_of_choosing() -> None:
    """Those of crowds are copied from the table of crowds; copy them again when that was measured again."""
    measured = rows("crowd.md")
    copied = rows("choosing.md")
    assert len(copied) >= 6
    assert {key: {name: measured[key][name] for name in row} for key, row in copied.items()} == copied


def test_figures_of_readers() -> None:
    """What readers guess, on the page of choosing, is what the run on reviews found."""
    results = json.loads((ROOT / "docs/reproduction/reviews/results.json").read_bytes())
    done, coverage = results["done"], results["coverage"]
    tokens = (coverage["words"] + coverage["unknown"]) / results["protocol"]["data"]["documents"]
    page = (ROOT / "docs/choosing.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\|[^\n]*\| without context \|.*?(?=\n\n)", page, re.MULTILINE | re.DOTALL)
    found = {}
    for line in table.splitlines()[2:]:
        size, epsilon, of_text, *shares = [cell.strip() for cell in line.strip("|").split("|")]
        assert of_text == f"{tokens * float(epsilon):,.0f}"
        found[size, epsilon] = shares
    places = (
        ("context", "1", "all", "top1"),
        ("context", "1", "rare", "top1"),
        ("frequencies", "1", "rare", "top1"),
        ("context", "1", "rare", "top10"),
        ("context", "5", "rare", "top1"),
    )
    for (size, epsilon), shares in found.items():
        attacks = done[f"reading crowd-{size} {epsilon}"]["attacks"]
        assert shares == [f"{attacks[a][k][words][guesses]['mean']:.3f}" for a, k, words, guesses in places]
    assert len(found) == 6


@pytest.mark.parametrize("run", ["glove-50d", "five-trials", "glove-100d", "glove-300d", "reviews", "messages"])
def test_tables_of_the_reproduction(
    run: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = ROOT / "docs/reproduction" / run / "results.json"
    run_script(monkeypatch, "tools/docs/reproduction_table", results)
    table = capsys.readouterr().out
    assert table.count("\n") > 3
    assert table.strip() in (ROOT / "docs/reproduction.md").read_text(encoding="utf-8")


def test_what_equal_bounds_hide() -> None:
    page = (ROOT / "docs/attack-model.md").read_text(encoding="utf-8")
    done = json.loads((ROOT / "docs/reproduction/reviews/results.json").read_bytes())["done"]
    names = ("brr 3", "tem 3", "tem 10", "crowd-many 6", "crowd-few 6", "randomized-response 6")
    for name in names:
        read, low = done[f"reading {name}"]["attacks"]["context"], done[f"attained {name}"]["low"]
        named = [read[k][words]["top1"]["mean"] for k, words in (("1", "all"), ("1", "rare"), ("5", "rare"))]
        assert f"{low:.3g} | {' | '.join(f'{share:.3f}' for share in named)} |\n" in page


def test_figures_of_attacks_on_members() -> None:
    page = (ROOT / "docs/attack-model.md").read_text(encoding="utf-8")
    found = json.loads((ROOT / "docs/reproduction/members.json").read_bytes())
    for row in found:
        attacks = [row["typed"]["clean"], row["released"]["clean"], row["likelihood ratio"]]
        cells = [cell for each in attacks for cell in (f"{each['auc']:.3f} ± ", f"{each['hits']['0.01']:.3f} | ")]
        (line,) = (line for line in page.splitlines() if line.startswith(f"| {row['name']} | ") and " ± " in line)
        assert [cell for cell in cells if cell not in line] == []
    assert len(found) == 4


def test_figures_of_the_language_model() -> None:
    page = (ROOT / "docs/attack-model.md").read_text(encoding="utf-8")
    found = json.loads((ROOT / "docs/reproduction/language-reader.json").read_bytes())
    readers = ("frequencies", "language model", "knows the words before")
    for row in found:
        shares = [row[reader][words] for reader in readers for words in ("all", "rare")]
        cells = [f"{each['mean']:.3f} ({each['low']:.3f} to {each['high']:.3f})" for each in shares]
        assert f"| {row['name']} | {row['word_epsilon']:.4g} | {' | '.join(cells)} |\n" in page
        assert f"{row['words']} words of 12 reviews, of which {row['rare']} are *rare*" in " ".join(page.split())
    assert len(found) == 3


def test_table_of_searches() -> None:
    command = [sys.executable, "-m", "search_bench.table", str(ROOT / "docs/search-table.json")]
    done = subprocess.run(command, cwd=ROOT / "tools/bench", capture_output=True, text=True, check=True)
    assert done.stdout == (ROOT / "docs/search-table.md").read_text(encoding="utf-8")


def test_figures_of_the_reproduction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are compared by their words and numbers, not by how a version of matplotlib draws."""
    folder = ROOT / "docs/reproduction/glove-50d"
    run_script(monkeypatch, "tools/docs/reproduction_figures", folder / "results.json", tmp_path)
    drawn = {path.name: texts(path) for path in tmp_path.iterdir()}
    assert drawn == {path.name: texts(path) for path in folder.glob("*.svg")}
    assert min(map(len, drawn.values())) > 8


def texts(figure: Path) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", figure.read_text(encoding="utf-8"))


def test_figures_of_embeddings() -> None:
    page = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")
    rows = json.loads((ROOT / "docs/embedding-table.json").read_text("ascii"))
    assert len(rows) > 10
    for row in rows:
        cells = []
        for name in ("reviews", "messages"):
            scores = row[name]
            error = np.std(scores, ddof=1) / len(scores) ** 0.5
            cells.append(f"{np.mean(scores):.3f} ± {error:.3f}".replace("0.", "."))
        assert f"| {row['release']} | {row['epsilon']} | {row['times']} | {' | '.join(cells)} |" in page, row
    named = json.loads((ROOT / "docs/embedding-named.json").read_text("ascii"))
    for page_name in ("embedding.md", "attack-model.md"):
        lines = (ROOT / "docs" / page_name).read_text(encoding="utf-8").splitlines()
        for kind, forms in named.items():
            for row in forms:
                start = f"| {kind} | {row['release']} | {row['epsilon']:g}"
                assert any(line.startswith(start) and f"| {row['named']:.4f} |" in line for line in lines), start
