"""More of what the golden vectors privatize: TEM, and memoized noise under either mechanism."""

from . import tem
from .golden_cases import REVIEW, TEXTS, Case, words
from .privatizer import Mechanism, Oov, Punctuation

_KEY = bytes(range(100, 132))
_OTHER_KEY = bytes(32)
_LAST_EPOCH = (1 << 64) - 1
_MECHANISMS: dict[Mechanism, dict[str, float]] = {
    "brr": {"words-64.hushbit": 1.5, "words-256.hushbit": 0.75},
    "tem": {"words-64.hushbit": 1.2, "words-256.hushbit": 0.5},
}
# Spellings of unknown tokens: each row is one token, and must get one replacement.
_SPELLINGS = (
    "qwertz Qwertz QWERTZ",
    "qwértz qwe\u0301rtz QWE\u0301RTZ",
    "한굽 \u1112\u1161\u11ab\u1100\u116e\u11b8",
    "q\u0323\u0307x q\u0307\u0323x",
)
_TOO_LONG = "e" + "\u0301" * 32  # a unit without a normal form
_LONG = "zyxwvutsrqponmlkjihgfedcba" * 24 + "\u0301"


def _tem() -> list[Case]:
    chosen = ("sentence", "contractions", "hyphens", "twins", "many tokens", "digits")
    cases = [
        Case(f"TEM, {bundle}: {name}", TEXTS[name].encode(), epsilon, bundle=bundle, mechanism="tem")
        for bundle, epsilon in _MECHANISMS["tem"].items()
        for name in chosen
    ]
    text = REVIEW.encode() + b" Blorb!"
    cases += [Case(f"TEM, epsilon {e}", text, e, mechanism="tem") for e in (0.0, 1e-18, 0.1, 2.0, 6.0, 44.0, 1e300)]
    cases += [
        Case(f"TEM, beta {b}", text, 1.0, mechanism="tem", beta=b, bundle="words-256.hushbit")
        for b in (1e-9, 0.5, 0.9999)
    ]
    policies: list[tuple[Oov, Punctuation]] = [("random", "privatize"), ("mask", "drop"), ("drop", "privatize")]
    cases += [
        Case(f"TEM, policy {o}, punctuation {p}", "The café, Qwertz said: “blorb won’t 😀 do!”".encode(), 2.5, o, p,
             mechanism="tem")
        for o, p in policies
    ]  # fmt: skip
    cases.append(Case("TEM, error at an unknown word", b"the dog blorb", 2.5, "error", mechanism="tem"))
    cases.append(Case("TEM, a single word", b"word, words", 1.0, bundle="single-512.hushbit", mechanism="tem"))
    return cases


def _tem_streams() -> list[Case]:
    """Corners of the sampler. Of "the", words 3 and 4 of six are at distance 0, which are counted, the others far."""
    table = tem.weights(1.0, 0.001, 6, 128)
    distance = sum(byte.bit_count() for byte in range(16))
    near, most, true = 2 * table.weight[0], table.weight[1], table.weight[distance]
    bound = near + 6 * most
    top = (1 << 64) - 1

    def wide(number: int) -> bytes:
        return number.to_bytes(16, "little")

    def word(index: int) -> bytes:
        return words((index << 64) // 6 + 2)  # not the first number of this word, which is rejected

    def case(name: str, *draws: bytes) -> Case:
        return Case(f"TEM, {name}", b"the", bundle="twins-128.hushbit", mechanism="tem", stream=b"".join(draws))

    above = 1 << bound.bit_length()  # a bit that the sampler masks away
    last = [wide(0), words(top)]
    return [
        case("the first near word", wide(0), words(0)),
        case("the last near word", wide(near - 1), words(top)),
        case("a far word is proposed", wide(near), word(0), wide(0)),
        case("the last number, the last word, the last value", wide(bound - 1), words(top), wide(true - 1)),
        case("a far word is not kept", wide(near), word(5), wide(true), *last),
        case("a near word is proposed", wide(near), word(3), wide(0), *last),
        case("values from the largest weight on are rejected", wide(near), word(2), wide(most), wide(true - 1)),
        case("bits beyond the bound do not count", wide(above | near), word(1), wide(0)),
        case("draws from the bound on are rejected", wide((1 << 128) - 1), wide(bound), wide(1), words((1 << 63) - 1)),
        Case("TEM, an unknown word", b"maybe", bundle="twins-128.hushbit", mechanism="tem", stream=words(top // 2)),
        # 2^64 mod 6 = 4: products whose low half is below 4 are rejected.
        Case("TEM, a rejected index", b"maybe", bundle="twins-128.hushbit", mechanism="tem", stream=words(0, 1)),
    ]


def _memoized() -> list[Case]:
    cases = []
    for mechanism, epsilons in _MECHANISMS.items():
        for bundle, epsilon in epsilons.items():

            def case(
                name: str,
                text: str,
                key: bytes = _KEY,
                epoch: int = 0,
                oov: Oov = "random",
                punctuation: Punctuation = "drop",
                mechanism: Mechanism = mechanism,
                bundle: str = bundle,
                epsilon: float = epsilon,
            ) -> Case:
                title = f"memoized, {mechanism}, {bundle}: {name}"
                return Case(title, text.encode(), epsilon, oov, punctuation, bundle=bundle, mechanism=mechanism,
                            device_key=key, epoch=epoch)  # fmt: skip

            repeats = "The dog and THE DOG and the dog, blorb blorb Blorb"
            cases += [
                case("repeats", repeats),
                case("another epoch", repeats, epoch=1),
                case("the last epoch", repeats, epoch=_LAST_EPOCH),
                case("another key", repeats, key=_OTHER_KEY),
                case("another epsilon", repeats, epsilon=epsilon + 0.25),
                case("many tokens", TEXTS["many tokens"]),
                case("spellings of unknown words", " ".join(_SPELLINGS)),
                case("units without a normal form", f"{_TOO_LONG} x{_TOO_LONG}y x{_TOO_LONG}Y {_LONG} {_TOO_LONG}"),
                case("punctuation", "the dog! 😀 said: \u2026 😀 !", punctuation="privatize"),
                case("unknown words dropped", repeats, oov="drop"),
                case("no token", ""),
            ]
    cases.append(Case("memoized, negative zero", b"the dog blorb", -0.0, mechanism="tem", device_key=_KEY))
    cases.append(Case("memoized, other beta", b"the dog blorb", 1.2, mechanism="tem", beta=0.01, device_key=_KEY))
    cases += [
        Case(f"memoized, {mechanism}, twins", b"no not the tie YES n't maybe " * 8, 0.5, bundle="twins-128.hushbit",
             mechanism=mechanism, device_key=_KEY)
        for mechanism in _MECHANISMS
    ]  # fmt: skip
    return cases


MORE_CASES = _tem() + _memoized()
MORE_STREAM_CASES = _tem_streams()
