# Links the Android library for arm64 without an NDK, to check what it needs and how it is laid out: clang's Android
# target, Debian's headers (clang lld g++-aarch64-linux-gnu android-libnativehelper-dev), and for bionic a stand-in made
# of android/bionic.txt, in the directory BIONIC. What it builds is for tools/phones/check_elf, not for phones.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(ANDROID ON)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BIONIC)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-android23)

set(cross /usr/aarch64-linux-gnu/include)
file(GLOB standard_library ${cross}/c++/*)
list(GET standard_library -1 standard_library)
set(CMAKE_CXX_FLAGS_INIT "-g -Wno-unused-command-line-argument -nostdinc++ -isystem ${standard_library} -isystem \
${standard_library}/aarch64-linux-gnu -isystem ${cross} -isystem /usr/include/android/nativehelper")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-fuse-ld=lld -nostdlib -Wl,-s -L${BIONIC}")
set(CMAKE_CXX_STANDARD_LIBRARIES "-lm -lc")
