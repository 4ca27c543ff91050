"""Reads a project of Xcode (project.pbxproj, a property list of the old style), and finds what in it leads nowhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# A comment, a string in quotes, a word as Xcode writes it without quotes, or a sign.
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"|[\w./:$]+|[{}()=;,]', re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t"}
IDENTIFIER = re.compile(r"[0-9A-F]{24}")
# What the identifiers under a key must name.
REFERENCES = {
    "baseConfigurationReference": "PBXFileReference",
    "buildConfigurationList": "XCConfigurationList",
    "buildConfigurations": "XCBuildConfiguration",
    "buildPhases": "PBX(?:Sources|Frameworks|Resources|CopyFiles)BuildPhase",
    "children": "PBXGroup|PBXFileReference|PBXFileSystemSynchronizedRootGroup",
    "containerPortal": "PBXProject",
    "dependencies": "PBXTargetDependency",
    "exceptions": "PBXFileSystemSynchronizedBuildFileExceptionSet",
    "fileRef": "PBXFileReference",
    "fileSystemSynchronizedGroups": "PBXFileSystemSynchronizedRootGroup",
    "files": "PBXBuildFile",
    "mainGroup": "PBXGroup",
    "packageProductDependencies": "XCSwiftPackageProductDependency",
    "packageReferences": "XCLocalSwiftPackageReference",
    "productRef": "XCSwiftPackageProductDependency",
    "productRefGroup": "PBXGroup",
    "productReference": "PBXFileReference",
    "remoteGlobalIDString": "PBXNativeTarget",
    "rootObject": "PBXProject",
    "target": "PBXNativeTarget",
    "targetProxy": "PBXContainerItemProxy",
    "targets": "PBXNativeTarget",
}

Object = dict[str, Any]


def tokens(text: str) -> Iterator[tuple[int, str]]:
    """The tokens of a property list, each with its line; ValueError at what is none."""
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        line = text.count("\n", 0, place) + 1
        match = TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"line {line}: {text[place]!r} is not expected")
        place = match.end()
        if not match[0].startswith(("//", "/*")):
            yield line, match[0]
    yield text.count("\n") + 1, ""


def parse(text: str) -> Any:
    """The dictionary, list or string in a property list of the old style. ValueError if it is none."""
    found = list(tokens(text))
    value = parse_value(found)
    if found[0][1]:
        raise ValueError(f"line {found[0][0]}: {found[0][1]} after the end")
    return value


def parse_value(rest: list[tuple[int, str]]) -> Any:
    """The value at the front, which is removed."""
    line, sign = rest.pop(0)
    if sign == "{":
        return parse_dictionary(rest)
    if sign == "(":
        values = []
        while rest[0][1] != ")":
            values.append(parse_value(rest))
            if rest[0][1] != ")":
                expect(rest, ",")
        expect(rest, ")")
        return values
    if sign in {"", "}", ")", "=", ";", ","}:
        raise ValueError(f"line {line}: a value is missing before {sign or 'the end'}")
    if sign.startswith('"'):
        return ESCAPED.sub(lambda match: ESCAPES.get(match[1], match[1]), sign[1:-1])
    return sign


def parse_dictionary(rest: list[tuple[int, str]]) -> dict[str, Any]:
    """The entries up to the brace that ends them."""
    entries: dict[str, Any] = {}
    while rest[0][1] != "}":
        line = rest[0][0]
        key = parse_value(rest)
        if not isinstance(key, str):
            raise ValueError(f"line {line}: a key that is not a string")
        if key in entries:
            raise ValueError(f"line {line}: {key} is there twice")
        expect(rest, "=")
        entries[key] = parse_value(rest)
        expect(rest, ";")
    expect(rest, "}")
    return entries


def expect(rest: list[tuple[int, str]], sign: str) -> None:
    """Removes a sign from the front; ValueError if something else is there."""
    line, found = rest.pop(0)
    if found != sign:
        raise ValueError(f"line {line}: {found or 'the end'} where {sign} is expected")


class Project:
    """A project that was read. `folder` is where its paths begin, the directory of the .xcodeproj."""

    def __init__(self, path: Path) -> None:
        content = parse(path.read_text())
        self.folder = path.parent.parent
        self.content: Object = content
        self.objects: dict[str, Object] = content["objects"]

    def __getitem__(self, identifier: str) -> Object:
        """An object."""
        return self.objects[identifier]

    def every(self, identifiers: list[str]) -> list[Object]:
        """Objects, in their order."""
        return [self.objects[identifier] for identifier in identifiers]

    @property
    def root(self) -> Object:
        """The object of the project itself."""
        return self[self.content["rootObject"]]

    def target(self, name: str) -> Object:
        """The target of a name; ValueError if there is not exactly one."""
        targets = [target for target in self.every(self.root["targets"]) if target["name"] == name]
        if len(targets) != 1:
            raise ValueError(f"{len(targets)} targets are called {name}")
        return targets[0]

    def files(self, target: Object, phase: str, **what: str) -> list[Object]:
        """What a target's build phase of a kind handles: file references and products of packages."""
        phases = [
            one for one in self.every(target["buildPhases"]) if one["isa"] == phase and what.items() <= one.items()
        ]
        build_files = [file for one in phases for file in self.every(one["files"])]
        return [self[file["fileRef" if "fileRef" in file else "productRef"]] for file in build_files]

    def settings(self, target: Object) -> Iterator[tuple[str, dict[str, str]]]:
        """A target's settings in each configuration, with those of the project and of its file."""
        project = {
            one["name"]: one for one in self.every(self[self.root["buildConfigurationList"]]["buildConfigurations"])
        }
        for own in self.every(self[target["buildConfigurationList"]]["buildConfigurations"]):
            shared = project[own["name"]]
            file = self.folder / self[shared["baseConfigurationReference"]]["path"]
            yield own["name"], read_settings(file) | shared["buildSettings"] | own["buildSettings"]


