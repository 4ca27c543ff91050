#include "whole_texts.h"

#include "hushbit/hushbit.h"
#include "jni_support.h"

namespace hushbit::jni {
namespace {

// ---- Embedders -------------------------------------------------------------------------------------------------

// Options of embedders, of the arguments that both ways to create one have in common. `device_key` and `audit_log` may
// be null; `audit_log` ends with a NUL, and `budget` may be 0.
hushbit_embedder_options embedder_options(jdouble epsilon, jint punctuation, const Bytes& device_key, jlong epoch,
                                          jlong budget, const Bytes& audit_log) {
  hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
  hushbit_embedder_options_init(&options, nullptr);
  options.epsilon = epsilon;
  options.punctuation = static_cast<uint32_t>(punctuation);
  options.device_key = device_key.bytes();
  options.epoch = static_cast<uint64_t>(epoch);
  options.budget = from_long<hushbit_budget>(budget);
  options.audit_log = audit_log.data();
  return options;
}

jlong embedder_create(JNIEnv* env, jclass, jlong bundle, jdouble epsilon, jint punctuation, jbyteArray device_key,
                      jlong epoch, jlong budget, jbyteArray audit_log) {
  const Bytes key(env, device_key), log_path(env, audit_log);
  if (!key.ok(device_key) || !log_path.ok(audit_log)) return 0;
  const auto options = embedder_options(epsilon, punctuation, key, epoch, budget, log_path);
  hushbit_embedder* embedder = nullptr;
  hushbit_error error;
  const hushbit_status status = hushbit_embedder_create(from_long<hushbit_bundle>(bundle), &options, &embedder, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(embedder);
}

jlong embedder_create_from_projection(JNIEnv* env, jclass, jbyteArray projection, jdouble epsilon,
                                      jbyteArray device_key, jlong epoch, jlong budget, jbyteArray audit_log) {
  const Bytes file(env, projection), key(env, device_key), log_path(env, audit_log);
  if (!file.ok(projection) || !key.ok(device_key) || !log_path.ok(audit_log)) return 0;
  const auto options = embedder_options(epsilon, HUSHBIT_PUNCTUATION_DROP, key, epoch, budget, log_path);
  hushbit_embedder* embedder = nullptr;
  hushbit_error error;
  const hushbit_status status =
      hushbit_embedder_create_from_projection(file.data(), file.size(), &options, &embedder, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(embedder);
}

void embedder_destroy(JNIEnv*, jclass, jlong embedder) {
  hushbit_embedder_destroy(from_long<hushbit_embedder>(embedder));
}

jbyteArray embedder_info(JNIEnv* env, jclass, jlong embedder) {
  hushbit_embedder_info info = {.struct_size = sizeof(hushbit_embedder_info)};
  hushbit_embedder_get_info(from_long<hushbit_embedder>(embedder), &info, nullptr);
  return struct_to_array(env, info);
}

// The bytes of a hushbit_embedding that `fill` makes with a scratch result.
template <typename Fill>
jbyteArray embedding_of(JNIEnv* env, const Fill& fill) {
  const Result scratch(env);
  if (scratch.get() == nullptr) return nullptr;
  hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
  hushbit_error error;
  const hushbit_status status = fill(scratch.get(), &embedding, &error);
  if (status == HUSHBIT_OK) return struct_to_array(env, embedding);
  raise(env, status, error);
  return nullptr;
}

jbyteArray embed(JNIEnv* env, jclass, jlong embedder, jbyteArray text) {
  const Bytes typed(env, text);
  if (!typed.ok(text)) return nullptr;
  return embedding_of(env, [&](hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error) {
    return hushbit_embed(from_long<hushbit_embedder>(embedder), typed.data(), typed.size(), scratch, embedding, error);
  });
}

// `vector` are the bytes of numbers of type float.
jbyteArray embed_vector(JNIEnv* env, jclass, jlong embedder, jbyteArray vector) {
  const Bytes numbers(env, vector);
  if (!numbers.ok(vector)) return nullptr;
  return embedding_of(env, [&](hushbit_result* scratch, hushbit_embedding* embedding, hushbit_error* error) {
    return hushbit_embed_vector(from_long<hushbit_embedder>(embedder), reinterpret_cast<const float*>(numbers.data()),
                                numbers.size() / sizeof(float), scratch, embedding, error);
  });
}

// Fills `ids` and `cosines`, as many as there is room for. `direction` are the bytes of numbers of type double.
void embedder_nearest_words(JNIEnv* env, jclass, jlong embedder, jbyteArray direction, jintArray ids,
                            jdoubleArray cosines) {
  const Bytes numbers(env, direction);
  if (!numbers.ok(direction)) return;
  const jsize count = env->GetArrayLength(ids);
  const auto words = static_cast<size_t>(count);
  auto* nearest = static_cast<double*>(malloc(words * (sizeof(double) + sizeof(uint32_t)) + 1));
  if (nearest == nullptr) {
    raise(env, HUSHBIT_OUT_OF_MEMORY);
    return;
  }
  auto* found = reinterpret_cast<uint32_t*>(nearest + words);
  hushbit_error error;
  const hushbit_status status = hushbit_embedder_nearest_words(
      from_long<hushbit_embedder>(embedder), reinterpret_cast<const double*>(numbers.data()),
      numbers.size() / sizeof(double), words, found, nearest, &error);
  if (status == HUSHBIT_OK) {
    env->SetIntArrayRegion(ids, 0, count, reinterpret_cast<const jint*>(found));
    env->SetDoubleArrayRegion(cosines, 0, count, nearest);
  } else {
    raise(env, status, error);
  }
  free(nearest);
}

// ---- Classifiers -----------------------------------------------------------------------------------------------

jlong classifier_open(JNIEnv* env, jclass, jlong embedder, jbyteArray weights) {
  const Bytes json(env, weights);
  if (!json.ok(weights)) return 0;
  hushbit_classifier* classifier = nullptr;
  hushbit_error error;
  const hushbit_status status =
      hushbit_classifier_open(from_long<hushbit_embedder>(embedder), json.data(), json.size(), &classifier, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(classifier);
}

void classifier_close(JNIEnv*, jclass, jlong classifier) {
  hushbit_classifier_close(from_long<hushbit_classifier>(classifier));
}

// The name of a class; null beyond the last.
jbyteArray classifier_name(JNIEnv* env, jclass, jlong classifier, jint index) {
  size_t length = 0;
  const char* name =
      hushbit_classifier_name(from_long<hushbit_classifier>(classifier), static_cast<uint32_t>(index), &length);
  return name == nullptr ? nullptr : to_array(env, name, length);
}

// Fills `log_odds`, one for each class, with what `fill` finds. Returns the best class.
template <typename Fill>
jint classified(JNIEnv* env, jdoubleArray log_odds, const Fill& fill) {
  const jsize count = env->GetArrayLength(log_odds);
  auto* odds = static_cast<double*>(malloc(static_cast<size_t>(count) * sizeof(double) + 1));
  if (odds == nullptr) {
    raise(env, HUSHBIT_OUT_OF_MEMORY);
    return 0;
  }
  uint32_t best = 0;
  hushbit_error error;
  const hushbit_status status = fill(&best, odds, &error);
  if (status == HUSHBIT_OK) {
    env->SetDoubleArrayRegion(log_odds, 0, count, odds);
  } else {
    raise(env, status, error);
  }
  memset(odds, 0, static_cast<size_t>(count) * sizeof(double));
  __asm__ __volatile__("" : : "r"(odds) : "memory");  // so that the compiler keeps the memset
  free(odds);
  return static_cast<jint>(best);
}

jint classify(JNIEnv* env, jclass, jlong classifier, jbyteArray text, jdoubleArray log_odds) {
  const Bytes typed(env, text);
  if (!typed.ok(text)) return 0;
  return classified(env, log_odds, [&](uint32_t* best, double* odds, hushbit_error* error) {
    return hushbit_classify(from_long<hushbit_classifier>(classifier), typed.data(), typed.size(), best, odds, error);
  });
}

// `vector` are the bytes of numbers of type float.
jint classify_vector(JNIEnv* env, jclass, jlong classifier, jbyteArray vector, jdoubleArray log_odds) {
  const Bytes numbers(env, vector);
  if (!numbers.ok(vector)) return 0;
  return classified(env, log_odds, [&](uint32_t* best, double* odds, hushbit_error* error) {
    return hushbit_classify_vector(from_long<hushbit_classifier>(classifier),
                                   reinterpret_cast<const float*>(numbers.data()), numbers.size() / sizeof(float), best,
                                   odds, error);
  });
}

// ---- Reporters -------------------------------------------------------------------------------------------------

// `bundle` and `budget` may be 0, `device_key` and `audit_log` null; `audit_log` ends with a NUL.
jlong reporter_create(JNIEnv* env, jclass, jlong bundle, jint values, jdouble epsilon, jint punctuation,
                      jboolean skin_tones, jboolean none, jbyteArray list, jbyteArray pass_over, jbyteArray device_key,
                      jlong epoch, jlong budget, jbyteArray audit_log) {
  const Bytes lines(env, list), passed(env, pass_over), key(env, device_key), log_path(env, audit_log);
  if (!lines.ok(list) || !passed.ok(pass_over) || !key.ok(device_key) || !log_path.ok(audit_log)) return 0;
  hushbit_reporter_options options = {.struct_size = sizeof(hushbit_reporter_options)};
  hushbit_reporter_options_init(&options, nullptr);
  options.values = static_cast<uint32_t>(values);
  options.epsilon = epsilon;
  options.punctuation = static_cast<uint32_t>(punctuation);
  options.skin_tones = skin_tones ? 1 : 0;
  options.none = none ? 1 : 0;
  options.list = lines.data();
  options.list_bytes = lines.size();
  options.pass_over = passed.data();
  options.pass_over_bytes = passed.size();
  options.device_key = key.bytes();
  options.epoch = static_cast<uint64_t>(epoch);
  options.budget = from_long<hushbit_budget>(budget);
  options.audit_log = log_path.data();
  hushbit_reporter* reporter = nullptr;
  hushbit_error error;
  const hushbit_status status = hushbit_reporter_create(from_long<hushbit_bundle>(bundle), &options, &reporter, &error);
  if (status != HUSHBIT_OK) raise(env, status, error);
  return to_long(reporter);
}

void reporter_destroy(JNIEnv*, jclass, jlong reporter) {
  hushbit_reporter_destroy(from_long<hushbit_reporter>(reporter));
}

jbyteArray reporter_info(JNIEnv* env, jclass, jlong reporter) {
  hushbit_reporter_info info = {.struct_size = sizeof(hushbit_reporter_info)};
  hushbit_reporter_get_info(from_long<hushbit_reporter>(reporter), &info, nullptr);
  return struct_to_array(env, info);
}

// The spelling of a value; empty for none. `capacity` is the max_value_bytes of the reporter's info.
jbyteArray reporter_value(JNIEnv* env, jclass, jlong reporter, jint value, jint capacity) {
  const auto room = static_cast<size_t>(capacity) + 1;
  char* buffer = static_cast<char*>(malloc(room));
  if (buffer == nullptr) {
    raise(env, HUSHBIT_OUT_OF_MEMORY);
    return nullptr;
  }
  size_t length = 0;
  hushbit_error error;
  const hushbit_status status = hushbit_reporter_value(from_long<hushbit_reporter>(reporter),
                                                       static_cast<uint32_t>(value), buffer, room, &length, &error);
  jbyteArray spelled = nullptr;
  if (status == HUSHBIT_OK) {
    spelled = to_array(env, buffer, length);
  } else {
    raise(env, status, error);
  }
  free(buffer);
  return spelled;
}

// The bytes of a hushbit_report that `fill` makes.
template <typename Fill>
jbyteArray report_of(JNIEnv* env, const Fill& fill) {
  hushbit_report report = {.struct_size = sizeof(hushbit_report)};
  hushbit_error error;
  const hushbit_status status = fill(&report, &error);
  if (status == HUSHBIT_OK) return struct_to_array(env, report);
  raise(env, status, error);
  return nullptr;
}

jbyteArray report_text(JNIEnv* env, jclass, jlong reporter, jbyteArray text) {
  const Bytes typed(env, text);
  if (!typed.ok(text)) return nullptr;
  return report_of(env, [&](hushbit_report* report, hushbit_error* error) {
    return hushbit_report_text(from_long<hushbit_reporter>(reporter), typed.data(), typed.size(), report, error);
  });
}

jbyteArray report_word(JNIEnv* env, jclass, jlong reporter, jbyteArray word) {
  const Bytes typed(env, word);
  if (!typed.ok(word)) return nullptr;
  return report_of(env, [&](hushbit_report* report, hushbit_error* error) {
    return hushbit_report_word(from_long<hushbit_reporter>(reporter), typed.data(), typed.size(), report, error);
  });
}

jbyteArray report_value(JNIEnv* env, jclass, jlong reporter, jint value) {
  return report_of(env, [&](hushbit_report* report, hushbit_error* error) {
    return hushbit_report_value(from_long<hushbit_reporter>(reporter), static_cast<uint32_t>(value), report, error);
  });
}

}  // namespace

bool register_whole_texts(JNIEnv* env) {
  const JNINativeMethod methods[] = {
      native("embedderCreate", "(JDI[BJJ[B)J", embedder_create),
      native("embedderCreateFromProjection", "([BD[BJJ[B)J", embedder_create_from_projection),
      native("embedderDestroy", "(J)V", embedder_destroy),
      native("embedderInfo", "(J)[B", embedder_info),
      native("embed", "(J[B)[B", embed),
      native("embedVector", "(J[B)[B", embed_vector),
      native("embedderNearestWords", "(J[B[I[D)V", embedder_nearest_words),
      native("classifierOpen", "(J[B)J", classifier_open),
      native("classifierClose", "(J)V", classifier_close),
      native("classifierName", "(JI)[B", classifier_name),
      native("classify", "(J[B[D)I", classify),
      native("classifyVector", "(J[B[D)I", classify_vector),
      native("reporterCreate", "(JIDIZZ[B[B[BJJ[B)J", reporter_create),
      native("reporterDestroy", "(J)V", reporter_destroy),
      native("reporterInfo", "(J)[B", reporter_info),
      native("reporterValue", "(JII)[B", reporter_value),
      native("reportText", "(J[B)[B", report_text),
      native("reportWord", "(J[B)[B", report_word),
      native("reportValue", "(JI)[B", report_value),
  };
  return register_natives(env, "dev/hushbit/NativeWholeTexts", methods);
}

}  // namespace hushbit::jni
