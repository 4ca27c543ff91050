"""What the reports of `hushbit hashing` share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hushbit.hashing import Attack, DirectionCost, HashedModel, ModelCost

CAVEAT = "(an indistinguishability indicator under the paper's assumptions, not an (epsilon, delta)-DP guarantee)"


def cost_document(model: HashedModel, removed: list[int], delta: float) -> dict[str, Any]:
    """Costs for each of `removed` features, composed over all synthetic rows first."""
    from hushbit.hashing.costs.cost import cost_curve
    from hushbit.hashing.fit.quality import excess_kurtosis

    composed = cost_curve(model, removed, delta)
    per_draw = cost_curve(model, removed, delta, draws=1)
    return {
        "meaning": CAVEAT.strip("()") + "; of Gaussians fitted to each dimension",
        "delta": delta,
        "draws": model.missing,
        "kurtosis": [_finite(excess_kurtosis(model.weights[:, i])) for i in range(model.dimensions)],
        "costs": [
            {"features": whole.removed, "composed": _cost(whole), "per_draw": _cost(one)}
            for whole, one in zip(composed, per_draw, strict=True)
        ],
    }


def attack_document(found: Attack) -> dict[str, Any]:
    """The strongest attacker, and all of them."""
    from hushbit.hashing.attacks.attack import BAR

    return {
        "auc": found.auc,
        "standard_error": found.standard_error,
        "attacker": found.attacker,
        "told_apart": found.succeeded,
        "limit": found.limit,
        "bar": BAR,
        "rows": found.rows,
        "by_attacker": found.by_attacker,
    }


def attack_text(found: dict[str, Any]) -> str:
    """The strongest attacker of an `attack_document`, for people."""
    return (
        f"area under the ROC {found['auc']:.3f} (chance: 0.5; standard error {found['standard_error']:.3f}), "
        f"by {found['attacker']}"
    )


def printable(text: str) -> str:
    """A label or a term for a terminal: both come from files, which may hold what moves the cursor."""
    return "".join(character if character.isprintable() else "?" for character in text)


def number(epsilon: float) -> str:
    """An epsilon for people."""
    return "infinite (the divergence is infinite for every alpha)" if math.isinf(epsilon) else f"{epsilon:.4g}"


def _cost(cost: ModelCost) -> dict[str, Any]:
    return {
        "epsilon": cost.epsilon,
        "from_table": _direction(cost.from_table),
        "from_neighbor": _direction(cost.from_neighbor),
    }


def _direction(direction: DirectionCost) -> dict[str, Any]:
    return {
        "epsilon": direction.epsilon,
        "alpha": _finite(direction.alpha),
        "divergence_by_dimension": list(direction.by_dimension),
        "rows_removed_from": list(direction.tails),
    }


def _finite(value: float) -> float | None:
    """None for NaN, which JSON does not have."""
    return None if math.isnan(value) else value
