"""The mechanisms of the papers behind one protocol, to compare and to audit them: word ids in, word ids out.

`Brr`, `HammingTem` and `CrowdMechanism` are the core's own, exact, and fit for release. `Madlib` and `EuclideanTem`
draw floating-point noise on the real vectors; they are for comparison, not for release (Mironov, 2012: the low bits of
such noise can tell the input). `Madlib` is in a module of its own, `hushbit.study.mechanisms.madlib`, since it needs
faiss.
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
