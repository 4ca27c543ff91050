import java.util.Properties

plugins {
    alias(libs.plugins.android.library) apply false
    alias(libs.plugins.android.application) apply false
    alias(libs.plugins.kotlin.android) apply false
}

// The version has one home, the public C header.
val header = rootDir.resolve("../native/include/hushbit/hushbit.h")
val headerVersion = Regex("#define HUSHBIT_VERSION \"(.+)\"").find(header.readText())!!.groupValues[1]

// What is published has the name and the description of its project.
subprojects {
    version = headerVersion
    plugins.withId("maven-publish") {
        extensions.configure<PublishingExtension> {
            repositories {
                // tools/phones/build_aar --publish DIRECTORY
                providers.gradleProperty("mavenDirectory").orNull?.let { directory -> maven(url = uri(directory)) }
            }
            publications {
                register<MavenPublication>("release") {
                    groupId = "dev.hushbit"
                    afterEvaluate { from(components["release"]) }
                    pom {
                        name = "Hushbit"
                        description = provider { project.description }
                        // Maven Central asks for both, and only whoever publishes knows the address:
                        // -PprojectUrl=https://…
                        providers.gradleProperty("projectUrl").orNull?.let { address ->
                            url = address
                            scm {
                                url = address
                                connection = "scm:git:$address.git"
                                developerConnection = "scm:git:$address.git"
                            }
                        }
                        developers {
                            developer {
                                id = "hushbit"
                                name = "The Hushbit contributors"
                            }
                        }
                        licenses {
                            license {
                                name = "Apache-2.0"
                                url = "https://www.apache.org/licenses/LICENSE-2.0"
                            }
                        }
                    }
                }
            }
        }
        // With the key that the Gradle properties signingKey (armored) and signingPassword give; without one nothing is
        // signed.
        plugins.withId("signing") {
            extensions.configure<SigningExtension> {
                val key = providers.gradleProperty("signingKey").orNull
                isRequired = !key.isNullOrEmpty()
                if (isRequired) {
                    useInMemoryPgpKeys(key, providers.gradleProperty("signingPassword").orNull)
                    sign(extensions.getByType<PublishingExtension>().publications)
                }
            }
        }
    }
}

// `gradle wrapper`, whichever version runs it, keeps the version and the checksum that the properties name.
tasks.wrapper {
    val pinned = Properties()
    rootDir.resolve("gradle/wrapper/gradle-wrapper.properties").reader().use { pinned.load(it) }
    distributionUrl = pinned.getProperty("distributionUrl")
    distributionSha256Sum = pinned.getProperty("distributionSha256Sum")
}
