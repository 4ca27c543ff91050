import java.util.Properties

plugins {
    alias(libs.plugins.android.library) apply false
    alias(libs.plugins.android.application) apply false
    alias(libs.plugins.kotlin.android) apply false
}

// `gradle wrapper`, whichever version runs it, keeps the version and the checksum that the properties name.
tasks.wrapper {
    val pinned = Properties()
    rootDir.resolve("gradle/wrapper/gradle-wrapper.properties").reader().use { pinned.load(it) }
    distributionUrl = pinned.getProperty("distributionUrl")
    distributionSha256Sum = pinned.getProperty("distributionSha256Sum")
}