def read_settings(path: Path) -> dict[str, str]:
    """The settings of an .xcconfig file."""
    found = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        statement = line.split("//")[0].strip()
        if statement:
            name, equals, value = statement.partition("=")
            if not equals:
                raise ValueError(f"{path.name}: line {number} sets nothing")
            found[name.strip()] = value.strip()
    return found


def references(entry: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every string in an object, or in the whole file, with the key that it is under."""
    if isinstance(entry, dict):
        for name, value in entry.items():
            yield from references(value, name)
    elif isinstance(entry, list):
        for value in entry:
            yield from references(value, key)
    else:
        yield key, entry


def problems(project: Project) -> Iterator[str]:
    """Identifiers that name nothing or another kind, objects that nothing names, and files that are not there."""
    named = set()
    for key, value in references(project.content):
        if key in REFERENCES:
            named.add(value)
            kind = project.objects.get(value, {}).get("isa", "nothing")
            if not re.fullmatch(REFERENCES[key], kind):
                yield f"{key} names {value}, which is {kind}"
        elif IDENTIFIER.fullmatch(value):
            yield f"{key} is not known to name anything, and is {value}"
    yield from (
        f"nothing names {one}, of the kind {project[one]['isa']}" for one in sorted(project.objects.keys() - named)
    )
    yield from missing_files(project, project[project.root["mainGroup"]], project.folder)


def missing_files(project: Project, group: Object, folder: Path) -> Iterator[str]:
    """The files and folders of a group that are not there, and exceptions that except nothing."""
    for child in project.every(group["children"]):
        if child["sourceTree"] == "BUILT_PRODUCTS_DIR":
            continue
        if child["sourceTree"] not in {"<group>", "SOURCE_ROOT"}:
            yield f"sourceTree {child['sourceTree']} is not expected"
        path = (project.folder if child["sourceTree"] == "SOURCE_ROOT" else folder) / child.get("path", "")
        synchronized = child["isa"] == "PBXFileSystemSynchronizedRootGroup"
        if not (path.is_dir() if synchronized else path.exists()):
            yield f"there is no {child['path']}"
        for exception in project.every(child.get("exceptions", [])):
            files = exception["membershipExceptions"]
            yield from (f"there is no {child['path']}/{file}" for file in files if not (path / file).is_file())
        if child["isa"] == "PBXGroup":
            yield from missing_files(project, child, path)
