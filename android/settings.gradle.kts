pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        google()
        mavenCentral()
    }
}

rootProject.name = "hushbit-android"
include(":hushbit", ":hushbit-english", ":keyboard")
project(":hushbit-english").projectDir = file("english") // it is published by the project's name
