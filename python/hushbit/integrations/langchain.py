"""A runnable of LangChain that releases what a person typed, before a model or a retriever sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hushbit import Privatizer
from hushbit._plumbing.extras import extra

with extra("pipelines"):
    from langchain_core.messages import BaseMessage, HumanMessage
    from langchain_core.prompt_values import ChatPromptValue, PromptValue
    from langchain_core.runnables import Runnable, RunnableConfig

Typed = str | BaseMessage | PromptValue | Sequence[BaseMessage]


class PrivatizeRunnable(Runnable[Typed, Any]):
    """A step that turns text into its release: `PrivatizeRunnable(privatizer) | prompt | model`.

    privatizer: the privatizer to use.

    A str becomes a str. Of messages, or a prompt of messages, the texts of human messages are released, without names
    and further fields; all other messages pass as they are, and must not quote what was typed. Parts of a message that
    are no text, such as images, raise TypeError. Each call costs again, also a retry.

    The step itself calls no callbacks. A chain that begins with it does, and so tracing would record what was typed:
    call the step by itself, and give its result to the chain.
    """

    def __init__(self, privatizer: Privatizer) -> None:
        self._privatizer = privatizer

    def invoke(self, input: Typed, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002, ARG002
        """The release. Raises the errors of `Privatizer.privatize`."""
        if isinstance(input, str):
            return self._released(input)
        if isinstance(input, BaseMessage):
            return self._message(input)
        if isinstance(input, PromptValue):
            return ChatPromptValue(messages=[self._message(message) for message in input.to_messages()])
        messages = [part for part in input if isinstance(part, BaseMessage)] if isinstance(input, Sequence) else None
        if messages is not None and len(messages) == len(input):
            return [self._message(message) for message in messages]
        raise TypeError(f"the input is a {type(input).__name__}; give a str, messages or a prompt")

    def _message(self, message: BaseMessage) -> BaseMessage:
        if not isinstance(message, HumanMessage):
            return message
        if isinstance(message.content, str):
            return HumanMessage(content=self._released(message.content), id=message.id)
        return HumanMessage(content=[self._part(part) for part in message.content], id=message.id)

    def _part(self, part: str | dict[Any, Any]) -> str | dict[Any, Any]:
        if isinstance(part, str):
            return self._released(part)
        text = part.get("text") if part.get("type") == "text" else None
        if not isinstance(text, str):
            raise TypeError("a part of a message is no text, and cannot be released")
        return {"type": "text", "text": self._released(text)}

    def _released(self, text: str) -> str:
        return self._privatizer.privatize(text).text
