"""Builds and runs the stranger's program of native/tests/consumer with the package."""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Consumer(ConanFile):
    """A project that requires Hushbit."""

    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps"

    def requirements(self) -> None:
        """The package under test."""
        self.requires(self.tested_reference_str)

    def layout(self) -> None:
        """The usual folders."""
        cmake_layout(self)

    def generate(self) -> None:
        """Nothing is written beside the sources."""
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self) -> None:
        """Builds it by CMake."""
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self) -> None:
        """The program privatizes a text of two words."""
        if can_run(self):
            bundle = Path(self.recipe_folder).parents[2] / "tests/vectors/words-64.hushbit"
            program = Path(self.cpp.build.bindir).absolute() / "consumer"
            self.run(f'"{program}" "{bundle}" 1 "The cat sat"', env="conanrun")
