"""`hushbit corpus` is killed at random instants and run again: nothing is out twice or lost, and all is paid."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import hushbit
from cli_runner import command

PART_ROWS = 10


def released(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("part-*")}


@pytest.mark.parametrize("kills", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_killed_at_any_instant(vectors: Path, tmp_path: Path, kills: int) -> None:
    rows = 4 * kills * PART_ROWS
    source, out, ledger = tmp_path / "in.parquet", tmp_path / "out", tmp_path / "ledger"
    # Words change in every draw, so a part that was drawn twice would differ.
    pq.write_table(pa.table({"id": range(rows), "text": ["cat music road sun " * 5] * rows}), source)
    words = vectors / "words-256.hushbit"
    run = command(
        *("corpus", source, "--column", "text", "--keep", "id", "-o", out, "--bundle", words, "--epsilon", "0.4"),
        *("--part-rows", str(PART_ROWS), "--jobs", "2", "--budget", ledger),
    )
    generator = random.Random(7)
    seen: dict[str, bytes] = {}
    killed = 0
    while killed < kills:
        process = subprocess.Popen(run, stderr=subprocess.PIPE)
        while not (tmp_path / "out.manifest").exists() and process.poll() is None:
            time.sleep(0.005)
        began = time.monotonic()
        while len(released(out)) <= len(seen) and process.poll() is None and time.monotonic() - began < 20:
            time.sleep(0.002)
        time.sleep(generator.uniform(0, 0.02))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        if process.returncode != -signal.SIGKILL:
            break  # it was done
        killed += 1
        now = released(out)
        assert {name: now[name] for name in seen} == seen
        seen = now
        tokens = sum(20 * pq.read_table(out / name).num_rows for name in now)
        assert hushbit.Budget.read(ledger).tokens_lifetime >= tokens if now else True
    assert killed == kills
    last = subprocess.run(run, capture_output=True, check=False)
    assert last.returncode == 0, last.stderr
    now = released(out)
    assert {name: now[name] for name in seen} == seen
    ids = [i for name in sorted(now) for i in pq.read_table(out / name)["id"].to_pylist()]
    assert ids == list(range(rows))
    lines = [json.loads(line) for line in (tmp_path / "out.manifest").read_text().splitlines()]
    parts = [line["released"] for line in lines if "released" in line]
    assert sorted(parts) == list(range(rows // PART_ROWS))
    assert "complete" in lines[-1]
    spent = hushbit.Budget.read(ledger).tokens_lifetime
    assert 20 * rows <= spent <= 20 * (rows + killed * PART_ROWS)
