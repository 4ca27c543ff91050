# `cmake --install` and what find_package(hushbit) needs: hushbit::core, and hushbit::testing for tests.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hushbit)
install(DIRECTORY native/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS hushbit_core hushbit_testing EXPORT hushbit_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT hushbit_targets NAMESPACE hushbit:: FILE hushbit-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(hushbit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/hushbit-config-version.cmake DESTINATION ${package_dir})
