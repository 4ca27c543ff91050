# The native module hushbit._core, built by scikit-build-core.
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG REQUIRED)

file(GLOB module_sources CONFIGURE_DEPENDS python/src/*.cpp)
pybind11_add_module(_core MODULE ${module_sources})
target_link_libraries(_core PRIVATE hushbit_core hushbit_testing)
if(UNIX AND NOT APPLE)
  target_link_options(_core PRIVATE -Wl,--exclude-libs,ALL)  # the module exports its init function, nothing else
endif()
install(TARGETS _core LIBRARY DESTINATION hushbit)
