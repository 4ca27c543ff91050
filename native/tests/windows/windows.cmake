# The parts that only the tests on Windows have: what zig leaves out, and the core as a DLL (HUSHBIT_API is for that)
# with the plain C program of `consumer` that uses it.
enable_language(C)
if(ZIG)
  target_sources(hushbit_core PRIVATE ${CMAKE_CURRENT_LIST_DIR}/cpu_model.cpp)
endif()

get_target_property(dll_sources hushbit_core SOURCES)
add_library(hushbit_dll SHARED ${dll_sources})
set_target_properties(hushbit_dll PROPERTIES OUTPUT_NAME hushbit PREFIX "")
target_compile_definitions(hushbit_dll PUBLIC HUSHBIT_SHARED PRIVATE HUSHBIT_BUILD)
target_compile_options(hushbit_dll PRIVATE -fno-exceptions -fno-rtti -fno-threadsafe-statics)
target_include_directories(hushbit_dll PUBLIC ${PROJECT_SOURCE_DIR}/native/include
                                       PRIVATE ${PROJECT_SOURCE_DIR}/native/src)
target_link_libraries(hushbit_dll PRIVATE bcrypt)
add_executable(consumer consumer/main.c)
target_link_libraries(consumer PRIVATE hushbit_dll)
