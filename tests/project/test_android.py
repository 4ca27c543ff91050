"""What Gradle is told, read as text: no SDK is needed, and the names in scripts, CMake and docs agree."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARY, ENGLISH, SAMPLE = (
    (ROOT / f"android/{name}/build.gradle.kts").read_text("utf-8") for name in ("hushbit", "english", "keyboard")
)
PROJECTS = (ROOT / "android/build.gradle.kts").read_text("utf-8")
CMAKE = (ROOT / "CMakeLists.txt").read_text("utf-8")
PAGE = (ROOT / "docs/android.md").read_text("utf-8")
WORKFLOW = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
ABIS = ["arm64-v8a", "armeabi-v7a", "x86", "x86_64"]


def only(pattern: str, text: str) -> str:
    """The group of a pattern that matches once."""
    (found,) = re.findall(pattern, text)
    return str(found)


def strings(pattern: str, text: str) -> list[str]:
    """The quoted strings in the group of a pattern that matches once."""
    return re.findall(r'"([^"]+)"', only(pattern, text))


def test_wrapper_is_pinned() -> None:
    lines = (ROOT / "android/gradle/wrapper/gradle-wrapper.properties").read_text("utf-8").splitlines()
    pinned = dict(line.split("=", 1) for line in lines)
    version = only(r"/gradle-([\d.]+)-bin\.zip$", pinned["distributionUrl"])
    assert re.fullmatch("[0-9a-f]{64}", pinned["distributionSha256Sum"])
    assert f'gradle-version: "{version}"' in WORKFLOW
    for path in ("docs/android.md", "tools/phones/build_aar", "android/gradle/libs.versions.toml"):
        assert f"Gradle {version} or newer" in (ROOT / path).read_text("utf-8"), path
    script = (ROOT / "android/build.gradle.kts").read_text("utf-8")
    assert re.findall(r'getProperty\("(\w+)"\)', script) == ["distributionUrl", "distributionSha256Sum"]


def test_tools_have_one_version() -> None:
    ndk, cmake = only(r'ndkVersion = "([\d.]+)"', LIBRARY), only(r'(?<=        )version = "([\d.]+)"', LIBRARY)
    assert f'sdkmanager "ndk;{ndk}" "cmake;{cmake}"' in WORKFLOW
    assert f"NDK r{ndk.split('.')[0]} and CMake {cmake}" in PAGE
    assert int(ndk.split(".")[0]) >= 28  # which aligns to 16 KB


def test_abis_are_those_of_phones_and_emulators() -> None:
    assert strings(r"abiFilters \+= listOf\((.*)\)", LIBRARY) == ABIS
    introduction = PAGE.partition("\n## ")[0]
    assert [abi for abi in ABIS if re.search(rf"(?<![\w-]){abi}(?![\w-])", introduction)] == ABIS


def test_oldest_android_is_the_same_everywhere() -> None:
    oldest = only(r"minSdk = (\d+)", LIBRARY)
    assert only(r"minSdk = (\d+)", SAMPLE) == oldest
    assert only(r"minSdk = (\d+)", ENGLISH) == oldest
    assert f"minSdk {oldest}" in PAGE
    suite = (ROOT / "tools/suites/android.sh").read_text("utf-8")
    assert set(re.findall(r"--min-sdk-version (\d+)", suite)) == {oldest}
    checked = (ROOT / "native/toolchains/android-arm64-check.cmake").read_text("utf-8")
    assert set(re.findall(r"linux-android(\d+)", checked + suite)) == {oldest}


@pytest.mark.parametrize("name", ["name", "description", "url", "scm", "developers", "licenses", "developerConnection"])
def test_pom_has_what_maven_central_asks(name: str) -> None:
    pom = PROJECTS.partition(" pom {\n")[2].partition("\n                    }\n")[0]
    assert re.search(rf"\b{name} (=|\{{)", pom)


def test_publication_has_sources_and_documentation_and_may_be_signed() -> None:
    for script in (LIBRARY, ENGLISH):
        assert "withSourcesJar()" in script
        assert "withJavadocJar()" in script
        assert "    `maven-publish`\n    signing\n" in script
        assert re.search(r'^description = ".+"$', script, re.MULTILINE)
    properties = re.findall(r'gradleProperty\("(\w+)"\)', PROJECTS)
    assert sorted(properties) == ["mavenDirectory", "projectUrl", "signingKey", "signingPassword"]
    assert all(f"`{name}`" in PAGE for name in properties if name != "mavenDirectory")
    assert {f"ORG_GRADLE_PROJECT_{name}" in WORKFLOW for name in ("signingKey", "signingPassword")} == {True}
    # From the public header, the one home of the version.
    assert re.search(r'^val headerVersion = Regex\("#define HUSHBIT_VERSION ', PROJECTS, re.MULTILINE)
    assert "    version = headerVersion\n" in PROJECTS


def test_english_words_are_a_library_of_their_own() -> None:
    settings = (ROOT / "android/settings.gradle.kts").read_text("utf-8")
    assert '":hushbit-english"' in settings
    assert 'project(":hushbit-english").projectDir = file("english")' in settings
    assets = ROOT / "android" / only(r'assets\.srcDir\(rootDir\.resolve\("(.+?)"\)\)', ENGLISH)
    assert {"english.hushbit", "LICENSE-PDDL.txt"} <= {path.name for path in assets.iterdir()}
    assert 'api(project(":hushbit"))' in ENGLISH
    assert 'implementation(project(":hushbit-english"))' in SAMPLE
    assert "noCompress" in SAMPLE
    megabytes = round((assets / "english.hushbit").stat().st_size / 1e6)
    assert f"{megabytes} MB" in only(r'(?m)^description = "(.+)"$', ENGLISH)
    assert f"`dev.hushbit:hushbit-english`, {megabytes} MB" in PAGE
    provider = (ROOT / "android/english/src/main/AndroidManifest.xml").read_text("utf-8")
    name = only(r'android:name="([\w.]+)"', provider)
    assert 'android:exported="false"' in provider
    assert (ROOT / "android/english/src/main/kotlin" / (name.replace(".", "/") + ".kt")).is_file()


def test_android_is_the_newest_that_the_plugin_and_the_checks_know() -> None:
    newest = {only(r"compileSdk = (\d+)", script) for script in (LIBRARY, ENGLISH, SAMPLE)}
    newest.add(only(r"targetSdk = (\d+)", SAMPLE))
    suite = (ROOT / "tools/suites/android.sh").read_text("utf-8")
    newest |= set(re.findall(r"--target-sdk-version (\d+)", suite)) | set(re.findall(r"-stubs-(\d+)\.", suite))
    assert newest == {"36"}
    plugin = tomllib.loads((ROOT / "android/gradle/libs.versions.toml").read_text("utf-8"))["versions"]["agp"]
    assert tuple(map(int, plugin.split("."))) >= (8, 10, 0)  # the first that knows level 36


def test_prefab_publishes_a_target_that_is_built() -> None:
    assert "buildFeatures { prefabPublishing = true }" in LIBRARY
    ((module, headers),) = re.findall(r'^ *create\("(\w+)"\) \{ headers = "(.+)" \}$', LIBRARY, re.MULTILINE)
    assert module in strings(r"targets \+= listOf\((.*)\)", LIBRARY)
    assert f"add_library({module} ${{core_kind}} " in CMAKE
    assert "BUILD_SHARED_LIBS" not in LIBRARY  # so core_kind is STATIC there
    assert (ROOT / "android/hushbit" / headers / "hushbit/hushbit.h").is_file()
    # Prefab calls the package like the Gradle project; users of a static library need a C++ library, any but none.
    assert 'include(":hushbit", ' in (ROOT / "android/settings.gradle.kts").read_text("utf-8")
    assert "-DANDROID_STL=c++_static" in LIBRARY
    lines = ("find_package(hushbit REQUIRED CONFIG)", f"target_link_libraries(keyboard PRIVATE hushbit::{module})")
    consumer = (ROOT / "android/hushbit/src/test/prefab/CMakeLists.txt").read_text("utf-8")
    assert all(line in text for line in lines for text in (PAGE, consumer))


def test_tests_for_devices_are_where_gradle_looks() -> None:
    assert 'testInstrumentationRunner = "androidx.test.runner.AndroidJUnitRunner"' in LIBRARY
    catalog = tomllib.loads((ROOT / "android/gradle/libs.versions.toml").read_text("utf-8"))["libraries"]
    used = re.findall(r"(?:mplementation|api|compileOnly)\(libs\.([\w.]+)\)", LIBRARY)
    assert sorted(name.replace(".", "-") for name in used) == sorted(catalog)
    folders = [f"android/hushbit/{name}" for name in re.findall(r'kotlin\.srcDir\("(.+?)"\)', LIBRARY)]
    folders += [f"android/{name}" for name in re.findall(r'assets\.srcDir\(rootDir\.resolve\("(.+?)"\)\)', LIBRARY)]
    assert len(folders) == 4
    assert all((ROOT / folder).is_dir() for folder in folders)
    assert 'androidResources { noCompress += "hushbit" }' in LIBRARY


@pytest.mark.parametrize("name", ["sharedTest", "androidTest"])
def test_tests_for_devices_have_names_that_old_androids_take(name: str) -> None:
    """The name of a method has no spaces before Android 11."""
    sources = [*(ROOT / f"android/hushbit/src/{name}").rglob("*.kt")]
    texts = [source.read_text("utf-8") for source in sources]
    assert sum(text.count("@Test") for text in texts) >= 4
    assert not any("fun `" in text or "org.junit" in text for text in texts)
