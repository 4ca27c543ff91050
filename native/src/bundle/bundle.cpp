#include "bundle/bundle.h"

#include <string.h>

#include <algorithm>

#include "base/bit_cast.h"
#include "base/bytes.h"
#include "base/corrupt.h"
#include "base/crc32.h"
#include "base/sha256.h"
#include "base/utf8.h"

namespace hushbit {
namespace {

constexpr uint8_t kMagic[8] = {0x89, 'H', 'S', 'B', '\r', '\n', 0x1A, '\n'};
constexpr uint32_t kEndianTag = 0x01020304, kSwappedEndianTag = 0x04030201;
constexpr uint32_t kFormatMajor = 1;
constexpr uint32_t kMaxWords = 1u << 24;
constexpr uint64_t kAlignment = 64;

// The header.
constexpr uint64_t kEndianTagAt = 8, kMajorAt = 12, kMinorAt = 14, kBitsAt = 16, kWordsAt = 20, kFlagsAt = 24;
constexpr uint64_t kSectionsAt = 28, kFileSizeAt = 32, kEpsilonAt = 40, kAverageAt = 48, kMaxDistanceAt = 56;
constexpr uint64_t kMechanismAt = 60, kUnicodeAt = 64, kMihFlipsAt = 68, kDefaultsAt = 72;
constexpr uint64_t kBrrEpsilonAt = 72, kTemEpsilonAt = 80, kCrowdAt = 88, kReservedAt = 92;  // from minor 1 on
constexpr uint64_t kTableCrcAt = 120, kHeaderCrcAt = 124;
constexpr uint64_t kHeaderSize = 128;
constexpr uint32_t kLongNumbersFlag = 1;

// An entry of the section table.
constexpr uint64_t kTypeAt = 0, kEntryFlagsAt = 4, kOffsetAt = 8, kLengthAt = 16, kEntryReservedAt = 24, kHashAt = 32;
constexpr uint64_t kEntrySize = 64;
constexpr uint32_t kRequiredFlag = 1;

enum SectionType : uint32_t {
  kMeta = 1,
  kWords,
  kCodes,
  kClusters,
  kOrder,
  kMih,
  kOutputs,
  kStandIns,
  kWeights,
  kCrowds,
  kGrades,
  kPublic,
  kEmbedding,
};
constexpr uint32_t kKnownTypes = kEmbedding;
constexpr const char* kSectionNames[kKnownTypes + 1] = {"unknown", "meta",   "words",   "codes",    "clusters",
                                                        "order",   "mih",    "outputs", "standins", "weights",
                                                        "crowds",  "grades", "public",  "embedding"};

const char* section_name(uint32_t type) { return kSectionNames[type <= kKnownTypes ? type : 0]; }

uint64_t align_section(uint64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

uint64_t table_end(uint32_t sections) { return kHeaderSize + kEntrySize * sections; }

// The largest finite double, so that infinity and NaN are refused.
constexpr double kMaxEpsilon = 0x1.fffffffffffffp1023;

// A number from 0 to `max`; not so for NaN.
bool within(double value, double max) { return value >= 0 && value <= max; }

hushbit_status unsupported(hushbit_error* error, uint64_t position, const char* what, uint32_t value) {
  return fail(error, HUSHBIT_UNSUPPORTED_BUNDLE, position,
              "the bundle needs a newer Hushbit: %s %u, at byte %llu; update the library or export the bundle again",
              what, value, static_cast<unsigned long long>(position));
}

}  // namespace

// The sections of known types; empty where there is none.
struct Bundle::Views {
  std::span<const uint8_t> of[kKnownTypes + 1];
  const uint8_t* bundle;

