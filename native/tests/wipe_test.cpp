// What TEM leaves on the stack of the thread that it ran in: nothing that tells the word that was typed.
#include <pthread.h>

#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "approach.h"
#include "bundle.h"
#include "check.h"
#include "indexed_bundle.h"
#include "tem.h"

using namespace hushbit::testing;

namespace {

using hushbit::Codes;
using hushbit::Tem;

constexpr uint32_t kWords = 700, kInput = 345;
constexpr size_t kStackBytes = 1 << 20, kWindow = 8;

struct Secret {
  const char* what;
  Bytes bytes;
};

Bytes indexed_codes(Index index, uint32_t bits) {
  std::mt19937 random(bits);
  BundleSpec spec;
  spec.bits = bits;
  spec.unmeasured = true;
  for (uint32_t i = 0; i < kWords; ++i) {
    spec.words.push_back(std::to_string(1000 + i));
    Bytes code(bits / 8);
    for (uint8_t& byte : code) byte = static_cast<uint8_t>(random());
    spec.codes.push_back(code);
  }
  return build_bundle(with_index(spec, index));
}

template <typename T>
Bytes bytes_of(const T* values, size_t count) {
  Bytes bytes(count * sizeof(T));
  memcpy(bytes.data(), values, bytes.size());
  return bytes;
}

// Of the clusters that a search goes through, the last one's remain if any do.
void add_secrets_of_clusters(const Codes& codes, const uint8_t* code, std::vector<Secret>* secrets) {
  const hushbit::TiledCodes& tiled = codes.tiled;
  for (uint32_t c = 0; c < tiled.tiles.cluster_count(); ++c) {
    hushbit::Approach approach;
    uint16_t room[hushbit::plane_list_size(hushbit::kMaxBits)];
    const hushbit::Cluster cluster = tiled.tiles.cluster(c);
    approach.prepare(tiled, cluster, code, room);
    Bytes difference(codes.code_bytes), agreement(codes.code_bytes);
    for (uint32_t i = 0; i < codes.code_bytes; ++i) {
      difference[i] = static_cast<uint8_t>(code[i] ^ cluster.reference[i]);
    }
    tiled.kernels->zero_planes(cluster.order, difference.data(), codes.bits(), agreement.data());
    secrets->push_back({"difference from the reference", difference});
    secrets->push_back({"agreement with the reference", agreement});
    secrets->push_back({"list of planes", bytes_of(room, approach.count)});
    for (uint32_t tile = 0; tile < cluster.tiles; ++tile) {
      hushbit::TileScan scan = approach.scan(tiled.tiles, tile, 0);
      scan.budget = static_cast<int32_t>(cluster.heaviest);
      hushbit::TileHits hits;
      // The first two groups are full; in a group without words, all counters are the same.
      if (tiled.kernels->scan_tile(scan, &hits) > 0) secrets->push_back({"counters", bytes_of(hits.counters[0], 2)});
    }
  }
}

// Runs in a thread whose stack is `stack`.
void run_on(std::vector<uint64_t>* stack, const std::function<void()>& work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  CHECK_EQ(pthread_attr_setstack(&attributes, stack->data(), stack->size() * 8), 0);
  pthread_t thread;
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  CHECK_EQ(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&work)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// The first part of any secret that stands in memory, by any alignment. Eight bytes that are there by chance would need
// codes chosen for it.
const char* found_in(const std::vector<uint64_t>& stack, const std::vector<Secret>& secrets) {
  for (const Secret& secret : secrets) {
    for (size_t at = 0; at + kWindow <= secret.bytes.size(); at += kWindow) {
      if (memmem(stack.data(), stack.size() * 8, secret.bytes.data() + at, kWindow) != nullptr) return secret.what;
    }
  }
  return nullptr;
}

void check_wiped(Index index, uint32_t bits, const hushbit::Kernels* kernels) {
  const Bytes bytes = indexed_codes(index, bits);
  const auto bundle = std::make_unique<hushbit::Bundle>();
  CHECK_EQ(bundle->open({.bytes = {bytes.data(), bytes.size()}}, nullptr), HUSHBIT_OK);
  Codes codes = bundle->codes();
  codes.tiled.kernels = kernels;
  const auto tem = std::make_unique<Tem>();
  tem->codes = &codes;
  tem->weights.build(1.0, .001, kWords, bits);
  Bytes code(codes.code_bytes);
  CHECK(codes.copy(kInput, code.data()));
  std::vector<Secret> secrets = {{"code", code}};
  if (index.clusters) add_secrets_of_clusters(codes, code.data(), &secrets);

  std::vector<uint64_t> stack(kStackBytes / 8);
  const hushbit::RandomSource random = hushbit::system_random();
  uint32_t output = 0;
  run_on(&stack, [&] { CHECK_EQ(tem->replace(&kInput, 1, &random, &output), HUSHBIT_OK); });
  const char* found = found_in(stack, secrets);
  CHECK(found == nullptr);
  if (found != nullptr)
    std::cerr << "  " << found << ", " << bits << " bits, " << (index.clusters ? kernels->name : "rows") << '\n';

  // The test can see: a copy that is not wiped is found.
  run_on(&stack, [&] {
    uint8_t copy[1 << 14];  // its front is deeper than what the end of the thread writes over
    memcpy(copy, code.data(), code.size());
    __asm__ __volatile__("" : : "r"(copy) : "memory");  // as if something read it
  });
#if !defined(__SANITIZE_ADDRESS__)  // whose locals are elsewhere
  CHECK(found_in(stack, secrets) != nullptr);
#endif
}

}  // namespace

int main() {
  for (const Index index : {kIndexes[0], kIndexes[3]}) {
    for (const uint32_t bits : {64u, 128u, 256u, 512u}) {
      for (const hushbit::Kernels* kernels : hushbit::supported_kernels()) check_wiped(index, bits, kernels);
    }
  }
  return check_result();
}
