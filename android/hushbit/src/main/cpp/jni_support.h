// What the bridge and its test-only companion share: byte arrays in, structs and results out, failures raised.
//
// Text crosses as UTF-8 in byte arrays of explicit length, never as jstring, whose modified UTF-8 differs between
// virtual machines. Structs cross as their bytes; layouts.h asserts the offsets that the Kotlin side reads.
#ifndef HUSHBIT_JNI_SUPPORT_H_
#define HUSHBIT_JNI_SUPPORT_H_

#include <jni.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hushbit/hushbit.h"
#include "layouts.h"

namespace hushbit::jni {

// Handles and unsigned numbers are a Kotlin Long, bit for bit.
template <typename T>
jlong to_long(T* handle) {
  return static_cast<jlong>(reinterpret_cast<uintptr_t>(handle));
}

template <typename T>
T* from_long(jlong handle) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(handle));
}

inline jsize size_of(size_t bytes) { return static_cast<jsize>(bytes); }

// Raises a failure for Kotlin to translate. The caller must return at once: with an exception pending, hardly any
// JNI call is allowed.
inline void raise(JNIEnv* env, hushbit_status status, const hushbit_error& error) {
  jclass type = env->FindClass("dev/hushbit/NativeFailure");
  if (type == nullptr) return;  // NoClassDefFoundError is pending
  jmethodID constructor = env->GetMethodID(type, "<init>", "(IJ[B)V");
  if (constructor == nullptr) return;
  const jsize length = size_of(strnlen(error.message, sizeof error.message));
  jbyteArray message = env->NewByteArray(length);
  if (message == nullptr) return;
  env->SetByteArrayRegion(message, 0, length, reinterpret_cast<const jbyte*>(error.message));
  jobject failure =
      env->NewObject(type, constructor, static_cast<jint>(status), static_cast<jlong>(error.position), message);
  if (failure != nullptr) env->Throw(static_cast<jthrowable>(failure));
}

inline void raise(JNIEnv* env, hushbit_status status) { raise(env, status, hushbit_error{status, 0, {}}); }

// A copy of a byte array, wiped when it goes: what was typed must not stay in freed memory. A null array is empty.
class Bytes {
 public:
  Bytes(JNIEnv* env, jbyteArray array) {
    if (array == nullptr) return;
    size_ = static_cast<size_t>(env->GetArrayLength(array));
    if (size_ <= sizeof inline_) {
      data_ = inline_;
    } else if ((data_ = static_cast<char*>(malloc(size_))) == nullptr) {
      raise(env, HUSHBIT_OUT_OF_MEMORY);
      return;
    }
    env->GetByteArrayRegion(array, 0, size_of(size_), reinterpret_cast<jbyte*>(data_));
  }

  ~Bytes() {
    if (data_ == nullptr) return;
    memset(data_, 0, size_);
    __asm__ __volatile__("" : : "r"(data_) : "memory");  // so that the compiler keeps the memset
    if (data_ != inline_) free(data_);
  }

  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  // False if memory ran out; then an exception is pending.
  bool ok(jbyteArray array) const { return array == nullptr || data_ != nullptr; }
  const char* data() const { return data_; }  // null for a null array
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(data_); }
  size_t size() const { return size_; }

 private:
  alignas(8) char inline_[512];
  char* data_ = nullptr;
  size_t size_ = 0;
};

// Null, with an OutOfMemoryError pending, if there is no room.
inline jbyteArray to_array(JNIEnv* env, const void* data, size_t size) {
  jbyteArray array = env->NewByteArray(size_of(size));
  if (array != nullptr) env->SetByteArrayRegion(array, 0, size_of(size), static_cast<const jbyte*>(data));
  return array;
}

template <typename T>
jbyteArray struct_to_array(JNIEnv* env, const T& value) {
  return to_array(env, &value, sizeof value);
}

// A result that goes with its scope. Creation may raise; then `get` is null.
class Result {
 public:
  explicit Result(JNIEnv* env) {
    hushbit_error error;
    const hushbit_status status = hushbit_result_create(&result_, &error);
    if (status != HUSHBIT_OK) raise(env, status, error);
  }
  ~Result() { hushbit_result_destroy(result_); }

  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;

  hushbit_result* get() const { return result_; }

 private:
  hushbit_result* result_ = nullptr;
};

// A result as one array: the cost, the number of tokens as 64 bits, the tokens, the text.
inline jbyteArray result_to_array(JNIEnv* env, const hushbit_result* result) {
  hushbit_cost cost = {.struct_size = sizeof(hushbit_cost)};
  hushbit_result_get_cost(result, &cost, nullptr);
  size_t count = 0, text_bytes = 0;
  const hushbit_token* tokens = hushbit_result_tokens(result, &count);
  const char* text = hushbit_result_text(result, &text_bytes);
  const uint64_t tokens_at = sizeof cost + sizeof(uint64_t);
  const uint64_t text_at = tokens_at + uint64_t{count} * sizeof *tokens;
  if (text_at + text_bytes > INT32_MAX) {
    raise(env, HUSHBIT_OUT_OF_MEMORY);
    return nullptr;
  }
  jbyteArray array = env->NewByteArray(size_of(text_at + text_bytes));
  if (array == nullptr) return nullptr;
  const auto put = [&](uint64_t at, const void* from, size_t size) {
    env->SetByteArrayRegion(array, static_cast<jsize>(at), size_of(size), static_cast<const jbyte*>(from));
  };
  const uint64_t count64 = count;
  put(0, &cost, sizeof cost);
  put(sizeof cost, &count64, sizeof count64);
  if (count > 0) put(tokens_at, tokens, count * sizeof *tokens);
  if (text_bytes > 0) put(text_at, text, text_bytes);
  return array;
}

// Makes `methods` the native methods of the class; false, with an exception pending, if one does not fit.
template <size_t kCount>
bool register_natives(JNIEnv* env, const char* class_name, const JNINativeMethod (&methods)[kCount]) {
  jclass type = env->FindClass(class_name);
  if (type == nullptr) return false;
  const bool done = env->RegisterNatives(type, methods, static_cast<jint>(kCount)) == JNI_OK;
  env->DeleteLocalRef(type);
  return done;
}

// An entry of the table; JNINativeMethod's strings are not const in OpenJDK's header.
template <typename Function>
JNINativeMethod native(const char* name, const char* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

}  // namespace hushbit::jni

#endif  // HUSHBIT_JNI_SUPPORT_H_
