# Cross build for 32-bit ARM with NEON under Linux; CTest runs the programs under qemu. Debian: g++-arm-linux-gnueabihf
# libc6-dev-armhf-cross qemu-user-static.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(CMAKE_CXX_COMPILER arm-linux-gnueabihf-g++)
set(CMAKE_CXX_FLAGS_INIT "-march=armv7-a+neon -mfpu=neon -Wno-psabi")
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-arm-static;-L;/usr/arm-linux-gnueabihf")
