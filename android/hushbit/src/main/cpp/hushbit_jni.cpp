// The bridge to Kotlin: the native methods of dev.hushbit.Native, registered by JNI_OnLoad, the only export.
//
// Each method copies its arrays, makes one call of the C interface, and raises what it answers. Kotlin keeps handles
// alive during calls and checks ranges that the C types cannot hold (android/hushbit/src/main/kotlin).
#include <jni.h>

#include "hushbit/hushbit.h"
#include "jni_support.h"
#include "whole_texts.h"

namespace hushbit::jni {
namespace {

// What `call` makes of a text, with a bundle or a privatizer.
template <typename Handle>
jbyteArray result_of(JNIEnv* env,
                     hushbit_status (*call)(const Handle*, const char*, size_t, hushbit_result*, hushbit_error*),
                     const Handle* handle, jbyteArray text) {
  const Bytes typed(env, text);
  if (!typed.ok(text)) return nullptr;
  const Result result(env);
  if (result.get() == nullptr) return nullptr;
  hushbit_error error;
  const hushbit_status status = call(handle, typed.data(), typed.size(), result.get(), &error);
  if (status == HUSHBIT_OK) return result_to_array(env, result.get());
  raise(env, status, error);
  return nullptr;
}

// ---- Bundles ---------------------------------------------------------------------------------------------------

jbyteArray version(JNIEnv* env, jclass) {
  const char* text = hushbit_version();
  return to_array(env, text, strlen(text));
}

// `path` ends with a NUL.
jlong bundle_open_path(JNIEnv* env, jclass, jbyteArray path) {
  const Bytes name(env, path);
  if (!name.ok(path)) return 0;
  hushbit_bundle* bundle = nullptr;
  hushbit_error error;
  const hushbit_status status = hushbit_bundle_open(name.data(), &bundle, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(bundle);
}

jlong bundle_open_fd(JNIEnv* env, jclass, jint fd, jlong offset, jlong length) {
  hushbit_bundle* bundle = nullptr;
  hushbit_error error;
  const hushbit_status status =
      hushbit_bundle_open_fd(fd, static_cast<uint64_t>(offset), static_cast<uint64_t>(length), &bundle, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(bundle);
}

void bundle_close(JNIEnv*, jclass, jlong bundle) { hushbit_bundle_close(from_long<hushbit_bundle>(bundle)); }

void bundle_verify(JNIEnv* env, jclass, jlong bundle) {
  hushbit_error error;
  const hushbit_status status = hushbit_bundle_verify(from_long<hushbit_bundle>(bundle), &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
}

jbyteArray bundle_info(JNIEnv* env, jclass, jlong bundle) {
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(from_long<hushbit_bundle>(bundle), &info, nullptr);
  return struct_to_array(env, info);
}

jbyteArray bundle_meta(JNIEnv* env, jclass, jlong bundle) {
  size_t length = 0;
  const char* meta = hushbit_bundle_meta(from_long<hushbit_bundle>(bundle), &length);
  return to_array(env, meta, length);
}

// The id of a word, or -1 if it is not in the vocabulary.
jint bundle_find(JNIEnv* env, jclass, jlong bundle, jbyteArray word) {
  const Bytes spelling(env, word);
  if (!spelling.ok(word)) return -1;
  uint32_t id = 0;
  hushbit_error error;
  const hushbit_status status =
      hushbit_bundle_find(from_long<hushbit_bundle>(bundle), spelling.data(), spelling.size(), &id, &error);
  if (status == HUSHBIT_OK) return static_cast<jint>(id);
  if (status != HUSHBIT_UNKNOWN_WORD) raise(env, status, error);
  return -1;
}

jbyteArray bundle_word(JNIEnv* env, jclass, jlong handle, jint id) {
  const auto* bundle = from_long<hushbit_bundle>(handle);
  hushbit_bundle_info info = {.struct_size = sizeof(hushbit_bundle_info)};
  hushbit_bundle_get_info(bundle, &info, nullptr);
  const size_t capacity = info.max_word_bytes > 0 ? info.max_word_bytes : 1;
  char* buffer = static_cast<char*>(malloc(capacity));
  if (buffer == nullptr) {
    raise(env, HUSHBIT_OUT_OF_MEMORY);
    return nullptr;
  }
  size_t length = 0;
  hushbit_error error;
  const hushbit_status status =
      hushbit_bundle_word(bundle, static_cast<uint32_t>(id), buffer, capacity, &length, &error);
  jbyteArray word = nullptr;
  if (status == HUSHBIT_OK) {
    word = to_array(env, buffer, length);
  } else {
    raise(env, status, error);
  }
  free(buffer);
  return word;
}

jbyteArray tokenize(JNIEnv* env, jclass, jlong bundle, jbyteArray text) {
  return result_of(env, hushbit_tokenize, from_long<hushbit_bundle>(bundle), text);
}

// ---- Privatizers -----------------------------------------------------------------------------------------------

// `device_key` and `audit_log` may be null; `audit_log` ends with a NUL, and `budget` may be 0.
jlong privatizer_create(JNIEnv* env, jclass, jlong handle, jint mechanism, jdouble epsilon, jdouble beta, jint oov,
                        jint punctuation, jbyteArray mask, jbyteArray device_key, jlong epoch, jlong budget,
                        jbyteArray audit_log, jint crowd_size, jboolean allow_unchanged) {
  const Bytes mask_text(env, mask), key(env, device_key), log_path(env, audit_log);
  if (!mask_text.ok(mask) || !key.ok(device_key) || !log_path.ok(audit_log)) return 0;
  const auto* bundle = from_long<hushbit_bundle>(handle);
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(bundle, &options, nullptr);
  options.mechanism = static_cast<uint32_t>(mechanism);
  options.epsilon = epsilon;
  options.beta = beta;
  options.oov = static_cast<uint32_t>(oov);
  options.punctuation = static_cast<uint32_t>(punctuation);
  options.mask = mask_text.data();
  options.mask_bytes = mask_text.size();
  options.device_key = key.bytes();
  options.epoch = static_cast<uint64_t>(epoch);
  options.budget = from_long<hushbit_budget>(budget);
  options.audit_log = log_path.data();
  options.crowd_size = static_cast<uint32_t>(crowd_size);
  options.allow_unchanged = allow_unchanged == JNI_TRUE ? 1 : 0;
  hushbit_privatizer* privatizer = nullptr;
  hushbit_error error;
  const hushbit_status status = hushbit_privatizer_create(bundle, &options, &privatizer, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(privatizer);
}

void privatizer_destroy(JNIEnv*, jclass, jlong privatizer) {
  hushbit_privatizer_destroy(from_long<hushbit_privatizer>(privatizer));
}

jbyteArray privatizer_info(JNIEnv* env, jclass, jlong privatizer) {
  hushbit_privatizer_info info = {.struct_size = sizeof(hushbit_privatizer_info)};
  hushbit_privatizer_get_info(from_long<hushbit_privatizer>(privatizer), &info, nullptr);
  return struct_to_array(env, info);
}

jbyteArray privatize(JNIEnv* env, jclass, jlong privatizer, jbyteArray text) {
  return result_of(env, hushbit_privatize, from_long<hushbit_privatizer>(privatizer), text);
}

// ---- Budgets ---------------------------------------------------------------------------------------------------

jlong budget_open(JNIEnv* env, jclass, jbyteArray path, jdouble worst_case_per_day, jdouble worst_case_lifetime,
                  jlong tokens_per_day, jlong tokens_lifetime) {
  const Bytes name(env, path);
  if (!name.ok(path)) return 0;
  hushbit_budget_limits limits = {.struct_size = sizeof(hushbit_budget_limits)};
  hushbit_budget_limits_init(&limits, nullptr);
  limits.worst_case_per_day = worst_case_per_day;
  limits.worst_case_lifetime = worst_case_lifetime;
  limits.tokens_per_day = static_cast<uint64_t>(tokens_per_day);
  limits.tokens_lifetime = static_cast<uint64_t>(tokens_lifetime);
  hushbit_budget* budget = nullptr;
  hushbit_error error;
  const hushbit_status status = hushbit_budget_open(name.data(), &limits, &budget, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(budget);
}

void budget_close(JNIEnv*, jclass, jlong budget) { hushbit_budget_close(from_long<hushbit_budget>(budget)); }

void budget_spend(JNIEnv* env, jclass, jlong budget, jdouble worst_case, jlong tokens) {
  hushbit_error error;
  const hushbit_status status =
      hushbit_budget_spend(from_long<hushbit_budget>(budget), worst_case, static_cast<uint64_t>(tokens), &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
}

void budget_spend_texts(JNIEnv* env, jclass, jlong budget, jdouble worst_case, jint texts) {
  hushbit_error error;
  const hushbit_status status =
      hushbit_budget_spend_texts(from_long<hushbit_budget>(budget), worst_case, static_cast<uint32_t>(texts), &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
}

jbyteArray budget_state(JNIEnv* env, jclass, jlong budget) {
  hushbit_budget_state state = {.struct_size = sizeof(hushbit_budget_state)};
  hushbit_error error;
  const hushbit_status status = hushbit_budget_get_state(from_long<hushbit_budget>(budget), &state, &error);
  if (status == HUSHBIT_OK) return struct_to_array(env, state);
  raise(env, status, error);
  return nullptr;
}

void budget_reset(JNIEnv* env, jclass, jbyteArray path) {
  const Bytes name(env, path);
  if (!name.ok(path)) return;
  hushbit_error error;
  const hushbit_status status = hushbit_budget_reset(name.data(), &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
}

bool register_all(JNIEnv* env) {
  const JNINativeMethod methods[] = {
      native("version", "()[B", version),
      native("bundleOpenPath", "([B)J", bundle_open_path),
      native("bundleOpenFd", "(IJJ)J", bundle_open_fd),
      native("bundleClose", "(J)V", bundle_close),
      native("bundleVerify", "(J)V", bundle_verify),
      native("bundleInfo", "(J)[B", bundle_info),
      native("bundleMeta", "(J)[B", bundle_meta),
      native("bundleFind", "(J[B)I", bundle_find),
      native("bundleWord", "(JI)[B", bundle_word),
      native("tokenize", "(J[B)[B", tokenize),
      native("privatizerCreate", "(JIDDII[B[BJJ[BIZ)J", privatizer_create),
      native("privatizerDestroy", "(J)V", privatizer_destroy),
      native("privatizerInfo", "(J)[B", privatizer_info),
      native("privatize", "(J[B)[B", privatize),
      native("budgetOpen", "([BDDJJ)J", budget_open),
      native("budgetClose", "(J)V", budget_close),
      native("budgetSpend", "(JDJ)V", budget_spend),
      native("budgetSpendTexts", "(JDI)V", budget_spend_texts),
      native("budgetState", "(J)[B", budget_state),
      native("budgetReset", "([B)V", budget_reset),
  };
  return register_natives(env, "dev/hushbit/Native", methods) && register_whole_texts(env);
}

}  // namespace
}  // namespace hushbit::jni

extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* env = nullptr;
  if (vm->GetEnv(&env, JNI_VERSION_1_6) != JNI_OK) return JNI_ERR;
  return hushbit::jni::register_all(static_cast<JNIEnv*>(env)) ? JNI_VERSION_1_6 : JNI_ERR;
}
