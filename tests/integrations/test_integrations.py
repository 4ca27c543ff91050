"""The operator of Presidio, what there is for LangChain, and the filter of logs, with the real packages."""

import asyncio
import io
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import InvalidParamError, OperatorConfig, RecognizerResult

import hushbit
from cli_runner import SURE
from corpora import WORDS
from hushbit.errors import UnknownWordError
from hushbit.integrations.langchain import PrivatizeRunnable
from hushbit.integrations.langchain_agents import PrivatizeMiddleware
from hushbit.integrations.logs import WITHHELD, PrivatizeFilter
from hushbit.integrations.presidio import PrivatizeOperator
from typed import CANARY


@pytest.fixture(scope="module")
def bundle() -> hushbit.Bundle:
    return hushbit.open(WORDS)


@pytest.fixture(scope="module")
def privatizer(bundle: hushbit.Bundle) -> hushbit.Privatizer:
    """It leaves known words as they are, and drops unknown ones."""
    return bundle.privatizer(epsilon=float(SURE), allow_unchanged=True, oov="drop")


# ---- Presidio


def test_presidio(privatizer: hushbit.Privatizer) -> None:
    engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
    engine.add_anonymizer(PrivatizeOperator)
    text = f"I like {CANARY}, cat! and {CANARY}"
    found = [RecognizerResult("WORDS", 7, 7 + len(CANARY) + 6, 0.9)]
    config = {"WORDS": OperatorConfig("hushbit", {"privatizer": privatizer})}
    assert engine.anonymize(text, found, config).text == f"I like cat and {CANARY}"


def test_presidio_without_a_privatizer() -> None:
    engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
    engine.add_anonymizer(PrivatizeOperator)
    found = [RecognizerResult("WORDS", 0, 3, 0.9)]
    with pytest.raises(InvalidParamError, match="needs"):
        engine.anonymize("cat", found, {"WORDS": OperatorConfig("hushbit", {})})


# ---- LangChain


def test_texts_and_messages(privatizer: hushbit.Privatizer) -> None:
    step = PrivatizeRunnable(privatizer)
    typed = f"cat, {CANARY} road"
    assert step.invoke(typed) == "cat road"
    assert step.batch([typed, "sun"]) == ["cat road", "sun"]
    human = HumanMessage(typed, id="7", name=CANARY, additional_kwargs={"x": CANARY})
    released = step.invoke([SystemMessage("Answer."), human, AIMessage("Yes.")])
    assert released == [SystemMessage("Answer."), HumanMessage("cat road", id="7"), AIMessage("Yes.")]
    parts = HumanMessage([{"type": "text", "text": typed, "more": CANARY}, "sun!"])
    assert step.invoke(parts).content == [{"type": "text", "text": "cat road"}, "sun"]


def test_in_a_chain(privatizer: hushbit.Privatizer) -> None:
    model = RunnableLambda(lambda prompt: prompt.to_messages()[-1].content)
    prompt = ChatPromptTemplate.from_messages([("system", "Answer."), ("human", "{text}")])
    assert (prompt | PrivatizeRunnable(privatizer) | model).invoke({"text": f"cat, {CANARY}"}) == "cat"


def test_what_is_no_text(privatizer: hushbit.Privatizer) -> None:
    step = PrivatizeRunnable(privatizer)
    with pytest.raises(TypeError, match="is no text"):
        step.invoke(HumanMessage([{"type": "image_url", "image_url": "x"}]))
    with pytest.raises(TypeError, match="the input is a dict"):
        step.invoke({"text": "cat"})  # type: ignore[arg-type]


def test_errors_of_a_step_are_those_of_privatize(bundle: hushbit.Bundle) -> None:
    with pytest.raises(UnknownWordError) as caught:
        PrivatizeRunnable(bundle.privatizer(epsilon=1, allow_unchanged=True, oov="error")).invoke(CANARY)
    assert CANARY not in str(caught.value)


class Model(FakeListChatModel):
    """A model that keeps what it is given, call by call."""

    responses: list[str] = ["Yes."] * 9
    given: list[list[BaseMessage]]

    def _call(self, messages: list[BaseMessage], *arguments: Any, **options: Any) -> str:
        self.given.append(messages)
        return super()._call(messages, *arguments, **options)

    @property
    def texts(self) -> list[list[object]]:
        return [[message.content for message in messages] for messages in self.given]


