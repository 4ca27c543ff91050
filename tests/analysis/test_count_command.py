"""`hushbit count`: reads reports of every kind, refuses others by name and loses nothing else, writes every kind of
table.
"""

import csv
import gzip
import io
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli_runner import Here, run
from hushbit.analysis.counts.design import design_of
from hushbit.analysis.counts.reading import Wanted, lines_of
from hushbit.analysis.counts.sources import count_files, count_frame, count_stream
from hushbit.analysis.counts.tally import Counted
from hushbit.analysis.counts.values import listed
from reports import draw, json_line

ANSWERS = ["yes", "no", "rather not", "a, b", "0"]
EPSILON = 3.0
WORKERS = 2


@pytest.fixture(scope="module")
def reports() -> np.ndarray:
    generator = np.random.default_rng(1)
    return draw(design_of(len(ANSWERS), EPSILON), generator.choice(5, 3000, p=[0.6, 0.25, 0.1, 0.05, 0]), generator)


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    path = tmp_path / "answers.txt"
    path.write_text("\n".join(ANSWERS) + "\n", encoding="utf-8")
    return path


def wanted(by: str | None = None) -> Wanted:
    return Wanted(listed(ANSWERS, none=False).hash, EPSILON, by)


def nothing() -> Counted:
    return Counted(design_of(len(ANSWERS), EPSILON))


def lines_for(reports: np.ndarray) -> str:
    return "".join(json_line(report, wanted().values, EPSILON) for report in reports.tolist())


def written(folder: Path, reports: np.ndarray) -> list[Path]:
    """The reports in every kind of file."""
    paths = [folder / f"reports.{kind}" for kind in ("jsonl", "txt", "csv", "tsv", "parquet", "jsonl.gz")]
    paths[0].write_text(lines_for(reports), encoding="utf-8")
    paths[1].write_text("\n".join(map(str, reports.tolist())), encoding="utf-8")
    frame = pd.DataFrame({"other": "x", "report": reports, "values": wanted().values})
    frame.to_csv(paths[2], index=False)
    frame.to_csv(paths[3], index=False, sep="\t")
    frame.to_parquet(paths[4])
    paths[5].write_bytes(gzip.compress(lines_for(reports).encode()))
    return paths


def test_every_kind_of_file_counts_the_same(tmp_path: Path, reports: np.ndarray) -> None:
    expected = nothing()
    expected.add(reports)
    paths = written(tmp_path, reports)
    for path in paths:
        counted = count_files([path], wanted(), nothing())
        assert not +counted.refused, path
        assert counted.whole.reports == len(reports), path
        assert counted.whole.hits.tolist() == expected.whole.hits.tolist(), path
    total = count_files(paths, wanted(), nothing()).whole
    assert total.hits.tolist() == (6 * expected.whole.hits).tolist()
    frame = count_frame(pd.DataFrame({"report": reports}), wanted(), nothing())
    assert frame.whole.hits.tolist() == expected.whole.hits.tolist()


def test_others_are_refused_by_name(reports: np.ndarray) -> None:
    bad = [
        *("no report", '{"report": ', "[1]", '"1"', "null", "1.0", "-1", "1e3", '{"report": true}', '{"report": "1"}'),
        *('{"other": 1}', '{"report": 1, "report": 2}', "9" * 25, '{"report": 1' + " " * 70_000 + "}", "NaN"),
    ]
    others = {
        "of another list of values": ['{"report": 1, "values": "0000000000000000"}', '{"report": 1, "values": 7}'],
        "of another epsilon": ['{"report": 1, "epsilon": 2.5}', '{"report": 1, "epsilon": NaN}'],
        "of another version": ['{"report": 1, "version": 2}'],
        "out of range": ["5", json_line(99, wanted().values, EPSILON).strip()],
    }
    lines = [*bad, *(line for of in others.values() for line in of)]
    generator = np.random.default_rng(2)
    good = lines_for(reports).splitlines()
    mixed = [line for i, line in enumerate(good) for line in ([line, lines[i]] if i < len(lines) else [line])]
    stream = io.BytesIO("\n".join(mixed).encode() + b"\n\xff\xfe\n\n \n{")
    counted = count_stream(stream, wanted(), nothing())
    assert counted.whole.reports == len(reports)
    assert counted.refused == Counter({"damaged": len(bad) + 2, **{reason: len(of) for reason, of in others.items()}})
    assert generator  # lines of any bytes: nothing raises
    noise = generator.integers(0, 256, 100_000, dtype=np.uint8).tobytes()
    count_stream(io.BytesIO(noise), wanted(), nothing())


