"""Makes bundles. The core reads them: `hushbit.open`."""

from hushbit.toolchain.bundle.build import BuildReport, BundleOptions, build_bundle
from hushbit.toolchain.bundle.calibration import Calibration
from hushbit.toolchain.bundle.container import CODE_BITS, Header, assemble, encode_meta, encode_sections

__all__ = [
    "CODE_BITS",
    "BuildReport",
    "BundleOptions",
    "Calibration",
    "Header",
    "assemble",
    "build_bundle",
    "encode_meta",
    "encode_sections",
]
