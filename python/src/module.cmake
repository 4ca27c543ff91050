# The native modules, built by scikit-build-core: hushbit._core, which privatizes, and hushbit._core_testing. Seeded
# randomness is linked into the second alone.
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG REQUIRED)

file(GLOB module_sources CONFIGURE_DEPENDS python/src/*.cpp)
list(FILTER module_sources EXCLUDE REGEX "/testing\\.cpp$")
pybind11_add_module(_core MODULE ${module_sources})
# As one file: the templates of pybind11, which take longest, are read and compiled once for all.
set_target_properties(_core PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_link_libraries(_core PRIVATE hushbit_core)
pybind11_add_module(_core_testing MODULE python/src/testing.cpp)
target_link_libraries(_core_testing PRIVATE hushbit_testing)
foreach(module _core _core_testing)
  if(UNIX AND NOT APPLE)
    target_link_options(${module} PRIVATE -Wl,--exclude-libs,ALL)  # a module exports its init function, nothing else
  endif()
endforeach()
install(TARGETS _core _core_testing LIBRARY DESTINATION hushbit)