def test_long_lines_are_damaged_and_not_kept() -> None:
    refused: Counter[str] = Counter()
    stream = io.BytesIO(b"1\n" + b"2" * 5_000_000 + b"\n3\n" + b"4" * 3_000_000)
    assert list(lines_of(stream, refused)) == [b"1", b"3"]
    assert refused == {"damaged": 2}


def test_classes(tmp_path: Path, reports: np.ndarray) -> None:
    labels = ["new" if i % 3 else "old" for i in range(len(reports))]
    lines = [
        f'{{"report": {report}, "app": "{label}"}}\n' for report, label in zip(reports.tolist(), labels, strict=True)
    ]
    (tmp_path / "reports.jsonl").write_text("".join([*lines, '{"report": 1}\n', "1\n"]), encoding="utf-8")
    pd.DataFrame({"report": reports, "app": labels}).to_parquet(tmp_path / "reports.parquet")
    for name, without in (("reports.jsonl", 2), ("reports.parquet", 0)):
        counted = count_files([tmp_path / name], wanted("app"), nothing())
        assert {label: tally.reports for label, tally in counted.tallies.items()} == {"new": 2000, "old": 1000}
        assert counted.refused["without their class"] == without


def test_dask(reports: np.ndarray, cluster: object) -> None:
    from dask.dataframe import from_pandas

    expected = nothing()
    expected.add(reports)
    whole = pd.DataFrame({"report": np.append(reports, 77)})
    frame = from_pandas(whole, npartitions=9)  # type: ignore[no-untyped-call]
    counted = count_frame(frame, wanted(), nothing())
    assert counted.whole.hits.tolist() == expected.whole.hits.tolist()
    assert counted.refused["out of range"] == 1


def test_a_cluster_counts_files(
    tmp_path: Path, reports: np.ndarray, answers: Path, here: Here, cluster: object
) -> None:
    paths = written(tmp_path, reports)
    address = cluster.scheduler_address  # type: ignore[attr-defined]
    fixed = ("--values", answers, "--epsilon", "3", "--json", "--scheduler", address)
    code, out, err = here("count", *paths[:3], *fixed)
    assert code == 0, err
    assert json.loads(out)["reports"] == 3 * len(reports)


def test_the_command(tmp_path: Path, reports: np.ndarray, answers: Path, here: Here) -> None:
    path = written(tmp_path, reports)[0]
    with path.open("a", encoding="utf-8") as file:
        file.write("no report\n")
    (tmp_path / "groups.csv").write_text("group,value\nnot sure,no\nnot sure,rather not\n", encoding="utf-8")
    fixed = ("count", path, "--values", answers, "--groups", tmp_path / "groups.csv")
    code, out, err = here(*fixed)
    assert code == 0, err
    assert b"reports counted 3,000" in err
    assert b"reports refused, damaged: 1" in err
    assert b"yes" in out
    documents = {}
    for suffix in (".csv", ".json", ".parquet"):
        output = tmp_path / f"counts{suffix}"
        code, out, err = here(*fixed, "-o", output, "--plot", tmp_path / f"{suffix[1:]}.svg")
        assert (code, out) == (0, b""), err
        assert b"<svg" in (tmp_path / f"{suffix[1:]}.svg").read_bytes()
        documents[suffix] = output
    with documents[".csv"].open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["kind"], row["name"], row["told"]) for row in rows[:3]] == [
        ("group", "not sure", "yes"),
        ("value", "yes", "yes"),
        ("value", "no", "yes"),
    ]
    assert float(rows[1]["low"]) < 1800 < float(rows[1]["high"])
    of_json = json.loads(documents[".json"].read_bytes())
    assert of_json["refused"] == {"damaged": 1}
    assert [row["name"] for row in of_json["rows"]] == [row["name"] for row in rows]
    assert pq.read_table(documents[".parquet"]).to_pylist() == of_json["rows"]


