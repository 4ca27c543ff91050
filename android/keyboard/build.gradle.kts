plugins {
    alias(libs.plugins.android.application)
    alias(libs.plugins.kotlin.android)
}

android {
    namespace = "dev.hushbit.keyboard"
    compileSdk = 36

    defaultConfig {
        applicationId = "dev.hushbit.keyboard"
        minSdk = 23
        targetSdk = 36
        versionCode = 1
        versionName = "1"
    }

    buildTypes {
        release {
            isMinifyEnabled = true
            proguardFiles(getDefaultProguardFile("proguard-android-optimize.txt"))
        }
    }

    // The words of hushbit-english are mapped as they are in the APK, and not unpacked.
    androidResources { noCompress += "hushbit" }

    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_17
        targetCompatibility = JavaVersion.VERSION_17
    }
}

dependencies {
    implementation(project(":hushbit-english"))
    compileOnly(libs.androidx.annotation)
}
