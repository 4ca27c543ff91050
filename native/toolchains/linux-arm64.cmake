# Cross build for 64-bit ARM under Linux; CTest runs the programs under qemu. Debian: g++-aarch64-linux-gnu
# libc6-dev-arm64-cross qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;/usr/aarch64-linux-gnu")