def test_changes(tmp_path: Path, reports: np.ndarray, answers: Path, here: Here) -> None:
    (tmp_path / "first.txt").write_text("\n".join(map(str, reports.tolist())), encoding="utf-8")
    generator = np.random.default_rng(4)
    second = draw(design_of(5, EPSILON), generator.choice(5, 3000, p=[0.2, 0.65, 0.1, 0.05, 0]), generator)
    (tmp_path / "second.txt").write_text("\n".join(map(str, second.tolist())), encoding="utf-8")
    fixed = ("count", tmp_path / "first.txt", "--values", answers, "--epsilon", "3", "--json")
    code, out, err = here(*fixed, "--compare", tmp_path / "second.txt")
    assert code == 0, err
    rows = json.loads(out)["rows"]
    assert {row["name"] for row in rows if row["told"]} == {"yes", "no"}
    assert rows[0]["low"] < -0.4 < rows[0]["high"] or rows[0]["low"] < 0.4 < rows[0]["high"]


def test_standard_input(reports: np.ndarray, answers: Path) -> None:
    done = run("count", "-", "--values", answers, "--json", stdin=lines_for(reports).encode())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["epsilon"] == 3
    done = run("count", "-", "--values", answers, stdin=b"1\n2\n")
    assert done.returncode == 2
    assert b"give --epsilon" in done.stderr


@pytest.mark.parametrize("epsilon", ["1" + "0" * 400, "1e999", "-1", "0", "NaN", "true", '"3"'])
def test_a_false_report_does_not_decide_the_epsilon(reports: np.ndarray, answers: Path, epsilon: str) -> None:
    first = json_line(0, wanted().values, EPSILON).replace('epsilon": 3', f'epsilon": {epsilon}')
    assert epsilon in first
    done = run("count", "-", "--values", answers, "--json", stdin=(first + lines_for(reports)).encode())
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["epsilon"], found["reports"]) == (3, len(reports))
    assert sum(found["refused"].values()) == 1


def test_what_is_not_told_is_not_said_to_be(answers: Path) -> None:
    done = run("count", "-", "--values", answers, "--top", "2", stdin=json_line(0, wanted().values, EPSILON).encode())
    assert done.returncode == 0, done.stderr
    assert b"3 more are not shown; none is told." in done.stdout
    assert b"hushbit discover" in run("count", "-", "--values", "new-words", stdin=b"1\n").stderr


def test_failures(tmp_path: Path, answers: Path, here: Here) -> None:
    (tmp_path / "reports.txt").write_text("1\n", encoding="utf-8")
    (tmp_path / "twice.txt").write_text("a\na\n", encoding="utf-8")
    pq.write_table(pa.table({"report": ["x"]}), tmp_path / "text.parquet")
    fixed = ("--epsilon", "3")
    for arguments, code, message in (
        (("missing.jsonl", "--values", answers), 3, b"no such file"),
        ((tmp_path / "reports.txt", "--values", tmp_path / "twice.txt"), 1, b"line 2: is the value of line 1 again"),
        ((tmp_path / "reports.txt", "--values", answers, "-o", tmp_path / "counts.txt"), 2, b"must end with"),
        ((tmp_path / "reports.txt", "--none"), 2, b"--none is for a list"),
        ((tmp_path / "reports.txt", answers, "-o", answers), 2, b"would overwrite"),
        ((tmp_path / "text.parquet", "--values", answers), 2, b"no whole numbers"),
        ((tmp_path / "text.parquet", "--values", answers, "--column", "x"), 1, b"there is no column x"),
    ):
        got, _, err = here("count", *arguments, *fixed)
        assert got == code, err
        assert message in err


def test_numpy_is_enough(tmp_path: Path, reports: np.ndarray, answers: Path) -> None:
    """JSON lines and a table import nothing else that is heavy."""
    paths = written(tmp_path, reports)
    script = f"""
import sys
for name in ("scipy", "pandas", "pyarrow", "matplotlib", "dp_accounting"):
    sys.modules[name] = None
from hushbit.cli import main
sys.exit(main(["count", {str(paths[0])!r}, "--values", {str(answers)!r}, "-o", {str(tmp_path / "counts.csv")!r}]) or
         main(["count", {str(paths[5])!r}, "--values", {str(answers)!r}]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    script = script.replace(str(paths[0]), str(paths[4])).replace('"--values"', '"--epsilon", "3", "--values"')
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=300)
    assert b"pip install" in done.stderr
