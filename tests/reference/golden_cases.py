"""What the golden vectors privatize: texts, policies and epsilons chosen for what they exercise.

TEM and memoized noise have a file of their own, golden_cases_more.py.
"""

import math
from dataclasses import dataclass

from .coin import flip_threshold
from .crowd import CrowdSize
from .privatizer import Mechanism, Oov, Punctuation

# Groups of words that share one code.
TWINS = (("color", "colour"), ("gray", "grey", "mouse"), ("center", "centre"), ("sofa", "couch"), (".", "...", ";"))

EPSILONS = (
    0.0, 5e-324, 1e-300, 1e-19, 1e-18, 2.0**-60, 1e-9, 0.001, 0.1, 0.25, 0.5, math.log(3), 1.0, 1.5, 2.0, 2.5, 3.0,
    4.0, 5.0, 8.0, 10.0, 16.0, 20.0, 32.0, 43.0, 43.66, 43.67, 44.0, 44.36, 44.3614, 44.362, 44.5, 100.0,
    800.0, 1e300,
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One call of privatize. `stream`: the random bytes themselves, for what no seed reaches."""

    name: str
    text: bytes
    epsilon: float = 1.0
    oov: Oov = "random"
    punctuation: Punctuation = "drop"
    mask: str = "[unk]"
    bundle: str = "words-64.hushbit"
    stream: bytes | None = None
    mechanism: Mechanism = "brr"
    beta: float = 0.001
    device_key: bytes | None = None
    epoch: int = 0
    crowd: CrowdSize | None = None


REVIEW = "The movie was not bad at all, but the plot is boring; I would watch it again with my mother-in-law!"
_LONG = " ".join(
    [REVIEW, "It's well-known that Dr. O'Brien can't stand horror films...", "Qwertz bought 1,000 apples."] * 5
)
_MARKS = "e" + "\u0301" * 31  # a unit of 32 code points, the longest that has a normal form

# Text by topic; each is privatized by both word bundles.
TEXTS = {
    "sentence": REVIEW,
    "empty": "",
    "white space only": " \t\r\n\u00a0\u2003\u3000\u2028 ",
    "punctuation only": "...!?—«»()",
    "one word": "privacy",
    "contractions": "I don't can't won't shouldn't it's we're they've she'll he'd I'm",
    "curly contractions": "I don’t can’t it’s we‘re the dog’s",
    "contraction of an unknown word": "blorbs's florb'll zork-n't 's 's's don't't",
    "hyphens": "well-known well-unknown up-to-date self-made - -- x-ray-like",
    "abbreviations": "the U.S. and U.K., e.g. at 7:30 p.m. by Dr. Who Ph.D.",
    "names": "O'Brien O’Brien's ROCK'N'ROLL d'Angelo ma'am o'clock",
    "upper case": "THE MOVIE WAS GREAT İSTANBUL STRASSE STRAßE ΛΌΓΟΣ ΣΟΦΌΣ ΜΟΣΚΒΑ МОСКВА Ǆ ǅ",
    "composed and decomposed": "cafe\u0301 CAFE\u0301 café re\u0301sume\u0301 A\u030angstro\u0308m \u212bngström",
    "lower case composes": "ẖ H\u0331 h\u0331 H̱ẖ W\u030a w\u030a ẘ",
    "order of marks": "q\u0323\u0307 q\u0307\u0323 \u1e0b\u0323 \u1e0d\u0307 mixed\u0345\u0301",
    "marks alone": "\u0301 a \u0301b (\u0301) .\u0308",
    "long units": f"{_MARKS} the {_MARKS}\u0301 the x{_MARKS}\u0301y-dog",
    "hangul": "한국 \u1112\u1161\u11ab\u1100\u116e\u11a8 서울 \u1109\u1165울",
    "right to left": "שלום עולם (مرحبا) سلام‏!",
    "south asian": "हिन्दी ไทย ภาษา",
    "unspaced": "日本東京 the日本 東京都です。テスト・ラーメン",
    "chinese": "今天天气很好，我们是中国人。今天's 2026年 T恤t恤衫",
    "unspaced and unknown": "猫咪喜欢天气吗 猫's 犬abc猫 很" + "鼠" * 300 + "很好 鼠\u0301鼠",
    "southeast asian": "สวัสดีครับกินข้าวกินปลา ລາວພາສາ ខ្ញុំភាសាខ្មែរ\u200bខ្មែរ မြန်မာစာ ๑๒๓๔ไทย",
    "joiners": "می\u200cخواهم می\u200c\u200cخواهم کتاب\u200c \u200cکتاب "
    "അവന്\u200d അവന്\u200c क्\u200dष क्ष mo\u200dvie mo\u200cvie",
    "format characters": "\ufeffThe co\u00adoperate mo\u200bvie \u202emovie\u202c do\u2060g cat\U000e0041\U000e0042! "
    "\u200edog\u200f \u00ad \u00ad\u0301 cafe\u00ad\u0301 do\u00adn't \u200dem the" + "\u00ad" * 40,
    "apostrophes": "donʼt can＇t It’s O＇Brien ʼem ＇ ʼ пʼять п'ять",
    "long numbers": "1984 1990s 2010's 1984-85 3.1415 90210 12345's 555-867-5309 ١٢٣٤ ١٢٣ ๑๒๓๔ 100 b2b 1,000",
    "emoji": "love 😀 this👍🏽movie 👨‍👩‍👧 ☕️coffee",
    "digits": "3.14 1,000 1984 2² ½ ④ ٣ 7:30 1990s 20th 123456789 3.14159",
    "controls": "the\x00movie \x01 was\x1cbad\x7f \ufeffword \x85",
    "long unknown token": "abcdefghijklmnopqrstuvwxyz" * 20 + " the",
    "longest word": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop abcdefghijklmnopqrstuvwxyzabcdefghijklmnop's",
    "ligatures": "ﬁn fin ﬁne ﬁ\u0301ne STAﬀ ﬆ Œuvre oeuvre ĳ",
    "twins": "color colour grey gray mouse center centre sofa couch " * 3,
    "many tokens": _LONG,
    "sixteen tokens": "the dog and the cat and the bird and the fish and the horse and the",
    "seventeen tokens": "the dog and the cat and the bird and the fish and the horse and the cow",
}  # fmt: skip


def _texts() -> list[Case]:
    epsilon = {"words-64.hushbit": 1.5, "words-256.hushbit": 0.75}
    return [
        Case(f"{bundle}: {name}", text.encode(), epsilon[bundle], bundle=bundle)
        for bundle in epsilon
        for name, text in TEXTS.items()
    ]


def _policies() -> list[Case]:
    text = "The café, Qwertz said: “blorb won’t 😀 do!”".encode()
    ovs: tuple[Oov, ...] = ("random", "drop", "mask", "error", "verbatim-unsafe")
    punctuations: tuple[Punctuation, ...] = ("drop", "privatize")
    cases = [Case(f"policy {o}, punctuation {p}", text, 2.5, o, p) for o in ovs for p in punctuations]
    cases += [
        Case("another mask", text, 2.5, "mask", mask="‹?›"),
        Case("error without an unknown word", b"the dog", 2.5, "error"),
        Case("error at an unknown symbol", "the dog 😀".encode(), 2.5, "error", "privatize"),
        Case("only unknown words dropped", b"qwertz blorb", 2.5, "drop"),
        Case("invalid UTF-8 at the start", b"\xff the dog"),
        Case("invalid UTF-8 later", b"the dog \xe2\x82"),
        Case("overlong form", b"the \xc0\xaf"),
        Case("surrogate", b"the \xed\xa0\x80"),
        Case("beyond Unicode", b"the \xf4\x90\x80\x80"),
    ]
    return cases


def _epsilons() -> list[Case]:
    text = REVIEW.encode() + b" Blorb!"
    chosen = (0.0, 1e-18, 0.1, 1.0, 2.0, 6.0, 12.0, 44.0, 50.0)
    cases = [Case(f"epsilon {e}", text, e) for e in chosen]
    cases += [Case(f"epsilon {e}, drop", text, e, "drop", bundle="words-256.hushbit") for e in chosen]
    cases += [Case(f"twins at epsilon {e}", b"no not the tie YES n't maybe " * 8, e, bundle="twins-128.hushbit")
              for e in (0.0, 0.5, 3.0)]  # fmt: skip
    cases.append(Case("a single word", b"word, words", 1.0, bundle="single-512.hushbit"))
    return cases


def words(*values: int) -> bytes:
    return b"".join(value.to_bytes(8, "little") for value in values)


def _streams() -> list[Case]:
    """The corners that a seed cannot reach: coins at the threshold, tie words that are rejected."""
    top = (1 << 64) - 1
    threshold = flip_threshold(1.0)
    quiet = [top] * 128
    edge = [threshold if i % 3 == 0 else threshold - 1 if i % 3 == 1 else top for i in range(128)]
    bundle = "twins-128.hushbit"
    # Four words share the code of "no", two that of "the". Counts of 2 and 4 divide 2^64, so nothing is rejected.
    cases = [
        Case("coins at the threshold", b"no", bundle=bundle, stream=words(*edge, 0)),
        Case("lowest tie word", b"no", bundle=bundle, stream=words(*quiet, 0)),
        Case("highest tie word", b"no", bundle=bundle, stream=words(*quiet, top)),
        Case("tie word below a step", b"no", bundle=bundle, stream=words(*quiet, (1 << 62) - 1)),
        Case("tie word at a step", b"no", bundle=bundle, stream=words(*quiet, 1 << 62)),
        Case("half, for an unknown word", b"maybe", bundle=bundle, stream=words(*[1 << 63, (1 << 63) - 1] * 64, 1)),
    ]
    # "gray", "grey" and "mouse" share a code: 2^64 mod 3 = 1, so the tie word 0 is rejected and a fresh one is drawn
    # after the words of the whole group.
    quiet = [top] * 64
    cases += [
        Case("rejected tie word", b"gray", stream=words(*quiet, 0, top)),
        Case("rejected twice", b"gray", stream=words(*quiet, 0, 0, 1 << 63)),
        Case("rejected in a group", b"gray dog gray", stream=words(*quiet, 0, *quiet, 7, *quiet, 0, top, 1)),
        Case(
            "rejected in the first of two groups",
            b"gray " * 17,
            stream=words(*[*quiet, 7] * 2, *quiet, 0, *[*quiet, top // 2] * 13, 1 << 63, *quiet, top),
        ),
        Case("accepted at the edge", b"gray", stream=words(*quiet, 1)),
    ]
    return cases


CASES = _texts() + _policies() + _epsilons()
STREAM_CASES = _streams()
