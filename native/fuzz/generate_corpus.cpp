// Writes the seed inputs of the fuzz targets: generate_corpus DIRECTORY, which tools/generate/fuzz_corpus calls.
#include <stdio.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../tests/indexed_bundle.h"

using namespace hushbit::testing;

namespace {

void write(const std::filesystem::path& path, const void* data, size_t size) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
}

void write_bundles(const std::filesystem::path& directory) {
  BundleSpec spec;
  spec.words = {"a", "cat", "cats", "caf\xC3\xA9", "dog", "dogma", "n't", "the"};
  spec.block_words = 4;
  spec.more_sections = {{9, 0, {1, 2, 3}}};
  const Bytes several = build_bundle(spec);
  write(directory / "several_words", several.data(), several.size());
  const Bytes words = build_words_section(words_spec({"a", "cat", "cats", "dog", "dogma", "n't", "the"}, 4));
  write(directory / "words_section", words.data(), words.size());
  BundleSpec one;
  one.words = {"word"};
  one.bits = 512;
  const Bytes single = build_bundle(one);
  write(directory / "single_word", single.data(), single.size());
  spec.more_sections.clear();
  const Bytes hashed = build_bundle(with_index(spec, {.clusters = false, .mih = true}));
  write(directory / "rows_and_hash", hashed.data(), hashed.size());
  const Bytes clustered = build_bundle(with_index(spec, {.clusters = true, .mih = true}));
  write(directory / "clusters_and_hash", clustered.data(), clustered.size());
  const char* const sections[] = {"clusters_section", "order_section", "mih_section"};
  const char* const crowd_sections[] = {"outputs_section", "standins_section", "weights_section",
                                        "crowds_section",  "grades_section",   "public_section"};
  const BundleSpec indexed = indexed_example(), crowded = crowded_example();
  for (size_t i = 0; i < std::size(sections); ++i) {
    const Bytes& section = indexed.more_sections[i].bytes;
    write(directory / sections[i], section.data(), section.size());
  }
  for (size_t i = 0; i < std::size(crowd_sections); ++i) {
    const Bytes& section = crowded.more_sections[i].bytes;
    write(directory / crowd_sections[i], section.data(), section.size());
  }
  const BundleSpec embedded = embedded_example();
  const Bytes& embedding = embedded.more_sections[0].bytes;
  write(directory / "embedding_section", embedding.data(), embedding.size());
  const Bytes with_embedding = build_bundle(embedded);
  write(directory / "embedding", with_embedding.data(), with_embedding.size());
  const Bytes with_crowds = build_bundle(with_index(crowded, {.clusters = true, .mih = true}));
  write(directory / "crowds", with_crowds.data(), with_crowds.size());
}

// A projection, and weights of a classifier for it, with the first byte that readers_fuzz.cpp reads.
void write_readers(const std::filesystem::path& directory) {
  Bytes projection = {0, 0x89, 'H', 'S', 'P', '\r', '\n', 0x1A, '\n'};
  for (const uint32_t number : {1u, 4u, 8u, 50u}) put(projection, projection.size(), number);
  put(projection, projection.size(), uint64_t{7});
  put(projection, projection.size(), uint32_t{10});
  projection.resize(1 + 64);
  for (int32_t i = 0; i < 4; ++i) put(projection, projection.size(), i * 1000 - 2000);
  for (int i = 0; i < 4 * 8; ++i) put(projection, projection.size(), static_cast<int16_t>(i * 2000 - 30000));
  projection.resize(projection.size() + 32);
  write(directory / "projection", projection.data(), projection.size());
  const std::string weights =
      "\1{\"format\": \"hushbit-classifier\", \"version\": 1, \"hash\": \"HASH\", \"dimensions\": 8, "
      "\"fraction_bits\": 30,\n"
      " \"classes\": [\"a\", \"b\\u00e9\\ud83d\\ude00\"], \"weights\": [[1, 2, 3, -4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, "
      "2, 1]],"
      " \"biases\": [-2147483647, 0]}";
  write(directory / "classifier", weights.data(), weights.size());
}

