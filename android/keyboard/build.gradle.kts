plugins {
    alias(libs.plugins.android.application)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "dev.hushbit.keyboard"
    compileSdk = 35

    defaultConfig {
        applicationId = "dev.hushbit.keyboard"
        minSdk = 23
        targetSdk = 35
        versionCode = 1
        versionName = "1"
    }

    buildTypes {
        release {
            isMinifyEnabled = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
        }
    }

    // The built-in English bundle and its license.
    sourceSets["main"].assets.srcDir(rootDir.resolve("../python/hushbit/data"))

    // A compressed asset cannot be mapped.
    androidResources { noCompress += "hushbit" }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
}

dependencies {
    implementation(project(":hushbit"))
}
