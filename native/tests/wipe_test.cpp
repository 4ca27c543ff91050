// What the C interface leaves of typed words: on the stack of the thread that it ran in, deeper than its own arguments,
// nothing at all; in memory that it allocated, neither the words nor their codes, nor the noisy codes.
#include <pthread.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "api/handles.h"
#include "check.h"
#include "crowds_builder.h"
#include "exercise.h"
#include "indexed_bundle.h"
#include "leftovers.h"
#include "wipe_subject.h"

using namespace hushbit::testing;

namespace {

// What the call that wipes leaves below what it wipes: where to return to.
constexpr size_t kWordsOfWiping = 8;

Handle<hushbit_result> make_result() {
  hushbit_result* result = nullptr;
  REQUIRE(hushbit_result_create(&result, nullptr) == HUSHBIT_OK);
  return Handle<hushbit_result>(result);
}

Handle<hushbit_privatizer> make_privatizer(const Subject& subject, const hushbit_privatizer_options& options) {
  hushbit_privatizer* privatizer = nullptr;
  REQUIRE(hushbit_privatizer_create(subject.bundle(), &options, &privatizer, nullptr) == HUSHBIT_OK);
  return Handle<hushbit_privatizer>(privatizer);
}

hushbit_privatizer_options options_for(const Subject& subject, uint32_t mechanism, double epsilon) {
  hushbit_privatizer_options options = {.struct_size = sizeof(hushbit_privatizer_options)};
  hushbit_privatizer_options_init(subject.bundle(), &options, nullptr);
  options.mechanism = mechanism;
  options.epsilon = epsilon;
  options.allow_unchanged = 1;
  return options;
}

void check_leaves_nothing(const char* what, const std::vector<Secret>& secrets, const std::function<void()>& work) {
  const Leftovers found = leftovers_of(work, secrets);
  CHECK(found.words <= kWordsOfWiping && found.secret == nullptr);
  if (found.words > kWordsOfWiping) {
    std::cerr << "  " << what << ": " << found.words << " words, " << found.depth << " bytes deep\n";
  }
  if (found.secret != nullptr) std::cerr << "  " << what << ": " << found.secret << '\n';
}

// What a result does not show, and on failure not even the ids of words.
void check_result_is_wiped(const hushbit_result* handle, hushbit_status status) {
  const hushbit::Result& result = handle->result;
  CHECK(is_wiped(result.inputs.data()));
  CHECK(is_wiped(result.keys.data()));
  CHECK(is_wiped(result.draws.coins.data()));
  CHECK(is_wiped(result.draws.noisy.data()));
  CHECK(is_wiped(result.draws.near.ids.data()));
  CHECK(is_wiped(result.draws.near.distances.data()));
  if (status == HUSHBIT_OK) return;
  CHECK(is_wiped(result.tokens.data()));
  CHECK(is_wiped(result.text.data()));
}

void check_privatize(const char* what, const Subject& subject, const hushbit_privatizer_options& options,
                     hushbit_status expected = HUSHBIT_OK, const std::string& text = kText) {
  const Handle<hushbit_privatizer> privatizer = make_privatizer(subject, options);
  const Handle<hushbit_result> result = make_result();
  std::vector<Secret> secrets = subject.secrets();
  // A privatizer for crowds keeps all output words, whatever is typed.
  if (options.mechanism == HUSHBIT_CROWD) {
    std::erase_if(secrets, [](const Secret& secret) { return std::string(secret.what) == "word"; });
  }
  if (options.device_key != nullptr && expected == HUSHBIT_OK) {
    const Handle<hushbit_result> same = make_result();  // noise repeats
    CHECK_EQ(hushbit_testing_privatize(privatizer.get(), kKey, text.data(), text.size(), same.get(), nullptr),
             expected);
    size_t count, size;
    const uint8_t* noisy = hushbit_testing_noisy_codes(same.get(), &count, &size);
    for (size_t i = 0; i < count; ++i)
      secrets.push_back({"noisy code", Bytes(noisy + i * size, noisy + (i + 1) * size)});
  }
  hushbit_status status = HUSHBIT_OK;
  check_leaves_nothing(what, secrets, [&] {
    status = hushbit_privatize(privatizer.get(), text.data(), text.size(), result.get(), nullptr);
    result->result.text.clear();  // where words may stay themselves
  });
  CHECK_EQ(status, expected);
  check_result_is_wiped(result.get(), status);
}

void test_every_search(Index index, uint32_t bits) {
  Subject subject(index, bits);
  for (const hushbit::Kernels* kernels : hushbit::supported_kernels()) {
    subject.use(kernels);
    for (const double epsilon : {0.0, 1.0, 6.0}) {
      for (const uint32_t search : {HUSHBIT_SEARCH_ROWS, HUSHBIT_SEARCH_CLUSTERS, HUSHBIT_SEARCH_MIH}) {
        if ((search == HUSHBIT_SEARCH_CLUSTERS && !index.clusters) || (search == HUSHBIT_SEARCH_MIH && !index.mih))
          continue;
        hushbit_privatizer_options options = options_for(subject, HUSHBIT_BRR, epsilon);
        options.search = search;
        check_privatize(kernels->name, subject, options);
        options.device_key = kKey;
        check_privatize("memoized", subject, options);
      }
    }
    check_privatize("TEM", subject, options_for(subject, HUSHBIT_TEM, 0.1));
    hushbit_nearest nearest;
    uint32_t ids[9], distances[9];
    check_leaves_nothing("nearest", subject.secrets(), [&] {
      CHECK_EQ(hushbit_bundle_nearest(subject.bundle(), subject.code(0).data(), 1, &nearest, nullptr), HUSHBIT_OK);
    });
    check_leaves_nothing("neighbors", subject.secrets(), [&] {
      CHECK_EQ(hushbit_bundle_neighbors(subject.bundle(), subject.code(0).data(), 9, ids, distances, nullptr),
               HUSHBIT_OK);
    });
  }
}

void test_crowds(Index index, bool crowds) {
  Subject subject(index, 256, crowds);
  for (uint32_t crowd = HUSHBIT_CROWD_SIZE_ONE; crowd <= HUSHBIT_CROWD_SIZE_MANY; ++crowd) {
    for (const double epsilon : {0.0, 5.0, 50.0}) {
      hushbit_privatizer_options options = options_for(subject, HUSHBIT_CROWD, epsilon);
      options.crowd_size = crowd;
      check_privatize("crowd", subject, options);
      options.device_key = kKey;
      check_privatize("crowd, memoized", subject, options);
    }
  }
}

void test_lookups(Index index, uint32_t bits) {
  Subject subject(index, bits);
  uint32_t id = 0;
  size_t length = 0;
  char word[255];
  const auto check_find = [&](const std::string& text, hushbit_status expected) {
    check_leaves_nothing("find", subject.secrets(), [&] {
      CHECK_EQ(hushbit_bundle_find(subject.bundle(), text.data(), text.size(), &id, nullptr), expected);
    });
  };
  check_find(word_of(345), HUSHBIT_OK);
  for (const std::string& text : {kUnknownForm, word_of(17) + kUnknownForm, kGreek})
    check_find(text, HUSHBIT_UNKNOWN_WORD);
  check_leaves_nothing("word", subject.secrets(), [&] {
    CHECK_EQ(hushbit_bundle_word(subject.bundle(), 345, word, sizeof(word), &length, nullptr), HUSHBIT_OK);
  });
  Bytes code(bits / 8);
  check_leaves_nothing("code", subject.secrets(),
                       [&] { CHECK_EQ(hushbit_bundle_code(subject.bundle(), 345, code.data(), nullptr), HUSHBIT_OK); });
  const Handle<hushbit_result> result = make_result();
  for (const bool valid : {true, false}) {
    const std::string text = valid ? kText : kText + "\xFF";
    check_leaves_nothing("tokenize", subject.secrets(), [&] {
      CHECK_EQ(hushbit_tokenize(subject.bundle(), text.data(), text.size(), result.get(), nullptr),
               valid ? HUSHBIT_OK : HUSHBIT_INVALID_TEXT);
    });
  }
  check_result_is_wiped(result.get(), HUSHBIT_INVALID_TEXT);

  std::fill(subject.bytes().begin() + 128, subject.bytes().end(), 0xFF);
  check_find(word_of(345), HUSHBIT_CORRUPT_BUNDLE);
}

// A source that fails after so many bytes.
struct Failing {
  size_t left;
  static int fill(void* state, void* out, size_t size) {
    auto* self = static_cast<Failing*>(state);
    memset(out, 0x77, size);
    if (size > self->left) return 0;
    self->left -= size;
    return 1;
  }
};

void test_failures(uint32_t mechanism) {
  Subject subject({true, true}, 256);
  const hushbit_privatizer_options options = options_for(subject, mechanism, 1.0);
  for (const size_t bytes : {0, 1000, 5000}) {
    const Handle<hushbit_privatizer> privatizer = make_privatizer(subject, options);
    const Handle<hushbit_result> result = make_result();
    hushbit_status status = HUSHBIT_OK;
    Failing source{mechanism == HUSHBIT_TEM ? bytes / 100 : bytes};
    check_leaves_nothing("no randomness", subject.secrets(), [&] {
      status = hushbit_testing_privatize_with(privatizer.get(), Failing::fill, &source, kText.data(), kText.size(),
                                              result.get(), nullptr);
    });
    CHECK_EQ(status, HUSHBIT_RANDOMNESS_FAILED);
    check_result_is_wiped(result.get(), status);
  }
  check_privatize("invalid", subject, options, HUSHBIT_INVALID_TEXT, kText + "\xFF");
  hushbit_privatizer_options refusing = options;
  refusing.oov = HUSHBIT_OOV_ERROR;
  check_privatize("refused", subject, refusing, HUSHBIT_UNKNOWN_WORD);

  char directory[] = "/tmp/hushbit-wipe-XXXXXX";
  REQUIRE(mkdtemp(directory) != nullptr);
  const std::string ledger = std::string(directory) + "/budget", log = std::string(directory) + "/log";
  hushbit_privatizer_options audited = options;
  audited.audit_log = log.c_str();
  check_privatize("audited", subject, audited);
  hushbit_budget_limits limits = {.struct_size = sizeof(hushbit_budget_limits)};
  hushbit_budget_limits_init(&limits, nullptr);
  limits.tokens_lifetime = 7;  // enough for one text of six
  REQUIRE(hushbit_budget_open(ledger.c_str(), &limits, &audited.budget, nullptr) == HUSHBIT_OK);
  check_privatize("budgeted", subject, audited);
  check_privatize("exhausted", subject, audited, HUSHBIT_BUDGET_EXHAUSTED);
  hushbit_budget_close(audited.budget);
  for (const std::string& path : {ledger, ledger + ".lock", log}) unlink(path.c_str());
  rmdir(directory);

  // The order of codes and the codes gone, then the words too.
  const size_t words = get<uint64_t>(subject.bytes(), 128 + 64 + 8),
               codes = get<uint64_t>(subject.bytes(), 128 + 128 + 8);
  const Handle<hushbit_privatizer> privatizer = make_privatizer(subject, options);
  for (const size_t from : {codes, words}) {
    std::fill(subject.bytes().begin() + static_cast<long>(from), subject.bytes().end(), 0xFF);
    check_privatize("damaged", subject, options, HUSHBIT_CORRUPT_BUNDLE);
  }
}

void test_device_keys() {
  Subject subject({false, false}, 64);
  hushbit_privatizer_options options = options_for(subject, HUSHBIT_BRR, 1.0);
  options.device_key = kKey;
  hushbit_privatizer* privatizer = nullptr;
  check_leaves_nothing("device key", subject.secrets(), [&] {
    CHECK_EQ(hushbit_privatizer_create(subject.bundle(), &options, &privatizer, nullptr), HUSHBIT_OK);
  });
  hushbit_privatizer_destroy(privatizer);
}

void test_reports(bool crowds) {
  Subject subject({true, true}, 256, crowds);
  std::vector<Secret> secrets = subject.secrets();
  // A reporter of words keeps all output words, whatever is typed.
  std::erase_if(secrets, [](const Secret& secret) { return std::string(secret.what) == "word"; });
  for (const uint32_t values : {HUSHBIT_VALUES_WORDS, HUSHBIT_VALUES_EMOJI, HUSHBIT_VALUES_NEW_WORDS}) {
    for (const uint8_t* key : {static_cast<const uint8_t*>(nullptr), kKey}) {
      hushbit_reporter_options options = {.struct_size = sizeof(hushbit_reporter_options)};
      hushbit_reporter_options_init(&options, nullptr);
      options.values = values;
      options.device_key = key;
      hushbit_reporter* reporter = nullptr;
      check_leaves_nothing("reporter", secrets, [&] {
        CHECK_EQ(hushbit_reporter_create(subject.bundle(), &options, &reporter, nullptr), HUSHBIT_OK);
      });
      hushbit_report report = {.struct_size = sizeof(hushbit_report)};
      check_leaves_nothing("report", secrets, [&] {
        CHECK_EQ(hushbit_report_text(reporter, kText.data(), kText.size(), &report, nullptr), HUSHBIT_OK);
      });
      if (values == HUSHBIT_VALUES_NEW_WORDS) {
        check_leaves_nothing("new word", secrets, [&] {
          CHECK_EQ(hushbit_report_word(reporter, kGreek.data(), kGreek.size(), &report, nullptr), HUSHBIT_OK);
        });
      }
      hushbit_reporter_destroy(reporter);
    }
  }
}

// An embedder keeps all output words and their codes, whatever is typed; so what must go is what a text becomes: its
// vector, and which directions are near.
void test_embeddings(Index index) {
  const Subject subject(index, 256, false, true);
  std::vector<Secret> secrets = subject.secrets();
  std::erase_if(secrets, [](const Secret& secret) {
    return std::string(secret.what) == "word" || std::string(secret.what) == "code";
  });
  for (const uint8_t* key : {static_cast<const uint8_t*>(nullptr), kKey}) {
    hushbit_embedder_options options = {.struct_size = sizeof(hushbit_embedder_options)};
    hushbit_embedder_options_init(&options, nullptr);
    options.device_key = key;
    hushbit_embedder* embedder = nullptr;
    check_leaves_nothing("embedder", secrets, [&] {
      CHECK_EQ(hushbit_embedder_create(subject.bundle(), &options, &embedder, nullptr), HUSHBIT_OK);
    });
    Bytes vector(8 * sizeof(int64_t));
    CHECK_EQ(hushbit_embedder_text_vector(embedder, kText.data(), kText.size(),
                                          reinterpret_cast<int64_t*>(vector.data()), nullptr),
             HUSHBIT_OK);
    std::vector<Secret> all = secrets;
    all.push_back({"vector", vector});
    const Handle<hushbit_result> scratch = make_result();
    for (const bool valid : {true, false}) {
      const std::string text = valid ? kText : kText + "\xFF";
      hushbit_embedding embedding = {.struct_size = sizeof(hushbit_embedding)};
      check_leaves_nothing("embed", all, [&] {
        CHECK_EQ(hushbit_embed(embedder, text.data(), text.size(), scratch.get(), &embedding, nullptr),
                 valid ? HUSHBIT_OK : HUSHBIT_INVALID_TEXT);
      });
      CHECK(is_wiped(scratch->result.text_crowd.keys.data()));
      CHECK(is_wiped(scratch->result.text_crowd.candidates.data()));
    }
    hushbit_embedder_destroy(embedder);
  }
}

// The test can see: what the core does without wiping is found.
[[maybe_unused]] void test_the_test() {
  Subject subject({true, false}, 256);
  const hushbit::Bundle& bundle = subject.bundle()->bundle;
  const std::string text = word_of(345);
  CHECK(leftovers_of(
            [&] {
              uint8_t untouched[1024];
              __asm__ __volatile__("" : : "r"(untouched) : "memory");  // as if something used it
              bundle.vocabulary().locate({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
            },
            subject.secrets())
            .words > kWordsOfWiping);
  uint32_t counts[257];
  CHECK(leftovers_of([&] { hushbit::count_distances(bundle.codes(), subject.code(0).data(), 256, counts); },
                     subject.secrets())
            .words > kWordsOfWiping);
  const Leftovers copied = leftovers_of(
      [&] {
        uint8_t copy[1 << 13];
        memcpy(copy, subject.code(0).data(), 32);
        __asm__ __volatile__("" : : "r"(copy) : "memory");  // as if something read it
      },
      subject.secrets());
  CHECK(copied.secret != nullptr);
  void* kept = malloc(100);
  memcpy(static_cast<char*>(kept) + 3, text.data(), text.size());
  __asm__ __volatile__("" : : "r"(kept) : "memory");
  CHECK(leftovers_of([] {}, subject.secrets()).secret != nullptr);
  memset(kept, 0, 100);
  free(kept);
  CHECK(leftovers_of([] {}, subject.secrets()).secret == nullptr);
}

}  // namespace

int main() {
#if !defined(__SANITIZE_ADDRESS__)  // whose locals are elsewhere, and whose memory is its own
  test_the_test();
#endif
  for (const Index index : kIndexes) {
    for (const uint32_t bits : {64u, 128u, 256u, 512u}) test_every_search(index, bits);
    for (const bool crowds : {false, true}) test_crowds(index, crowds);
    test_lookups(index, 512);
    test_lookups(index, 64);
  }
  test_failures(HUSHBIT_BRR);
  test_failures(HUSHBIT_TEM);
  test_device_keys();
  for (const bool crowds : {false, true}) test_reports(crowds);
  for (const Index index : kIndexes) test_embeddings(index);
  return check_result();
}
