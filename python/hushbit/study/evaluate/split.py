"""Who sees which documents: the model's owner, the attacker, nobody."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushbit.errors import InvalidArgumentError
from hushbit.study.evaluate.documents import shown

LEAST_IN_CLASS = 16  # documents of a class, so that each part has two of it or more

Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Disjoint sets of documents, each with all classes in the proportions of the whole."""

    train: Indices
    """One half: what the model is trained on; the members that the attacker looks for."""
    shadow: Indices
    """Half of the test half: what the attacker's shadow model is trained on."""
    not_in_shadow: Indices
    """A quarter of the test half: non-members to the shadow model, known to the attacker."""
    held_out: Indices
    """The last quarter of the test half: non-members to the model, which the attacker has never seen."""

    @property
    def test(self) -> Indices:
        """The whole test half, which the model's accuracy is measured on."""
        return np.concatenate([self.shadow, self.not_in_shadow, self.held_out])


def check_sizes(labels: NDArray[np.int64], in_test: NDArray[np.bool_] | None, classes: list[str]) -> None:
    """Says early what `split` would fail on. Raises InvalidArgumentError."""
    for index, name in enumerate(map(shown, classes)):
        count = int(np.count_nonzero(labels == index))
        if count < LEAST_IN_CLASS:
            raise InvalidArgumentError(
                f"there are {count} documents of the class {name}, too few to split: {LEAST_IN_CLASS} or more are "
                "needed of each class"
            )
        if in_test is not None and np.count_nonzero((labels == index) & in_test) < LEAST_IN_CLASS // 2:
            raise InvalidArgumentError(f"fewer than {LEAST_IN_CLASS // 2} test documents are of the class {name}")


def split(labels: NDArray[np.int64], in_test: NDArray[np.bool_] | None, generator: np.random.Generator) -> Split:
    """Draws a split, class by class. `in_test` is the data's own choice of halves, else they are drawn too."""
    parts: list[list[Indices]] = [[], [], [], []]
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        if in_test is None:
            members = generator.permutation(members)
            train, test = members[: len(members) // 2], members[len(members) // 2 :]
        else:
            train, test = members[~in_test[members]], generator.permutation(members[in_test[members]])
        half, quarter = len(test) // 2, len(test) // 4
        for part, chosen in zip(
            parts, (train, test[:half], test[half : half + quarter], test[half + quarter :]), strict=True
        ):
            part.append(chosen)
    return Split(*(np.sort(np.concatenate(part)) for part in parts))
