"""`hushbit quality`, its measures one by one, and what they say of real GloVe."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cli_runner import run_here
from hushbit import _core
from hushbit.errors import InputFileError, InvalidArgumentError
from hushbit.toolchain.bundle import BundleOptions, build_bundle
from hushbit.toolchain.crowds import CrowdOptions
from hushbit.toolchain.embeddings import Embeddings, Source, read_embeddings
from hushbit.toolchain.quality import Aligned, align, measure_quality
from hushbit.toolchain.quality.embedding import embedding_quality
from hushbit.toolchain.quality.nearest import nearest_by_cosine
from hushbit.toolchain.quality.similarity import read_similarity, spearman
from hushbit.toolchain.quality.under_noise import quality_under_noise

WORDSIM = Path(__file__).parents[3] / "shared" / "data" / "wordsim"


def silent(done: int, total: int, label: str) -> None:
    pass


def toy(count: int = 400, dimensions: int = 12) -> Embeddings:
    generator = np.random.default_rng(0)
    groups = generator.normal(size=(count // 4, dimensions)).repeat(4, axis=0)
    vectors = (groups + 0.3 * generator.normal(size=groups.shape)).astype(np.float32)
    words = [f"w{i:03}" for i in range(count)]
    return Embeddings(words, vectors, Source("toy", "0" * 64), count, 0, [])


def aligned_toy(**options: Any) -> Aligned:
    data, _ = build_bundle(toy(), BundleOptions(**{"bits": 64, "binarizer": "projection", **options}))
    return align(_core.Bundle.from_bytes(data), toy())


def test_spearman_by_hand() -> None:
    assert spearman([1, 2, 3, 4], [10, 20, 30, 5000]) == pytest.approx(1)
    assert spearman([1, 2, 3, 4], [4, 3, 2, 1]) == pytest.approx(-1)
    # Ranks 1 2.5 2.5 4 against 1 2 3 4: covariance 4.5, variances 4.5 and 5.
    assert spearman([0, 5, 5, 9], [0, 1, 2, 3]) == pytest.approx(4.5 / np.sqrt(4.5 * 5))
    assert np.isnan(spearman([1, 1, 1], [1, 2, 3]))


def test_similarity_files(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text("cat\tdog 7.5\n\nsun moon 1\n", encoding="utf-8")
    assert read_similarity(path) == [("cat", "dog", 7.5), ("sun", "moon", 1.0)]
    path.write_text("cat dog 1\ncat dog\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"pairs\.txt, line 2: not two words and a score"):
        read_similarity(path)


def test_true_neighbors_are_those_of_a_plain_sort() -> None:
    vectors = np.random.default_rng(0).normal(size=(300, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids = np.arange(0, 300, 2)
    expected = [[j for j in np.argsort(-(vectors @ vectors[i])) if j != i][:10] for i in ids]
    np.testing.assert_array_equal(nearest_by_cosine(vectors, ids, 10, silent), expected)


def test_a_word_that_is_missing_is_an_error() -> None:
    data, _ = build_bundle(toy(), BundleOptions(bits=64, binarizer="projection"))
    short = toy()
    short.words[7] = "other"
    with pytest.raises(InvalidArgumentError, match=r"1 of the 400 output words .* not in the embeddings toy"):
        align(_core.Bundle.from_bytes(data), short)


def test_noise_leaves_the_wanted_share_and_finds_the_neighbors_that_are_there() -> None:
    # Groups of four at a cosine of about .9: with a few flipped bits nothing but the group is in reach.
    aligned = aligned_toy()
    rows = quality_under_noise(aligned, 32.0, 0, silent)
    for row in rows:
        assert abs(row["unchanged"] - row["wanted"]) < 0.01
        assert row["average_per_token"] == 32 * row["epsilon"]
        assert row["unchanged"] + row["changed_words"] / 3000 == pytest.approx(1)
    assert rows[0]["epsilon"] < rows[1]["epsilon"] < rows[2]["epsilon"]
    assert rows[0]["raw"]["cosine"] < rows[2]["raw"]["cosine"]
    assert rows[2]["raw"]["among_10"] > 0.5 > 10 * 10 / 400


def test_the_same_seed_gives_the_same_document(tmp_path: Path) -> None:
    (tmp_path / "pairs.txt").write_text("w000 w001 9\nW002 w090 1\nw004 w005 8\nw006 none 3\n", encoding="utf-8")
    aligned = aligned_toy()
    files = [tmp_path / "pairs.txt"]
    documents = [measure_quality(aligned, files, seed=seed) for seed in (1, 1, 2)]
    assert documents[0] == documents[1] != documents[2]
    assert (documents[0]["similarity"][0]["pairs"], documents[0]["similarity"][0]["of"]) == (3, 4)
    assert documents[0]["distances"]["mean"] == aligned.bundle.info().average_distance
    assert [row["k"] for row in documents[0]["neighbors"]] == [10, 100]


def test_only_output_words_are_measured() -> None:
    embeddings = toy()
    embeddings.words[:] = [word.translate(str.maketrans("0123456789", "abcdefghij")) for word in embeddings.words]
    options = BundleOptions(bits=64, binarizer="projection", mechanism="crowd", crowds=CrowdOptions(outputs=100))
    aligned = align(_core.Bundle.from_bytes(build_bundle(embeddings, options)[0]), embeddings)
    names = [aligned.bundle.word(int(word_id)).decode() for word_id in aligned.ids]
    assert aligned.words == {name: row for row, name in enumerate(names)}
    assert len(names) == 100 == len(aligned.codes) == len(aligned.raw)
    vectors = embeddings.vectors[[embeddings.words.index(name) for name in names]]
    np.testing.assert_allclose(aligned.raw, vectors / np.linalg.norm(vectors, axis=1, keepdims=True), rtol=1e-5)
    assert all(aligned.neighbors(aligned.codes[row], 1)[0] == row for row in range(100))
    document = measure_quality(aligned)
    assert (document["words"], document["output_words"]) == (400, 100)
    assert [row["k"] for row in document["neighbors"]] == [10]
    for row in document["noise"]:
        assert abs(row["unchanged"] - row["wanted"]) < 0.01


def test_the_command(tmp_path: Path) -> None:
    embeddings = toy()
    np.save(tmp_path / "toy.npy", embeddings.vectors)
    (tmp_path / "toy.txt").write_text("".join(f"{word}\n" for word in embeddings.words), encoding="utf-8")
    (tmp_path / "sim").mkdir()
    (tmp_path / "sim" / "pairs.txt").write_text("w000 w001 9\nw002 w090 1\n", encoding="utf-8")
    bundle, source = tmp_path / "toy.hushbit", ("--embeddings", tmp_path / "toy.npy")
    assert run_here("export", *source, "--bits", "64", "-o", bundle).returncode == 0
    done = run_here("quality", bundle, *source, "--similarity", tmp_path / "sim", "--plot", tmp_path / "q.png")
    assert done.returncode == 0, done.stderr
    for said in ("effective", "shared codes", "pairs ", "overlap of the 10 nearest", "unchanged", "changed words"):
        assert said in done.stdout.decode()
    assert (tmp_path / "q.png").read_bytes().startswith(b"\x89PNG")
    document = json.loads(run_here("quality", bundle, *source, "--json").stdout)
    assert (document["words"], document["bits"], document["similarity"]) == (400, 64, [])
    assert run_here("quality", bundle, *source, "--similarity", tmp_path / "none").returncode == 3
    assert run_here("quality", tmp_path / "none", *source).returncode == 3
    np.save(tmp_path / "other.npy", 2 * np.load(tmp_path / "toy.npy"))  # other vectors of the same words
    (tmp_path / "other.txt").write_bytes((tmp_path / "toy.txt").read_bytes())
    done = run_here("quality", bundle, "--embeddings", tmp_path / "other.npy")
    assert done.returncode == 2
    assert b"made of other embeddings" in done.stderr


# ---- Real GloVe ------------------------------------------------------------------------------------------------

REAL_WORDS = 20_000


@cache
def glove() -> Embeddings:
    return read_embeddings("glove-6b-50d", max_words=REAL_WORDS)


@cache
def real(binarizer: str, components: int | None = None) -> Aligned:
    options = BundleOptions(bits=256, binarizer=binarizer, components=components, epsilon=1.0)
    data, _ = build_bundle(glove(), options)
    return align(_core.Bundle.from_bytes(data), glove())


@cache
def correlations(binarizer: str, components: int | None = None) -> NDArray[np.float64]:
    """The correlation with cosines of preprocessed vectors of random pairs, and the overlap of the 10 nearest, raw."""
    document = measure_quality(real(binarizer, components))
    return np.array([document["random_pairs"]["preprocessed"], 100 * document["neighbors"][0]["raw"]])


@pytest.mark.slow  # codes are learned for 20,000 words
@pytest.mark.parametrize("binarizer", ["autoencoder", "itq"])
def test_learned_codes_beat_projections_without_preprocessing(binarizer: str) -> None:
    # Random pairs: 200,000 of them, so that a correlation is known to about 0.2; the gap is tens.
    assert correlations(binarizer)[0] > correlations("projection")[0] + 10
    assert correlations(binarizer)[0] > 75


@pytest.mark.slow  # codes are learned for 20,000 words
def test_the_autoencoder_loses_nothing_against_projections_with_the_same_preprocessing() -> None:
    assert correlations("autoencoder")[0] > correlations("projection", 5)[0] - 1


@pytest.mark.slow  # codes are learned for 20,000 words
def test_neighborhood_codes_beat_both_under_noise() -> None:
    # 750 changed words: a share of 20 % is known to 1.5 points.
    at_75 = {
        name: quality_under_noise(real(name), 128.0, 0, silent)[2]
        for name in ("neighborhood", "autoencoder", "projection")
    }
    for other in ("autoencoder", "projection"):
        assert at_75["neighborhood"]["raw"]["among_10"] > 2 * at_75[other]["raw"]["among_10"]
        assert at_75["neighborhood"]["preprocessed"]["cosine"] > at_75[other]["preprocessed"]["cosine"] + 0.1
    assert at_75["neighborhood"]["raw"]["among_10"] > 0.2


@pytest.mark.slow  # codes are learned for 20,000 words
@pytest.mark.skipif(not WORDSIM.is_dir(), reason=f"no word-similarity files in {WORDSIM}")
def test_word_similarity_of_real_codes() -> None:
    # On these frequent words projections do as well without preprocessing; over all words they do not, as the random
    # pairs above and docs/binarizers-table.md show.
    files = sorted(WORDSIM.glob("*.txt"))
    learned = measure_quality(real("autoencoder"), files)["similarity_mean"]
    projected = measure_quality(real("projection", 5), files)["similarity_mean"]
    assert learned["codes"] > learned["raw"]
    assert learned["codes"] > learned["preprocessed"] - 3
    assert learned["codes"] > projected["codes"] - 1


def test_vectors_of_embeddings_keep_what_is_near() -> None:
    data, _ = build_bundle(toy(), BundleOptions(bits=64, binarizer="projection"))
    aligned = align(_core.Bundle.from_bytes(data), toy())
    found = embedding_quality(aligned, [], np.random.default_rng(0))
    assert found is not None
    assert (found["dimensions"], found["none"], found["similarity_mean"]) == (32, 0, None)
    # Few random pairs are of one group, so a correlation is small. Chance is 0 ± .7: three errors of 200,000 pairs.
    assert found["random_pairs"]["raw"] > 3
    without, _ = build_bundle(toy(), BundleOptions(bits=64, binarizer="projection", dimensions=0))
    assert embedding_quality(align(_core.Bundle.from_bytes(without), toy()), [], np.random.default_rng(0)) is None
