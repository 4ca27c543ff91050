"""Errors that learning codes alone raises."""

from hushbit.errors import HushbitError


class DivergenceError(HushbitError):
    """Codes could not be learned: the training diverged, or bits are constant. The message says what to change."""
