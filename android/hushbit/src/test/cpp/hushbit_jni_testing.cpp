// The native methods of dev.hushbit.NativeTesting, for tests on the desktop: seeded randomness, the nearest words, the
// heap. A library of its own that no phone build links; it takes handles that the real library made.
#include <jni.h>
#include <malloc.h>

#include "hushbit/hushbit.h"
#include "hushbit/testing.h"
#include "jni_support.h"

namespace hushbit::jni {
namespace {

// Random bytes that are used up exactly once.
struct Stream {
  const uint8_t* next;
  size_t left;

  static int fill(void* state, void* out, size_t size) {
    auto* stream = static_cast<Stream*>(state);
    if (size > stream->left) return 0;
    memcpy(out, stream->next, size);
    stream->next += size;
    stream->left -= size;
    return 1;
  }
};

// Two arrays: the result, and the noisy codes one after another.
jobjectArray result_and_codes(JNIEnv* env, const hushbit_result* result) {
  jclass type = env->FindClass("[B");
  if (type == nullptr) return nullptr;
  jobjectArray pair = env->NewObjectArray(2, type, nullptr);
  if (pair == nullptr) return nullptr;
  jbyteArray packed = result_to_array(env, result);
  if (packed == nullptr) return nullptr;
  env->SetObjectArrayElement(pair, 0, packed);
  size_t count = 0, code_bytes = 0;
  const uint8_t* codes = hushbit_testing_noisy_codes(result, &count, &code_bytes);
  jbyteArray noise = to_array(env, codes, count * code_bytes);
  if (noise == nullptr) return nullptr;
  env->SetObjectArrayElement(pair, 1, noise);
  return pair;
}

// With a seed of 32 bytes, or else with the bytes of `stream`, all of which must be needed.
jobjectArray privatize(JNIEnv* env, jclass, jlong handle, jbyteArray seed, jbyteArray stream, jbyteArray text) {
  const auto* privatizer = from_long<hushbit_privatizer>(handle);
  const Bytes key(env, seed), random(env, stream), typed(env, text);
  if (!key.ok(seed) || !random.ok(stream) || !typed.ok(text)) return nullptr;
  const Result result(env);
  if (result.get() == nullptr) return nullptr;
  hushbit_error error = {};
  Stream source{random.bytes(), random.size()};
  hushbit_status status =
      seed != nullptr
          ? hushbit_testing_privatize(privatizer, key.bytes(), typed.data(), typed.size(), result.get(), &error)
          : hushbit_testing_privatize_with(privatizer, Stream::fill, &source, typed.data(), typed.size(), result.get(),
                                           &error);
  if (status == HUSHBIT_OK && seed == nullptr && source.left > 0) status = HUSHBIT_INVALID_ARGUMENT;
  if (status == HUSHBIT_OK) return result_and_codes(env, result.get());
  raise(env, status, error);
  return nullptr;
}

// The same for an embedding: the bytes of a hushbit_embedding.
jbyteArray embed(JNIEnv* env, jclass, jlong handle, jbyteArray seed, jbyteArray stream, jbyteArray text) {
  const auto* embedder = from_long<hushbit_embedder>(handle);
  const Bytes key(env, seed), random(env, stream), typed(env, text);
  if (!key.ok(seed) || !random.ok(stream) || !typed.ok(text)) return nullptr;
  const Result scratch(env);
  if (scratch.get() == nullptr) return nullptr;
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  hushbit_error error = {};
  Stream source{random.bytes(), random.size()};
  hushbit_status status = seed != nullptr ? hushbit_testing_embed(embedder, key.bytes(), typed.data(), typed.size(),
                                                                  scratch.get(), &embedding, &error)
                                          : hushbit_testing_embed_with(embedder, Stream::fill, &source, typed.data(),
                                                                       typed.size(), scratch.get(), &embedding, &error);
  if (status == HUSHBIT_OK && seed == nullptr && source.left > 0) status = HUSHBIT_INVALID_ARGUMENT;
  if (status == HUSHBIT_OK) return struct_to_array(env, embedding);
  raise(env, status, error);
  return nullptr;
}

// distance, ties, word; then k ids; then k distances.
jintArray nearest(JNIEnv* env, jclass, jlong handle, jbyteArray code, jint k) {
  const auto* bundle = from_long<hushbit_bundle>(handle);
  const Bytes bits(env, code);
  if (!bits.ok(code)) return nullptr;
  constexpr jint kMost = 16;
  if (k < 1 || k > kMost) {
    raise(env, HUSHBIT_INVALID_ARGUMENT);
    return nullptr;
  }
  hushbit_error error;
  hushbit_nearest first;
  uint32_t ids[kMost], distances[kMost];
  hushbit_status status = hushbit_bundle_nearest(bundle, bits.bytes(), 1, &first, &error);
  if (status == HUSHBIT_OK) {
    status = hushbit_bundle_neighbors(bundle, bits.bytes(), static_cast<size_t>(k), ids, distances, &error);
  }
  if (status != HUSHBIT_OK) {
    raise(env, status, error);
    return nullptr;
  }
  jintArray numbers = env->NewIntArray(3 + 2 * k);
  if (numbers == nullptr) return nullptr;
  const jint head[] = {static_cast<jint>(first.distance), static_cast<jint>(first.ties), static_cast<jint>(first.word)};
  env->SetIntArrayRegion(numbers, 0, 3, head);
  env->SetIntArrayRegion(numbers, 3, k, reinterpret_cast<const jint*>(ids));
  env->SetIntArrayRegion(numbers, 3 + k, k, reinterpret_cast<const jint*>(distances));
  return numbers;
}

jbyteArray keystream(JNIEnv* env, jclass, jbyteArray seed, jlong offset, jint size) {
  const Bytes key(env, seed);
  if (!key.ok(seed)) return nullptr;
  auto* out = static_cast<uint8_t*>(malloc(static_cast<size_t>(size)));
  if (out == nullptr) {
    raise(env, HUSHBIT_OUT_OF_MEMORY);
    return nullptr;
  }
  hushbit_testing_keystream(key.bytes(), static_cast<uint64_t>(offset), out, static_cast<size_t>(size));
  jbyteArray bytes = to_array(env, out, static_cast<size_t>(size));
  free(out);
  return bytes;
}

// Bytes that malloc has handed out in this process.
jlong heap_in_use(JNIEnv*, jclass) {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<jlong>(info.uordblks + info.hblkhd);
}

}  // namespace
}  // namespace hushbit::jni

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  using namespace hushbit::jni;
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  const JNINativeMethod methods[] = {
      native("privatize", "(J[B[B[B)[[B", privatize), native("embed", "(J[B[B[B)[B", embed),
      native("nearest", "(J[BI)[I", nearest),         native("keystream", "([BJI)[B", keystream),
      native("heapInUse", "()J", heap_in_use),
  };
  const bool done = register_natives(static_cast<JNIEnv*>(env), "dev/hushbit/NativeTesting", methods);
  return done ? JNI_VERSION_1_6 : JNI_ERR;
}