const std::pair<const char*, std::string> kTexts[] = {
    {"contractions", "I don't, it\xE2\x80\x99s; they\xE2\x80\x98ll CAN'T o'brien's won't've"},
    {"hyphens", "well-known -- well-unknown don't-ask - a-b"},
    {"numbers", "3.14 12,1 u.s. U.S.A. . . . ..."},
    {"marks", "cafe\xCC\x81 CAF\xC3\x89 a\xCC\x8A\xCC\xA7 \xC4\xB0 i\xCC\x87 \xCC\x81x"},
    {"hangul", "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8 \xEA\xB0\x80 \xE4\xBD\xA0\xE5\xA5\xBD"},
    {"emoji",
     "\xF0\x9F\x98\x80\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB a\xF0\x9F\x98\x80"
     "b"},
    {"white_space", std::string("a\0b\t\xC2\xA0"
                                "do\xE2\x80\x83\xE3\x80\x80 is\r\n",
                                20)},
    {"right_to_left", "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D (\xD9\x85\xD8\xB1\xD8\xAD\xD8\xA8\xD8\xA7)"},
    {"unspaced",
     "\xE4\xBD\xA0\xE5\xA5\xBD\xE5\xA5\xBD\xE7\x8C\xAB\xE7\x8C\xABt\xE6\x81\xA4 "
     "\xE0\xB8\x81\xE0\xB8\xB4\xE0\xB8\x99\xE0\xB8\x82"},
    {"format_characters",
     "\xEF\xBB\xBF"
     "a\xC2\xAD"
     "b \xE2\x80\xAE"
     "a\xF3\xA0\x81\x81 \xE2\x80\x8B \xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE \xD9\x85\xE2\x80\x8C"},
    {"apostrophes_and_ligatures",
     "do\xCA\xBCt o\xEF\xBC\x87"
     "brien \xEF\xAC\x81ne \xEF\xAC\x81\xCC\x81"},
    {"long_numbers", "1234 12 1234's \xD9\xA1\xD9\xA2\xD9\xA3\xD9\xA4 1.2.3.4"},
    {"invalid", "abc \xC3( \xED\xA0\x80 \xF5"},
    {"long_run", std::string(300, 'a') + "'s " + std::string(40, '-')},
};

void write_texts(const std::filesystem::path& directory) {
  for (const auto& [name, text] : kTexts) write(directory / name, text.data(), text.size());
}

// The texts with options in front, in the order that privatize_fuzz.cpp reads them.
void write_options(const std::filesystem::path& directory) {
  const double epsilons[] = {0, 0.5, 1, 3, 10, 50, -1};
  uint8_t i = 0;
  for (const auto& [name, text] : kTexts) {
    const auto mechanism = static_cast<uint8_t>(1 + i % 3), oov = static_cast<uint8_t>(i % 5),
               punctuation = static_cast<uint8_t>(i / 2 % 2 + (i % 4 << 6)),
               draws = static_cast<uint8_t>(i % 3 ? 255 : 1);
    Bytes bytes = {mechanism, oov, punctuation, 4, draws, i};
    put(bytes, bytes.size(), epsilons[i % 7]);
    put(bytes, bytes.size(), 0.001);
    bytes.insert(bytes.end(), text.begin(), text.end());
    write(directory / name, bytes.data(), bytes.size());
    ++i;
  }
}

// The texts with a reporter in front, in the order that report_fuzz.cpp reads it.
void write_reporters(const std::filesystem::path& directory) {
  const std::string list = "yes\nno\nmaybe\n", pass_over = "a\nthe\n";
  const double epsilons[] = {0.01, 0.5, 1, 2, 4, 16, 0};
  uint8_t i = 0;
  for (const auto& [name, text] : kTexts) {
    Bytes bytes = {static_cast<uint8_t>(1 + i % 4),   static_cast<uint8_t>(i / 2 % 2),
                   static_cast<uint8_t>(i % 8),       i,
                   static_cast<uint8_t>(list.size()), static_cast<uint8_t>(pass_over.size())};
    put(bytes, bytes.size(), epsilons[i % 7]);
    for (const std::string& part : {list, pass_over, text}) bytes.insert(bytes.end(), part.begin(), part.end());
    write(directory / name, bytes.data(), bytes.size());
    ++i;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: generate_corpus DIRECTORY\n");
    return 2;
  }
  const std::filesystem::path directory = argv[1];
  write_bundles(directory / "bundle");
  write_texts(directory / "tokenizer");
  write_options(directory / "privatize");
  write_readers(directory / "readers");
  write_reporters(directory / "report");
  return 0;
}