def test_an_agent_sees_releases_alone(privatizer: hushbit.Privatizer) -> None:
    model = Model(given=[])
    agent = create_agent(model, tools=[], system_prompt="Answer.", middleware=[PrivatizeMiddleware(privatizer)])
    human = HumanMessage(f"cat, {CANARY}", name=CANARY, additional_kwargs={"x": CANARY})
    state = agent.invoke({"messages": [human]})
    assert model.texts == [["Answer.", "cat"]]
    assert CANARY not in repr(state)
    assert CANARY not in repr(model.given)
    state = agent.invoke({"messages": [*state["messages"], HumanMessage(f"{CANARY} sun")]})
    assert model.texts[1] == ["Answer.", "cat", "Yes.", "sun"]
    assert [message.content for message in state["messages"]] == ["cat", "Yes.", "sun", "Yes."]


def test_an_agent_draws_each_message_once(bundle: hushbit.Bundle) -> None:
    """All of 30 words at so small an epsilon come out otherwise in two draws, except in one of 1e30 runs or fewer."""
    model = Model(given=[])
    agent = create_agent(model, tools=[], middleware=[PrivatizeMiddleware(bundle.privatizer(epsilon=0.01))])
    state = asyncio.run(agent.ainvoke({"messages": [HumanMessage("cat " * 30)]}))
    agent.invoke({"messages": [*state["messages"], HumanMessage("cat " * 30)]})
    (first,), (again, _, second) = model.texts
    assert first == again
    assert len({"cat " * 30, first, second}) == 3


def test_an_agent_refuses_what_is_no_text(privatizer: hushbit.Privatizer) -> None:
    model = Model(given=[])
    agent = create_agent(model, tools=[], middleware=[PrivatizeMiddleware(privatizer)])
    with pytest.raises(TypeError, match="is no text"):
        agent.invoke({"messages": [HumanMessage([{"type": "image_url", "image_url": "x"}])]})
    assert model.given == []


# ---- Logs


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    logger = logging.Logger("of a test")
    yield logger
    logger.handlers.clear()


def handler(logger: logging.Logger, *filters: logging.Filter) -> io.StringIO:
    written = io.StringIO()
    stream = logging.StreamHandler(written)
    stream.setFormatter(logging.Formatter("%(message)s|%(query)s|%(other)s", defaults={"query": "-", "other": "-"}))
    for one in filters:
        stream.addFilter(one)
    logger.addHandler(stream)
    return written


def test_fields_of_logs(privatizer: hushbit.Privatizer, logger: logging.Logger) -> None:
    written = handler(logger, PrivatizeFilter(privatizer, ["query"]))
    logger.info("searched", extra={"query": f"cat, {CANARY}", "other": "kept"})
    logger.info("searched %(query)s %(other)s", {"query": f"road! {CANARY}", "other": "kept"})
    logger.info("searched %s", "as it is")
    logger.info("searched", extra={"query": [CANARY]})
    assert written.getvalue().splitlines() == [
        "searched|cat|kept",
        "searched road kept|-|-",
        "searched as it is|-|-",
        f"searched|{WITHHELD}|-",
    ]


def test_a_record_is_drawn_once(bundle: hushbit.Bundle, logger: logging.Logger) -> None:
    noisy = bundle.privatizer(epsilon=0.01)
    first, second = (handler(logger, PrivatizeFilter(noisy, ["query"])) for _ in range(2))
    text = "cat " * 50
    logger.info("searched", extra={"query": text})
    assert first.getvalue() == second.getvalue()
    assert text not in first.getvalue()


def test_what_cannot_be_released_is_withheld(bundle: hushbit.Bundle, logger: logging.Logger) -> None:
    strict = bundle.privatizer(epsilon=1, allow_unchanged=True, oov="error")
    written = handler(logger, PrivatizeFilter(strict, ["query"]), PrivatizeFilter(strict, ["query", "other"]))
    logger.info("searched", extra={"query": CANARY, "other": "\ud800"})
    assert written.getvalue() == f"searched|{WITHHELD}|{WITHHELD}\n"