  bool has(uint32_t type) const { return !of[type].empty(); }
  SectionView section(uint32_t type) const {
    return {of[type], has(type) ? static_cast<uint64_t>(of[type].data() - bundle) : 0};
  }
};

hushbit_status Bundle::open(const Mapping& mapping, hushbit_error* error) {
  mapping_ = mapping;
  Views views = {.of = {}, .bundle = data()};
  hushbit_status status = check_identity(error);
  if (status == HUSHBIT_OK) status = read_header(error);
  if (status == HUSHBIT_OK) status = read_defaults(error);
  if (status == HUSHBIT_OK) status = check_table(error);
  if (status == HUSHBIT_OK) status = find_sections(&views, error);
  if (status == HUSHBIT_OK) status = check_present(views, error);
  if (status == HUSHBIT_OK) {
    status = outputs_.open(views.section(kOutputs), views.section(kStandIns), info_.words, error);
  }
  if (status == HUSHBIT_OK) status = open_codes(views, error);
  if (status == HUSHBIT_OK) status = open_crowds(views, error);
  if (status == HUSHBIT_OK) {
    status = embedding_.open(views.section(kEmbedding), info_.bits, outputs_.count(), error);
  }
  const std::span<const uint8_t> words = views.of[kWords];
  if (status == HUSHBIT_OK) status = vocabulary_.open(words, offset_of(words), info_.words, error);
  if (status != HUSHBIT_OK) return status;
  meta_ = views.of[kMeta];
  info_.max_word_bytes = vocabulary_.max_word_bytes();
  info_.output_words = outputs_.count();
  info_.public_words = public_words_.count();
  hash_table(info_.hash);
  return HUSHBIT_OK;
}

// Header and table, which hold the hashes of all else.
void Bundle::hash_table(uint8_t digest[32]) const {
  Sha256 hash;
  hash.update(data(), static_cast<size_t>(table_end(section_count_)));
  hash.finish(digest);
}

// Magic, byte order, CRC and version: what every version of the format has in the same place.
hushbit_status Bundle::check_identity(hushbit_error* error) const {
  const size_t magic_bytes = std::min(size(), sizeof(kMagic));
  if (size() == 0 || memcmp(data(), kMagic, magic_bytes) != 0) {
    return fail(error, HUSHBIT_CORRUPT_BUNDLE, 0,
                "this is not a Hushbit bundle: the magic bytes are missing; "
                "check the path and whether the file was transferred as text");
  }
  if (size() < kHeaderSize) return corrupt(error, size(), "cut off in the header");
  const uint32_t endian_tag = load_le32(data() + kEndianTagAt);
  if (endian_tag == kSwappedEndianTag) return unsupported(error, kEndianTagAt, "byte order", endian_tag);
  if (endian_tag != kEndianTag) return corrupt(error, kEndianTagAt, "wrong endian tag");
  if (load_le32(data() + kHeaderCrcAt) != crc32(data(), kHeaderCrcAt)) {
    return corrupt(error, kHeaderCrcAt, "header does not match its CRC");
  }
  const uint32_t major = load_le16(data() + kMajorAt);
  return major == kFormatMajor ? HUSHBIT_OK : unsupported(error, kMajorAt, "format version", major);
}

hushbit_status Bundle::read_header(hushbit_error* error) {
  const uint8_t* header = data();
  info_.format_major = load_le16(header + kMajorAt);
  info_.format_minor = load_le16(header + kMinorAt);
  info_.bits = load_le32(header + kBitsAt);
  info_.words = load_le32(header + kWordsAt);
  info_.file_bytes = load_le64(header + kFileSizeAt);
  info_.default_epsilon = bit_cast<double>(load_le64(header + kEpsilonAt));
  info_.average_distance = bit_cast<double>(load_le64(header + kAverageAt));
  info_.max_distance = load_le32(header + kMaxDistanceAt);
  info_.default_mechanism = load_le32(header + kMechanismAt);
  info_.unicode_version = load_le32(header + kUnicodeAt);
  codes_.mih_flips = load_le32(header + kMihFlipsAt);
  info_.mih_flips = static_cast<double>(codes_.mih_flips) / Codes::kFlipUnit;
  section_count_ = load_le32(header + kSectionsAt);

  const uint32_t flags = load_le32(header + kFlagsAt);
  if ((flags & ~kLongNumbersFlag) != 0) return unsupported(error, kFlagsAt, "flags", flags);
  long_numbers_ = (flags & kLongNumbersFlag) != 0;
  if (info_.bits != 64 && info_.bits != 128 && info_.bits != 256 && info_.bits != 512) {
    return corrupt(error, kBitsAt, "codes not of 64, 128, 256 or 512 bits");
  }
  if (info_.words < 1 || info_.words > kMaxWords) return corrupt(error, kWordsAt, "word count not 1 to 2^24");
  if (section_count_ < 3 || section_count_ > kMaxSections) {
    return corrupt(error, kSectionsAt, "section count not 3 to 64");
  }
  if (info_.file_bytes != size()) {
    return fail(error, HUSHBIT_CORRUPT_BUNDLE, std::min<uint64_t>(info_.file_bytes, size()),
                "the bundle has %llu bytes where its header says %llu: %s; export or download it again",
                static_cast<unsigned long long>(size()), static_cast<unsigned long long>(info_.file_bytes),
                size() < info_.file_bytes ? "it is cut off" : "something follows it");
  }
  if (!within(info_.default_epsilon, kMaxEpsilon)) {
    return corrupt(error, kEpsilonAt, "default epsilon not finite and 0 or more");
  }
  if (!within(info_.average_distance, info_.bits)) {
    return corrupt(error, kAverageAt, "average distance not 0 to the bits of a code");
  }
  if (info_.max_distance > info_.bits)
    return corrupt(error, kMaxDistanceAt, "maximum distance above the bits of a code");
  if (codes_.mih_flips > info_.bits * Codes::kFlipUnit) {
    return corrupt(error, kMihFlipsAt, "bits flipped above the bits of a code");
  }
  return HUSHBIT_OK;
}

// The default mechanism, and what the others' defaults are, which minor version 0 had no place for.
hushbit_status Bundle::read_defaults(hushbit_error* error) {
  const uint8_t* header = data();
  const bool has_more = info_.format_minor >= 1;
  const uint64_t reserved_at = has_more ? kReservedAt : kDefaultsAt;
  const uint64_t nonzero = first_nonzero(header, reserved_at, kTableCrcAt);
  if (nonzero != kTableCrcAt) return corrupt(error, nonzero, "reserved bytes not zero");
  const uint32_t mechanism = info_.default_mechanism;
  if (mechanism < HUSHBIT_BRR || mechanism > (has_more ? HUSHBIT_CROWD : HUSHBIT_TEM)) {
    return unsupported(error, kMechanismAt, "mechanism", mechanism);
  }
  info_.default_epsilon_unit = mechanism == HUSHBIT_CROWD ? HUSHBIT_PER_WORD : HUSHBIT_PER_BIT;
  info_.default_epsilon_brr = mechanism == HUSHBIT_BRR ? info_.default_epsilon : 0;
  info_.default_epsilon_tem = mechanism == HUSHBIT_TEM ? info_.default_epsilon : 0;
  if (!has_more) return HUSHBIT_OK;
  const double brr = bit_cast<double>(load_le64(header + kBrrEpsilonAt));
  const double tem = bit_cast<double>(load_le64(header + kTemEpsilonAt));
  if (!within(brr, kMaxEpsilon)) return corrupt(error, kBrrEpsilonAt, "default epsilon not finite and 0 or more");
  if (!within(tem, kMaxEpsilon)) return corrupt(error, kTemEpsilonAt, "default epsilon not finite and 0 or more");
  if (mechanism != HUSHBIT_BRR) info_.default_epsilon_brr = brr;
  if (mechanism != HUSHBIT_TEM) info_.default_epsilon_tem = tem;
  info_.default_crowd_size = load_le32(header + kCrowdAt);
  const bool fits = mechanism == HUSHBIT_CROWD ? info_.default_crowd_size >= HUSHBIT_CROWD_SIZE_ONE &&
                                                     info_.default_crowd_size <= HUSHBIT_CROWD_SIZE_MANY
                                               : info_.default_crowd_size == 0;
  return fits ? HUSHBIT_OK : corrupt(error, kCrowdAt, "default crowd does not fit the default mechanism");
}

// Every section where the one before it puts it, all inside the file, the last one ending it.
hushbit_status Bundle::check_table(hushbit_error* error) const {
  uint64_t end = table_end(section_count_);
  if (end > size()) return corrupt(error, size(), "cut off in the section table");
  if (load_le32(data() + kTableCrcAt) != crc32(data() + kHeaderSize, static_cast<size_t>(end - kHeaderSize))) {
    return corrupt(error, kTableCrcAt, "section table does not match its CRC");
  }
  for (uint32_t i = 0; i < section_count_; ++i) {
    const uint64_t entry_at = kHeaderSize + kEntrySize * i;
    const uint8_t* entry = data() + entry_at;
    if ((load_le32(entry + kEntryFlagsAt) & ~kRequiredFlag) != 0) {
      return corrupt(error, entry_at + kEntryFlagsAt, "unknown section flags");
    }
    if (load_le64(entry + kEntryReservedAt) != 0) {
      return corrupt(error, entry_at + kEntryReservedAt, "reserved bytes not zero");
    }
    const uint64_t offset = load_le64(entry + kOffsetAt), length = load_le64(entry + kLengthAt);
    if (offset != align_section(end)) return corrupt(error, entry_at + kOffsetAt, "section at a wrong offset");
    if (offset > size() || length < 1 || length > size() - offset) {
      return corrupt(error, entry_at + kLengthAt, "section empty or beyond the end of the file");
    }
    end = offset + length;
  }
  return end == size() ? HUSHBIT_OK : corrupt(error, end, "bytes after the last section");
}

// Sets the views of the sections this version knows; refuses others that it should know.
hushbit_status Bundle::find_sections(Views* views, hushbit_error* error) const {
  for (uint32_t i = 0; i < section_count_; ++i) {
    const uint64_t entry_at = kHeaderSize + kEntrySize * i;
    const uint8_t* entry = data() + entry_at;
    const hushbit_section_info section = this->section(i);
    const uint32_t type = section.type;
    for (uint32_t j = 0; j < i; ++j) {
      if (load_le32(data() + kHeaderSize + kEntrySize * j + kTypeAt) == type) {
        return corrupt(error, entry_at, "two sections of the same type");
      }
    }
    if (type >= 1 && type <= kKnownTypes) {
      views->of[type] =
          mapping_.bytes.subspan(static_cast<size_t>(section.offset), static_cast<size_t>(section.length));
    } else if ((load_le32(entry + kEntryFlagsAt) & kRequiredFlag) != 0) {
      return unsupported(error, entry_at, "section type", type);
    }
  }
  return HUSHBIT_OK;
}

// Sections that must be there, alone or with another.
hushbit_status Bundle::check_present(const Views& views, hushbit_error* error) const {
  for (const uint32_t type : {kMeta, kWords, kCodes}) {
    if (!views.has(type)) return corrupt(error, kHeaderSize, "no meta, words or codes section");
  }
  if (views.has(kClusters) != views.has(kOrder)) {
    return corrupt(error, kHeaderSize, "only one of the sections clusters and order");
  }
  if (views.has(kOutputs) != views.has(kStandIns)) {
    return corrupt(error, kHeaderSize, "only one of the sections outputs and standins");
  }
  if (views.has(kCrowds) && !(views.has(kWeights) && views.has(kGrades))) {
    return corrupt(error, kHeaderSize, "crowds section without weights and grades");
  }
  return HUSHBIT_OK;
}

hushbit_status Bundle::open_codes(const Views& views, hushbit_error* error) {
  const std::span<const uint8_t> codes = views.of[kCodes], clusters = views.of[kClusters], order = views.of[kOrder];
  const std::span<const uint8_t> mih = views.of[kMih];
  codes_.count = outputs_.count();
  codes_.code_bytes = info_.bits / 8;
  codes_.clustered = !clusters.empty();
  codes_.has_mih = !mih.empty();
  hushbit_status status = HUSHBIT_OK;
  if (codes_.clustered) {
    status = codes_.tiled.tiles.open(codes, offset_of(codes), clusters, offset_of(clusters), codes_.count, info_.bits,
                                     error);
    if (status == HUSHBIT_OK) status = codes_.tiled.order.open(order, offset_of(order), codes_.count, error);
  } else {
    codes_.rows = {.rows = codes.data(), .count = codes_.count, .code_bytes = codes_.code_bytes};
    if (codes.size() != uint64_t{codes_.count} * codes_.code_bytes) {
      status = corrupt(error, offset_of(codes), "codes: length does not match output words and bits");
    }
  }
  if (status != HUSHBIT_OK) return status;
  if (codes_.has_mih) return codes_.mih.open(mih, offset_of(mih), codes_.count, info_.bits, error);
  return codes_.mih_flips == 0 ? HUSHBIT_OK : corrupt(error, kMihFlipsAt, "bits flipped without a mih section");
}

hushbit_status Bundle::open_crowds(const Views& views, hushbit_error* error) {
  hushbit_status status = weights_.open(views.section(kWeights), outputs_.count(), error);
  if (status == HUSHBIT_OK) status = grades_.open(views.section(kGrades), weights_.total(), error);
  if (status == HUSHBIT_OK) status = crowds_.open(views.section(kCrowds), outputs_.count(), error);
  return status == HUSHBIT_OK ? public_words_.open(views.section(kPublic), info_.words, error) : status;
}

hushbit_section_info Bundle::section(uint32_t index) const {
  const uint8_t* entry = data() + kHeaderSize + kEntrySize * index;
  hushbit_section_info info = {};
  info.type = load_le32(entry + kTypeAt);
  // The table was checked, but may have changed since.
  info.offset = std::min<uint64_t>(load_le64(entry + kOffsetAt), size());
  info.length = std::min<uint64_t>(load_le64(entry + kLengthAt), size() - info.offset);
  memcpy(info.sha256, entry + kHashAt, sizeof(info.sha256));
  const char* name = section_name(info.type);
  memcpy(info.name, name, strlen(name));
  return info;
}

hushbit_status Bundle::verify_section(const hushbit_section_info& section, hushbit_error* error) const {
  Sha256 hash;
  hash.update(data() + section.offset, static_cast<size_t>(section.length));
  uint8_t digest[32];
  hash.finish(digest);
  if (memcmp(digest, section.sha256, sizeof(digest)) == 0) return HUSHBIT_OK;
  const uint64_t end = section.offset + section.length;
  return fail(error, HUSHBIT_CORRUPT_BUNDLE, section.offset,
              "the bundle is damaged: section %s (type %u), bytes %llu to %llu, does not match its SHA-256; export or "
              "download it again",
              section.name, section.type, static_cast<unsigned long long>(section.offset),
              static_cast<unsigned long long>(end));
}

hushbit_status Bundle::verify(hushbit_error* error) const {
  uint8_t digest[32];
  hash_table(digest);
  if (memcmp(digest, info_.hash, sizeof(digest)) != 0) return corrupt(error, 0, "header changed since it was opened");
  uint64_t end = table_end(section_count_);
  for (uint32_t i = 0; i < section_count_; ++i) {
    const hushbit_section_info info = section(i);
    const uint64_t nonzero = first_nonzero(data(), end, info.offset);
    if (nonzero != info.offset) return corrupt(error, nonzero, "padding not zero");
    const hushbit_status status = verify_section(info, error);
    if (status != HUSHBIT_OK) return status;
    end = info.offset + info.length;
  }
  const size_t invalid = first_invalid_utf8(meta_.data(), meta_.size());
  if (invalid != meta_.size()) return corrupt(error, offset_of(meta_) + invalid, "meta: not UTF-8");
  hushbit_status status = vocabulary_.verify(error);
  if (status == HUSHBIT_OK) status = outputs_.verify(error);
  if (status == HUSHBIT_OK) status = verify_codes(error);
  return status == HUSHBIT_OK ? verify_crowds(error) : status;
}

// Rows may be any.
hushbit_status Bundle::verify_codes(hushbit_error* error) const {
  hushbit_status status = HUSHBIT_OK;
  if (codes_.clustered) {
    status = codes_.tiled.tiles.verify(error);
    if (status == HUSHBIT_OK) status = codes_.tiled.order.verify(error);
  }
  return status == HUSHBIT_OK && codes_.has_mih ? codes_.mih.verify(codes_.blocks(), error) : status;
}

// Weights and grades were read as a whole when the bundle was opened, and their hashes are checked by now.
hushbit_status Bundle::verify_crowds(hushbit_error* error) const {
  hushbit_status status = public_words_.check(outputs_, error);
  if (status != HUSHBIT_OK || crowds_.empty()) return status;
  status = crowds_.check(weights_, grades_.largest_end_mass(), error);
  return status == HUSHBIT_OK ? crowds_.check_padding(error) : status;
}

}  // namespace hushbit
