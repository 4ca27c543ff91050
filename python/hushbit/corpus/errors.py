"""Errors that releasing files and tables alone raises."""

from hushbit.errors import HushbitError


class ClusterError(HushbitError, OSError):
    """A cluster could not be reached, or was lost. What it had drawn and not sent back is not released."""
