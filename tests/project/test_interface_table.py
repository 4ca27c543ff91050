"""tools/suites/check_interface.py finds what is planted in a copy of the six languages, and nothing without it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools/suites/check_interface.py"
READ = [
    ("native", "interface.toml"),
    ("native/include/hushbit", "*.h"),
    ("native/src/api", "c_api*.cpp"),
    ("python/hushbit", "*.py"),
    ("python/hushbit/_plumbing", "records.py"),
    ("android/hushbit/src/main/kotlin/dev/hushbit", "*.kt"),
    ("ios/Sources/Hushbit", "*.swift"),
    ("web/src", "*.js"),
    ("react-native/src", "*.ts"),
    ("react-native/cpp", "Values.cpp"),
]
TYPES, OPTIONS_KT, OPTIONS_SWIFT = "native/include/hushbit/types.h", "PrivatizerOptions.kt", "PrivatizerOptions.swift"
TYPES_TS, BUNDLE_TS = "react-native/src/types.ts", "react-native/src/bundle.ts"
FAULTS = [
    # file, what stands there, what is planted, what must be said
    (TYPES, "double worst_case;", "double worst;", "c: cost has no worstcase"),
    (TYPES, "HUSHBIT_TEM = 2,", "HUSHBIT_TEM = 5,", "c: mechanism TEM is 5; it must be 2"),
    (TYPES, "HUSHBIT_READ_FAILED = 3", "HUSHBIT_IO_ERROR = 3", "c: status 3 is IO_ERROR"),
    (
        TYPES,
        "} hushbit_nearest;",
        "} hushbit_nearest;\ntypedef struct hushbit_more { int a; } hushbit_more;",
        "c has more",
    ),
    ("native/src/api/c_api.cpp", ".beta = 0.001", ".beta = 0.01", "c: the default of privatizer_options.beta is 0.01"),
    (
        "native/src/api/c_api_reports.cpp",
        ".epsilon = 2,",
        ".epsilon = 3,",
        "c: the default of reporter_options.epsilon is 3.0",
    ),
    (
        "python/hushbit/_options.py",
        'oov: OovPolicy = "random"',
        'oov: OovPolicy = "drop"',
        "privatizer_options.oov is drop",
    ),
    ("python/hushbit/_options.py", '"rows", "clusters"', '"rows", "cluster"', "python: Search has no clusters"),
    ("python/hushbit/_text.py", "    verbatim: int\n", "", "python: Cost has no verbatim"),
    ("python/hushbit/_text.py", "class Cost(", "class PrivacyCost(", "python has no cost"),
    (
        "python/hushbit/errors.py",
        "3: ReadFailedError",
        "3: StorageFailedError",
        "python: status 3 is StorageFailedError",
    ),
    (OPTIONS_KT, "VERBATIM_UNSAFE(4)", "VERBATIM_UNSAFE(5)", "kotlin: OovPolicy VERBATIM_UNSAFE is 5; it must be 4"),
    (
        OPTIONS_KT,
        "public val beta: Double = 0.001",
        "public val beta: Double = 0.1",
        "kotlin: the default of privatizer_options",
    ),
    (OPTIONS_KT, "public val crowdSize:", "public val crowd:", "kotlin: PrivatizerOptions has no crowdsize"),
    (
        "NativeFailure.kt",
        "13 -> HushbitException.StorageFailed",
        "13 -> HushbitException.Storage",
        "kotlin: status 13 is Storage",
    ),
    (
        OPTIONS_SWIFT,
        "return UInt32(HUSHBIT_TEM.rawValue)",
        "return UInt32(HUSHBIT_BRR.rawValue)",
        "swift: Mechanism tem is 1",
    ),
    (
        OPTIONS_SWIFT,
        "beta: Double = 0.001",
        "beta: Double = 0.002",
        "swift: the default of privatizer_options.beta is 0.002",
    ),
    (OPTIONS_SWIFT, "public struct PrivatizerOptions", "public struct Settings", "swift has no privatizer_options"),
    (
        "HushbitError.swift",
        "HUSHBIT_READ_FAILED: self = .readFailed",
        "HUSHBIT_READ_FAILED: self = .storageFailed",
        "swift: status 3",
    ),
    ("Budget.swift", "    public let textsToday: UInt64\n", "", "swift: BudgetState has no textstoday"),
    ("web/src/options.js", "brr: 1, tem: 2", "brr: 2, tem: 1", "javascript: const MECHANISMS brr is 2; it must be 1"),
    (
        "web/src/result.js",
        "@property {number} utf16Begin",
        "@property {number} begin",
        "javascript: Token has no utf16begin",
    ),
    ("web/src/errors.js", '"READ_FAILED",\n  "CORRUPT', '"IO_ERROR",\n  "CORRUPT', "javascript: status 3 is IO_ERROR"),
    (
        "web/src/bundle.js",
        "{number} defaultEpsilonBrr",
        "{object} defaultEpsilons",
        "javascript: BundleInfo has no defaultepsilonbrr",
    ),
    (TYPES_TS, "  textsToday: number;\n", "", "typescript: BudgetState has no textstoday"),
    (TYPES_TS, "  auditLog?: string;\n", "", "typescript: EmbedderOptions has no auditlog"),
    (TYPES_TS, '"one" | "few"', '"one" | "some"', "typescript: CrowdSize has some"),
    ("react-native/cpp/Values.cpp", '"READ_FAILED"', '"IO_ERROR"', "typescript: status 3 is IO_ERROR"),
    (
        "native/interface.toml",
        'why = "they are keyword arguments of its constructor"',
        'why = ""',
        "budget_limits: a difference needs",
    ),
    ("native/interface.toml", '"Neighbor", "Section"]', '"Neighbor", "Section", "Gone"]', "python has no Gone"),
]

HUSHBIT_H, BUNDLE_KT, BUNDLE_SWIFT = "native/include/hushbit/hushbit.h", "hushbit/Bundle.kt", "HushbitBundle.swift"
# The same for methods and properties, ways to make objects, ranges, and what is said of defaults.
OTHER_FAULTS = [
    (HUSHBIT_H, "hushbit_bundle_verify(", "hushbit_bundle_check(", "c: bundle has no method verify"),
    (
        HUSHBIT_H,
        "// ---- Privatizers",
        "HUSHBIT_API void hushbit_bundle_warm(const hushbit_bundle* bundle);\n// ---- Privatizers",
        "c: bundle has the method warm, which native/interface.toml does not list",
    ),
    ("python/hushbit/_bundle.py", "def verify(", "def check(", "python: bundle has no method verify"),
    (
        "python/hushbit/_classifier.py",
        "def _classified(",
        "def classified(",
        "python: classifier has the method classified",
    ),
    ("python/hushbit/_text.py", "def zero(", "def _zero(", "python: cost has no method zero"),
    (BUNDLE_KT, "    public fun verify()", "    internal fun verify()", "kotlin: bundle has no method verify"),
    (BUNDLE_KT, "override fun close()", "internal fun close()", "kotlin: bundle has no method close"),
    ("Coroutines.kt", "suspend fun Privatizer.privatizeSus", "suspend fun Privatizer.privatizeSlow", "privatizeSlow"),
    (
        BUNDLE_SWIFT,
        "    public func verify()",
        "    public func audit() {}\n    public func verify()",
        "swift: HushbitBundle has the method audit",
    ),
    ("Embedder.swift", "func embed(vector:", "func embed(numbers:", "swift: embedder has the method embedNumbers"),
    ("Reporter.swift", "public var json:", "var json:", "swift: report has no method json"),
    ("web/src/bundle.js", "get meta()", "get text()", "javascript: bundle has no method meta"),
    ("web/src/remote.js", "  async embed(text)", "  async embedText(text)", "RemoteEmbedder has the method embedText"),
    ("web/src/index.js", "export { deviceKey }", "import { deviceKey }", "javascript: module has no method devicekey"),
    (HUSHBIT_H, "hushbit_bundle_open_fd(", "hushbit_bundle_open_part(", "c has no way hushbit_bundle_open_fd"),
    ("python/hushbit/__init__.py", '    "open_projection",\n', "", "python has no way open_projection"),
    (
        "python/hushbit/_bundle.py",
        "    def verify(self) -> None:",
        "    def copy(self) -> Bundle:\n        ...\n\n    def verify(self) -> None:",
        "python has the way Bundle.copy to an object",
    ),
    ("Hushbit.kt", "fun open(path: String)", "fun open(name: String)", "kotlin has no way Hushbit.open(path)"),
    ("Budget.swift", "public init(url: URL, limits", "init(url: URL, limits", "swift has no way Budget(url:limits:)"),
    ("web/src/budget.js", "static async open(", "static async create(", "javascript has no way Budget.open"),
    (BUNDLE_TS, "get meta()", "get text()", "typescript: bundle has no method meta"),
    ("react-native/src/embedder.ts", "  classifier(", "  open(", "typescript has no way Embedder.classifier"),
    ("react-native/src/handle.ts", "/** @internal", "/**", "typescript: budget has the method native"),
    (
        BUNDLE_TS,
        "value by its number, 0 to",
        "value by its number, 1 to",
        "typescript: the comment on reporter.report_value",
    ),
    ("native/interface.toml", 'lacks.c = "the library has no files"', 'lacks.c = ""', "c: bundle.built_in needs a way"),
    (
        TYPES,
        "finite, 0 or more; per differing",
        "finite, above 0; per differing",
        'c: the comment on privatizer_options.epsilon does not say "finite, 0 or more"',
    ),
    (TYPES, "its length, 1 to 64 bytes", "its length, 1 to 80 bytes", "c: the comment on privatizer_options.mask"),
    (
        HUSHBIT_H,
        "`k` is from 1 to the number\n// of output",
        "`k` is 1 to the number\n// of",
        "c: the comment on bundle.nei",
    ),
    (
        "python/hushbit/_options.py",
        "0.01 to 16 (def",
        "0.1 to 16 (def",
        "python: the comment on reporter_options.epsilon",
    ),
    (
        "hushbit/Budget.kt",
        "worstCase], 0 or more; infinity means",
        "worstCase]; infinity means",
        "kotlin: the comment on budget_limits.worst_",
    ),
    (
        "ios/Sources/Hushbit/Embedder.swift",
        "`count` is 1 to the",
        "`count` is of the",
        "swift: the comment on embedder.nea",
    ),
    (
        "web/src/options.js",
        "[mask] 1 to 64 bytes",
        "[mask] a word",
        "javascript: the comment on privatizer_options.mask",
    ),
    (
        "native/interface.toml",
        'epsilon = "0.01 to 16"',
        'epsilon = "0.01 to 20"',
        "comment on reporter_options.epsilon",
    ),
    ("native/interface.toml", 'spend = "0 or more"', 'pay = "0 or more"', "budget has no pay, of which the table has"),
    (
        "web/src/options.js",
        "deviceKey, epoch = 0 }",
        "deviceKey, epoch = 1 }",
        "default of embedder_options.epoch is 1.0",
    ),
    (
        "web/src/options.js",
        'values = "words", skinTones',
        'values = "emoji", skinTones',
        "javascript: the default of reporter_options.values is emoji",
    ),
    (
        "web/src/options.js",
        "to 16; 2 by default",
        "to 16",
        "javascript: the default of reporter_options.epsilon is None",
    ),
    (
        "web/src/budget.js",
        "worstCasePerDay = Inf",
        "worstCasePerDay = 9",
        "default of budget_limits.worst_case_per_day",
    ),
    (
        "python/hushbit/_options.py",
        "(default:\n        0.001)",
        "(default:\n        0.01)",
        "python: a comment says that the default of privatizer_options.beta is 0.01, not 0.001",
    ),
]


def copy_to(folder: Path) -> None:
    for place, pattern in READ:
        (folder / place).mkdir(parents=True, exist_ok=True)
        for file in (ROOT / place).glob(pattern):
            shutil.copy(file, folder / place)


def checked(folder: Path) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-S", CHECK, folder], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_layouts_are_those_of_the_header() -> None:
    subprocess.run([sys.executable, ROOT / "tools/generate/layouts", "--check"], check=True)


def test_the_languages_agree(tmp_path: Path) -> None:
    copy_to(tmp_path)
    code, said = checked(tmp_path)
    assert (code, said.count("\n")) == (0, 1), said


@pytest.mark.parametrize(("name", "there", "planted", "found"), FAULTS + OTHER_FAULTS)
def test_a_fault_is_found(tmp_path: Path, name: str, there: str, planted: str, found: str) -> None:
    copy_to(tmp_path)
    (file,) = (
        path for path in tmp_path.rglob("*") if str(path).endswith("/" + name.rpartition("/")[2]) and name in str(path)
    )
    text = file.read_text(encoding="utf-8")
    assert there in text
    file.write_text(text.replace(there, planted, 1), encoding="utf-8")
    code, said = checked(tmp_path)
    assert code == 1
    assert found in said, said
