// Written by tools/generate/layouts from native/include/hushbit. Change the header and run it again.

import { layout } from "./structs.js";

export const TOKEN = layout({
  kind: "u32",
  word: "u32",
  byte_begin: "u64",
  byte_end: "u64",
  utf16_begin: "u64",
  utf16_end: "u64",
  output_begin: "u64",
  output_end: "u64",
});

export const COST = layout({
  struct_size: "u64",
  epsilon: "f64",
  average: "f64",
  worst_case: "f64",
  words: "u64",
  unknown: "u64",
  dropped: "u64",
  verbatim: "u64",
  public_words: "u64",
  epsilon_unit: "u32",
});

export const BUNDLE_INFO = layout({
  struct_size: "u64",
  format_major: "u32",
  format_minor: "u32",
  bits: "u32",
  words: "u32",
  max_word_bytes: "u32",
  max_distance: "u32",
  average_distance: "f64",
  default_epsilon: "f64",
  default_mechanism: "u32",
  unicode_version: "u32",
  file_bytes: "u64",
  hash: "hash",
  mih_flips: "f64",
  default_epsilon_brr: "f64",
  default_epsilon_tem: "f64",
  output_words: "u32",
  public_words: "u32",
  default_crowd_size: "u32",
  default_epsilon_unit: "u32",
});

export const PRIVATIZER_INFO = layout({
  struct_size: "u64",
  mechanism: "u32",
  gamma: "u32",
  requested_epsilon: "f64",
  effective_epsilon: "f64",
  flip_threshold: "threshold",
  flip_probability: "f64",
  average_per_token: "f64",
  worst_case_per_token: "f64",
  clamped: "i32",
  memoized: "i32",
  epsilon_unit: "u32",
  crowd_size: "u32",
  crowd_mass: "u32",
  output_mass: "u32",
  crowd_threshold: "threshold",
  crowd_probability: "f64",
  mean_crowd: "f64",
  output_words: "u32",
  public_words: "u32",
});

export const BUDGET_STATE = layout({
  struct_size: "u64",
  day: "u64",
  worst_case_today: "f64",
  worst_case_lifetime: "f64",
  tokens_today: "u64",
  tokens_lifetime: "u64",
  texts_today: "u64",
  texts_lifetime: "u64",
});

export const EMBEDDER_INFO = layout({
  struct_size: "u64",
  requested_epsilon: "f64",
  effective_epsilon: "f64",
  seed: "threshold",
  dimensions: "u32",
  directions: "u32",
  crowd_directions: "u32",
  clamped: "i32",
  crowd_threshold: "threshold",
  crowd_probability: "f64",
  memoized: "i32",
  input_numbers: "u32",
  hash: "hash",
});

export const EMBEDDING = layout({
  struct_size: "u64",
  epsilon: "f64",
  signs: "threshold",
  index: "u32",
  dimensions: "u32",
});

export const REPORTER_INFO = layout({
  struct_size: "u64",
  requested_epsilon: "f64",
  effective_epsilon: "f64",
  reports: "u64",
  threshold: "threshold",
  probability: "f64",
  values: "u32",
  value_count: "u32",
  prime: "u32",
  dimension: "u32",
  points: "u32",
  set_size: "u32",
  groups: "u32",
  max_value_bytes: "u32",
  has_none: "i32",
  memoized: "i32",
  hash: "hash",
});

export const REPORT = layout({
  struct_size: "u64",
  report: "u64",
  epsilon: "f64",
  values: "hash8",
});

export const PRIVATIZER_OPTIONS = layout({
  struct_size: "u64",
  mechanism: "u32",
  search: "u32",
  epsilon: "f64",
  beta: "f64",
  oov: "u32",
  punctuation: "u32",
  mask: "pointer",
  mask_bytes: "pointer",
  device_key: "pointer",
  epoch: "u64",
  budget: "pointer",
  audit_log: "pointer",
  crowd_size: "u32",
  allow_unchanged: "u64",
});

export const EMBEDDER_OPTIONS = layout({
  struct_size: "u64",
  epsilon: "f64",
  punctuation: "u32",
  device_key: "pointer",
  epoch: "u64",
  budget: "pointer",
  audit_log: "pointer",
});

export const REPORTER_OPTIONS = layout({
  struct_size: "u64",
  epsilon: "f64",
  values: "u32",
  punctuation: "u32",
  skin_tones: "i32",
  none: "i32",
  list: "pointer",
  list_bytes: "pointer",
  pass_over: "pointer",
  pass_over_bytes: "pointer",
  device_key: "pointer",
  epoch: "u64",
  budget: "pointer",
  audit_log: "pointer",
});

export const BUDGET_LIMITS = layout({
  struct_size: "u64",
  worst_case_per_day: "f64",
  worst_case_lifetime: "f64",
  tokens_per_day: "u64",
  tokens_lifetime: "u64",
});

export const CROWD_MEMBER = layout({
  word: "u32",
  share: "u32",
  weight: "u32",
});
