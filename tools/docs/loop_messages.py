"""Messages for the simulated phones of show_loop.py: text messages of the shared data, or sentences made for it."""

import random
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

SHARED = Path(__file__).resolve().parents[3] / "shared/data/sms-5574.parquet"
CLASSES = ("other", "spam")
TESTS = 1000

FILLERS = {
    "name": ["Anna", "Sam", "Maria", "Tom", "Lena", "Ali", "mum", "dad", "my sister", "the neighbor"],
    "place": ["the station", "the park", "school", "the office", "the beach", "the cafe", "town", "the market"],
    "when": ["tonight", "tomorrow", "on Friday", "next week", "after lunch", "at eight", "in the morning", "later"],
    "food": ["soup", "pizza", "rice", "pancakes", "a cake", "fish", "salad", "noodles"],
    "prize": [
        "a new phone",
        "1000 pounds",
        "a holiday for two",
        "500 in cash",
        "a tablet",
        "two tickets",
        "a ringtone",
    ],
    "shop": ["our store", "this network", "the club", "our partner", "the lottery", "your provider", "this service"],
}
# The last third of each kind is only ever typed to test what was learned.
TEMPLATES = {
    "other": """
Are you at {place} {when}?
I love {food}, can we have it {when}?
Call me when you get to {place}.
Sorry, I am late, {name} missed the bus.
Good morning! How was your day at {place}?
Ok, see you {when}.
{name} says hi and hopes you feel better.
Can you buy {food} on the way home?
I am home now, the door is open.
We had a good time with {name} {when}.
Do you have time to talk {when}?
My train is slow, start dinner without me.
Happy birthday! I love you so much.
{name} is ill, so I work {when}.
Ok, I will ask {name} about the keys.
It rains here, bring a coat to {place}.
The kids want {food} again.
Thanks for the lift home, it was a good day.
I will call {name} {when} about the exam.
Did you sleep well? I was so tired.
Let us walk to {place} {when}, the weather is good.
Home now. {name} made {food} for all of us.
I miss you, when do you come home?
Ok, but {name} has no time {when}.
The lesson was boring, I love your jokes more.
Wait for me near {place}.
We watched a film with {name} and laughed all day.
My head hurts, I go to bed now.
What do you want to eat {when}? I have {food}.
Good luck with the exam {when}!
""",
    "spam": """
You have won {prize}! Call now to claim it.
Congratulations! {shop} gives you {prize} for free.
Free entry: text WIN to our number and get {prize}.
Last chance to claim {prize}, reply now.
Your number was drawn by {shop}. Call to collect {prize}.
Get {prize} today, no deposit, no fee. Call now.
Text YES for free minutes from {shop}.
Urgent! {prize} is waiting for you, call our line.
Upgrade today: {prize} and half price calls.
{shop} has an offer: free messages all week.
Winner! Claim {prize} with this code before midnight.
Free ringtones every week, text TONE to subscribe.
Your account has a bonus. Call {shop} to claim cash.
Cheap loans today, reply CASH now.
Vote now and win {prize} from {shop}.
Exclusive offer: double minutes, free camera phone.
You are selected for {prize}. Call the claim line.
Save money with {shop}, text STOP to end.
Buy one, get one free at {shop} this week only.
Special discount: order now and receive {prize}.
Final notice: unclaimed prize, {prize}, call now.
Free trial from {shop}, reply to subscribe.
Win {prize} in our weekly draw, text PLAY now.
Your reward: {prize}. Claim it free today.
Call now for cash prizes from {shop}.
Customer of {shop}: collect your free gift card.
Guaranteed {prize} for every caller this week.
Text CLUB to join and win free cash.
Mobile offer: unlimited calls, {prize} included.
Claim your discount code for {shop}, valid today.
""",
}


@dataclass(frozen=True)
class Messages:
    """Texts and whether each is spam: those of the phones, and others to test with, which no phone has."""

    source: str
    texts: list[str]
    spam: list[bool]
    test_texts: list[str]
    test_spam: list[bool]


def read_messages(phones: int, made: bool) -> Messages:
    """One message a phone. Which phone has which is the same in each run, so that only the noise is fresh."""
    chosen = random.Random(0)
    if made or not SHARED.exists() or find_spec("pyarrow") is None:
        mine = [_sentence(chosen, 0, 20) for _ in range(phones)]
        others = [_sentence(chosen, 20, 30) for _ in range(TESTS)]
        source = "made sentences, of two kinds"
    else:
        found = _shared()
        if phones + TESTS > len(found):
            raise SystemExit(f"there are {len(found):,} messages: --phones can be at most {len(found) - TESTS:,}")
        chosen.shuffle(found)
        mine, others = found[:phones], found[phones : phones + TESTS]
        source = "text messages of the shared data"
    return Messages(source, *map(list, zip(*mine, strict=True)), *map(list, zip(*others, strict=True)))


def _sentence(chosen: random.Random, first: int, end: int) -> tuple[str, bool]:
    kind = chosen.choice(CLASSES)
    template = chosen.choice(TEMPLATES[kind].strip().split("\n")[first:end])
    filled = re.sub(r"{(\w+)}", lambda match: chosen.choice(FILLERS[match[1]]), template)
    return filled, kind == "spam"


def _shared() -> list[tuple[str, bool]]:
    """Different messages only: the same one in both halves would be known by heart."""
    import pyarrow.parquet as pq

    table = pq.read_table(SHARED, columns=["message", "spam"]).to_pydict()
    return list(dict(zip(table["message"], map(bool, table["spam"]), strict=True)).items())
