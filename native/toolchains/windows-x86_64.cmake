# Cross build for Windows on x86-64 by zig, whose path is ZIG; CTest runs the programs under wine. Debian: wine64. PyPI:
# ziglang. See suite_windows in tools/suites/windows.sh.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ZIG)
foreach(language C CXX)
  # Zig turns on checks for undefined behavior, and turns off what AVX-512's kernels need, each function of which asks
  # for its instructions.
  set(CMAKE_${language}_FLAGS_INIT
      "-target x86_64-windows-gnu -fno-sanitize=undefined -Xclang -target-feature -Xclang +evex512")
  set(CMAKE_${language}_ARCHIVE_CREATE "\"${ZIG}\" ar qcs <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "")
endforeach()
set(CMAKE_C_COMPILER "${ZIG}" cc)
set(CMAKE_CXX_COMPILER "${ZIG}" c++)
set(CMAKE_CROSSCOMPILING_EMULATOR /usr/lib/wine/wine64)
