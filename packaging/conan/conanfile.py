"""The recipe of Conan 2: `conan create packaging/conan`."""

import re
from pathlib import Path
from shutil import copy2

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

FILES = ["CMakeLists.txt", "LICENSE", "native/install.cmake", "native/hushbit.pc.in"]
FOLDERS = ["native/include", "native/src"]


class Hushbit(ConanFile):
    """The core: hushbit::core, and on demand hushbit::testing."""

    name = "hushbit"
    description = "Text made private on the device, before it leaves it"
    license = "Apache-2.0"
    topics = ("differential privacy", "text")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "testing": [True, False]}  # noqa: RUF012  (Conan's form)
    default_options = {"shared": False, "fPIC": True, "testing": False}  # noqa: RUF012

    def set_version(self) -> None:
        """The version has one home, the public header."""
        header = load(self, Path(self.recipe_folder).parents[1] / "native/include/hushbit/hushbit.h")
        self.version = re.search(r'#define HUSHBIT_VERSION "([0-9.]+)"', header)[1]

    def export_sources(self) -> None:
        """What building the core needs of the tree."""
        root, export = Path(self.recipe_folder).parents[1], Path(self.export_sources_folder)
        for folder in FOLDERS:
            copy(self, "*", root / folder, export / folder)
        for file in FILES:
            copy2(root / file, export / file)

    def layout(self) -> None:
        """The usual folders."""
        cmake_layout(self)

    def config_options(self) -> None:
        """There is no such thing on Windows."""
        if self.settings.os == "Windows":
            self.options.rm_safe("fPIC")

    def configure(self) -> None:
        """A shared core is always position-independent, and seeded randomness needs a static one."""
        if self.options.shared:
            self.options.rm_safe("fPIC")
            self.options.rm_safe("testing")

    def generate(self) -> None:
        """Tells the core what to make."""
        toolchain = CMakeToolchain(self)
        toolchain.variables["HUSHBIT_TESTING"] = bool(self.options.get_safe("testing"))
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self) -> None:
        """Builds it by CMake."""
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self) -> None:
        """Conan writes its own files for find_package and pkg-config."""
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()
        rmdir(self, Path(self.package_folder) / "lib" / "cmake")
        rmdir(self, Path(self.package_folder) / "lib" / "pkgconfig")

    def package_info(self) -> None:
        """What a program links."""
        self.cpp_info.set_property("pkg_config_name", "hushbit")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", "hushbit::core")
        core.libs = ["hushbit_core"]
        if self.options.shared:
            core.defines = ["HUSHBIT_SHARED"]
        if self.settings.os == "Windows":
            core.system_libs = ["bcrypt"]
        elif self.settings.os != "Macos":
            core.system_libs = ["m"]
        if self.options.get_safe("testing"):
            testing = self.cpp_info.components["testing"]
            testing.set_property("cmake_target_name", "hushbit::testing")
            testing.libs = ["hushbit_testing"]
            testing.requires = ["core"]
