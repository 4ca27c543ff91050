"""The mechanisms of the papers with a common interface, for comparison and audits: word ids in, word ids out.

`Brr`, `HammingTem` and `CrowdMechanism` belong to the core. They are exact and may be used for releases. `Madlib` and
`EuclideanTem` draw floating-point noise on the real vectors. They are for comparison, not for release (Mironov, 2012:
the low bits of such noise can reveal the input). `Madlib` is in a separate module, `hushbit.study.mechanisms.madlib`,
since it needs faiss.
"""

from hushbit.study.mechanisms.base import Ids, Mechanism
from hushbit.study.mechanisms.core import Brr, CoreMechanism, HammingTem
from hushbit.study.mechanisms.crowd import CrowdMechanism
from hushbit.study.mechanisms.euclidean_tem import EuclideanTem
from hushbit.study.mechanisms.metric_tem import Metric, MetricTem
from hushbit.study.mechanisms.vectors import Vectors, vectors_of

__all__ = [
    "Brr",
    "CoreMechanism",
    "CrowdMechanism",
    "EuclideanTem",
    "HammingTem",
    "Ids",
    "Mechanism",
    "Metric",
    "MetricTem",
    "Vectors",
    "vectors_of",
]
