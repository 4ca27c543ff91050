"""Making bundles. Reading them is the core's: `hushbit.open`."""

from hushbit.bundle.atomic import BundleWriteError, check_writable, write_atomically
from hushbit.bundle.build import BuildReport, Options, build_bundle
from hushbit.bundle.calibration import Calibration
from hushbit.bundle.container import CODE_BITS, Header, assemble, encode_meta, encode_sections

__all__ = [
    "CODE_BITS",
    "BuildReport",
    "BundleWriteError",
    "Calibration",
    "Header",
    "Options",
    "assemble",
    "build_bundle",
    "check_writable",
    "encode_meta",
    "encode_sections",
    "write_atomically",
]
