plugins {
    alias(libs.plugins.android.library)
    alias(libs.plugins.kotlin.android)
    `maven-publish`
    signing
}

description = "English words for Hushbit, 4 MB: Hushbit.open() needs no argument with them"

android {
    namespace = "dev.hushbit.english"
    compileSdk = 36

    defaultConfig { minSdk = 23 }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }

    // The built-in English bundle and its license.
    sourceSets["main"].assets.srcDir(rootDir.resolve("../python/hushbit/data"))

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
    api(project(":hushbit"))
    compileOnly(libs.androidx.annotation)
}
