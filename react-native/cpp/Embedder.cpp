// What a whole text is about, released as one public direction, and classifiers that were learned from embeddings.
#include "Objects.h"
#include "Options.h"
#include "Result.h"

namespace hushbit::react {

namespace {

constexpr uint32_t kMostNearWords = 1 << 20;  // they are for people to look at

jsi::Value to_embedding(jsi::Runtime& rt, const hushbit_embedding& embedding) {
  jsi::Array direction(rt, embedding.dimensions);
  for (uint32_t i = 0; i < embedding.dimensions; ++i) {
    direction.setValueAtIndex(rt, i, (embedding.signs >> i & 1) != 0 ? 1.0 : -1.0);
  }
  jsi::Object object = to_object(rt, {HUSHBIT_FIELD(embedding, index), HUSHBIT_FIELD(embedding, epsilon)});
  object.setProperty(rt, "direction", direction);
  return object;
}

jsi::Value embed(const Call& call, hushbit_embedder* embedder) {
  const SecretText text(call.text(0, "the text"));
  const Result scratch(call.rt);
  hushbit_embedding embedding = sized<hushbit_embedding>();
  check(call.rt, hushbit_embed, embedder, text.data(), text.size(), scratch.get(), &embedding);
  return to_embedding(call.rt, embedding);
}

jsi::Value embed_vector(const Call& call, hushbit_embedder* embedder) {
  const SecretNumbers numbers(call.numbers<float>(0, "the vector"));
  const Result scratch(call.rt);
  hushbit_embedding embedding = sized<hushbit_embedding>();
  check(call.rt, hushbit_embed_vector, embedder, numbers.data(), numbers.size(), scratch.get(), &embedding);
  return to_embedding(call.rt, embedding);
}

jsi::Value nearest_words(const Call& call, hushbit_embedder* embedder) {
  const std::vector<double> direction = call.numbers<double>(0, "the direction");
  const uint32_t count = call.integer(1, "the number of words", kMostNearWords);
  std::vector<uint32_t> ids(count);
  std::vector<double> cosines(count);
  check(call.rt, hushbit_embedder_nearest_words, embedder, direction.data(), direction.size(), size_t{count},
        ids.data(), cosines.data());
  jsi::Array words(call.rt, count);
  for (uint32_t i = 0; i < count; ++i) {
    words.setValueAtIndex(call.rt, i, to_object(call.rt, {{"word_id", ids[i]}, {"cosine", cosines[i]}}));
  }
  return words;
}

// ---- Classifiers

// Calls with the place of the best class and of the log odds of all.
template <typename Classify>
jsi::Value classified(jsi::Runtime& rt, const hushbit_classifier* classifier, Classify classify) {
  uint32_t best = 0;
  Secret log_odds(std::vector<double>(hushbit_classifier_count(classifier)));
  classify(&best, log_odds.data());
  jsi::Array odds(rt, log_odds.size());
  for (size_t i = 0; i < log_odds.size(); ++i) odds.setValueAtIndex(rt, i, log_odds.data()[i]);
  jsi::Object object = to_object(rt, {{"best", best}});
  object.setProperty(rt, "logOdds", odds);
  return object;
}

jsi::Value classify(const Call& call, hushbit_classifier* classifier) {
  const SecretText text(call.text(0, "the text"));
  return classified(call.rt, classifier, [&](uint32_t* best, double* log_odds) {
    check(call.rt, hushbit_classify, classifier, text.data(), text.size(), best, log_odds);
  });
}

jsi::Value classify_vector(const Call& call, hushbit_classifier* classifier) {
  const SecretNumbers numbers(call.numbers<float>(0, "the vector"));
  return classified(call.rt, classifier, [&](uint32_t* best, double* log_odds) {
    check(call.rt, hushbit_classify_vector, classifier, numbers.data(), numbers.size(), best, log_odds);
  });
}

jsi::Value classes(const Call& call, hushbit_classifier* classifier) {
  const uint32_t count = hushbit_classifier_count(classifier);
  jsi::Array names(call.rt, count);
  for (uint32_t i = 0; i < count; ++i) {
    size_t bytes = 0;
    const char* name = hushbit_classifier_name(classifier, i, &bytes);
    names.setValueAtIndex(call.rt, i, to_string(call.rt, {name, bytes}));
  }
  return names;
}

constexpr Method kClassifierMethods[] = {{"classify", 1, untyped<classify>},
                                         {"classifyVector", 1, untyped<classify_vector>}};
constexpr Kind kClassifier = {"classifier", untyped<classes>, kClassifierMethods};

jsi::Value open_classifier(const Call& call, hushbit_embedder* embedder) {
  const std::string weights = call.text(0, "the weights");
  hushbit_classifier* classifier = nullptr;
  check(call.rt, hushbit_classifier_open, embedder, weights.data(), weights.size(), &classifier);
  return made(call.rt, kClassifier, classifier, hushbit_classifier_close);
}

// ---- Embedders

jsi::Value info(const Call& call, hushbit_embedder* embedder) {
  const auto info = told<hushbit_embedder_info>(call.rt, hushbit_embedder_get_info, embedder);
  return to_object(call.rt,
                   {HUSHBIT_FIELD(info, requested_epsilon), HUSHBIT_FIELD(info, effective_epsilon),
                    HUSHBIT_FIELD(info, clamped), HUSHBIT_FIELD(info, memoized), HUSHBIT_FIELD(info, dimensions),
                    HUSHBIT_FIELD(info, directions), HUSHBIT_FIELD(info, crowd_directions),
                    HUSHBIT_BITS64(info, crowd_threshold), HUSHBIT_FIELD(info, crowd_probability),
                    HUSHBIT_BITS64(info, seed), HUSHBIT_FIELD(info, input_numbers), HUSHBIT_FIELD(info, hash)});
}

constexpr Method kMethods[] = {{"embed", 1, untyped<embed>},
                               {"embedVector", 1, untyped<embed_vector>},
                               {"nearestWords", 2, untyped<nearest_words>},
                               {"classifier", 1, untyped<open_classifier>}};
constexpr Kind kEmbedder = {"embedder", untyped<info>, kMethods};

template <typename Create>
jsi::Value make(jsi::Runtime& rt, const jsi::Value& argument, Create create) {
  hushbit_embedder_options options = sized<hushbit_embedder_options>();
  check(rt, hushbit_embedder_options_init, &options);
  Options given(rt, argument);
  given.read("epsilon", &options.epsilon);
  given.shared(&options);
  given.refuse_others();
  hushbit_embedder* embedder = nullptr;
  create(&options, &embedder);
  return made(rt, kEmbedder, embedder, hushbit_embedder_destroy);
}

}  // namespace

jsi::Value make_embedder(const Call& call, hushbit_bundle* bundle) {
  return make(call.rt, call.argument(0), [&](const hushbit_embedder_options* options, hushbit_embedder** embedder) {
    check(call.rt, hushbit_embedder_create, bundle, options, embedder);
  });
}

jsi::Value open_projection(const Call& call) {
  return make(call.rt, call.argument(1), [&](const hushbit_embedder_options* options, hushbit_embedder** embedder) {
    const Bytes file = bytes_of(call.rt, call.argument(0));
    if (file.data() == nullptr) refuse(call.rt, "the projection is not a Uint8Array with bytes");
    check(call.rt, hushbit_embedder_create_from_projection, file.data(), file.size(), options, embedder);
  });
}

}  // namespace hushbit::react
