plugins {
    alias(libs.plugins.android.library)
    alias(libs.plugins.kotlin.android)
    `maven-publish`
    signing
}

description = "Text made private on the device, before it leaves it"

android {
    namespace = "dev.hushbit"
    compileSdk = 36
    // r28 and newer align to 16 KB by default.
    ndkVersion = "28.0.13004108"

    defaultConfig {
        minSdk = 23
        testInstrumentationRunner = "androidx.test.runner.AndroidJUnitRunner"
        consumerProguardFiles("consumer-rules.pro")
        ndk { abiFilters += listOf("arm64-v8a", "armeabi-v7a", "x86", "x86_64") }
        externalNativeBuild {
            cmake {
                // Headers of the C++ library are used, nothing of its run time: the bridge links with -nostdlib++.
                arguments += listOf("-DHUSHBIT_JNI=ON", "-DANDROID_STL=c++_static")
                targets += listOf("hushbit_jni", "hushbit_core")
            }
        }
    }

    externalNativeBuild {
        cmake {
            path = file("../../CMakeLists.txt")
            version = "3.22.1"
        }
    }

    // The core for keyboards in C and C++: a CMake target above, as a static library with its headers. Prefab takes the
    // C++ library from ANDROID_STL and asks a static library's users for any but none.
    buildFeatures { prefabPublishing = true }
    prefab {
        create("hushbit_core") { headers = "../../native/include" }
    }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }

    // src/sharedTest runs on the desktop and on devices. What devices need lies among the assets of their tests, the
    // golden vectors and the built-in bundle, in two source sets: a README.md is in both folders.
    sourceSets {
        named("test") { kotlin.srcDir("src/sharedTest/kotlin") }
        named("androidTest") {
            kotlin.srcDir("src/sharedTest/kotlin")
            assets.srcDir(rootDir.resolve("../tests/vectors"))
        }
        named("androidTestDebug") { assets.srcDir(rootDir.resolve("../python/hushbit/data")) }
    }
    androidResources { noCompress += "hushbit" }

    // The tests of the desktop run over the library that tools/test builds there.
    testOptions {
        unitTests.all {
            val repository = rootDir.resolve("..").canonicalFile
            it.useJUnitPlatform()
            it.jvmArgs("-Xcheck:jni", "--add-opens", "java.base/java.io=ALL-UNNAMED")
            it.systemProperty("java.library.path", repository.resolve("build/release/android/hushbit/src/main/cpp"))
            it.systemProperty("hushbit.vectors", repository.resolve("tests/vectors"))
        }
        // gradle :hushbit:emulatorDebugAndroidTest
        managedDevices.localDevices.create("emulator") {
            device = "Pixel 2"
            apiLevel = 30
            systemImageSource = "aosp-atd"
        }
    }

    publishing {
        singleVariant("release") {
            withSourcesJar()
            withJavadocJar()
        }
    }
}

kotlin {
    explicitApi()
    compilerOptions { allWarningsAsErrors = true }
}

dependencies {
    api(libs.coroutines)
    compileOnly(libs.androidx.annotation)
    testImplementation(libs.junit)
    testImplementation(libs.kotlin.test)
    androidTestImplementation(libs.androidx.test.runner)
    androidTestImplementation(libs.kotlin.test.junit4)
}
