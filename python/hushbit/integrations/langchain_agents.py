"""A middleware of LangChain's agents that releases what a person typed, before a model sees it."""

from __future__ import annotations

from typing import Any

from hushbit import Privatizer
from hushbit._plumbing.extras import extra
from hushbit.integrations.langchain import PrivatizeRunnable

with extra("pipelines"):
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.messages import AnyMessage, HumanMessage

_RELEASED = {"hushbit": "released"}


class PrivatizeMiddleware(AgentMiddleware[Any, Any, Any]):
    """Replaces human messages by their releases: `create_agent(model, tools, middleware=[PrivatizeMiddleware(…)])`.

    privatizer: the privatizer to use.

    Each message is drawn once, before the first model that would see it, and takes the place of what was typed in the
    state of the agent. So models, tools and later middleware see the release alone; put this middleware first. In a
    conversation that goes on, what was released stays as it is: its `response_metadata` says so. Names and further
    fields of human messages are dropped, all other messages pass as they are, and parts of a message that are no text,
    such as images, raise TypeError. A model that is tried again does not draw again.

    What an agent is given passes LangGraph before any middleware: tracing and a checkpointer record it as it was
    typed. Where these are not on the device, release before the agent, by `PrivatizeRunnable`.
    """

    def __init__(self, privatizer: Privatizer) -> None:
        super().__init__()
        self._step = PrivatizeRunnable(privatizer)

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002 - as LangChain calls it
        """The state with releases in place of human messages. Raises the errors of `Privatizer.privatize`."""
        released = [self._released(message) for message in state["messages"] if _is_typed(message)]
        return {"messages": released} if released else None

    async def abefore_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:
        """The same, for agents that run asynchronously."""
        return self.before_model(state, runtime)

    def _released(self, message: AnyMessage) -> AnyMessage:
        released: AnyMessage = self._step.invoke(message)
        released.response_metadata = dict(_RELEASED)
        return released


def _is_typed(message: AnyMessage) -> bool:
    return isinstance(message, HumanMessage) and message.response_metadata != _RELEASED
