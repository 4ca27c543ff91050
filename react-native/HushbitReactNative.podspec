require "json"

package = JSON.parse(File.read(File.join(__dir__, "package.json")))

Pod::Spec.new do |spec|
  spec.name = "HushbitReactNative"
  spec.version = package["version"]
  spec.summary = package["description"]
  spec.license = package["license"]
  spec.homepage = package["homepage"]
  spec.author = "The Hushbit authors"
  spec.source = { :path => "." }
  spec.platforms = { :ios => "15.1" }

  spec.source_files = "ios/*.mm", "cpp/*.{h,cpp}", "native/src/**/*.{h,cpp}", "native/include/hushbit/*.h"
  spec.exclude_files = "native/src/api/testing.cpp"
  spec.preserve_paths = "native/src/**/*.inc"
  spec.private_header_files = "cpp/*.h", "native/**/*.h"
  spec.pod_target_xcconfig = {
    "CLANG_CXX_LANGUAGE_STANDARD" => "c++20",
    "USE_HEADERMAP" => "NO", # headers of several folders have the same name
    "HEADER_SEARCH_PATHS" => '"$(PODS_TARGET_SRCROOT)/native/include" "$(PODS_TARGET_SRCROOT)/native/src"',
  }

  install_modules_dependencies(spec)
end
