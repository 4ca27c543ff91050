// The objects of the module: what makes them. Each is in a file of its name.
#pragma once

#include "NativeObject.h"

namespace hushbit::react {

jsi::Value open_bundle(const Call& call);      // path
jsi::Value open_projection(const Call& call);  // Uint8Array, options of an embedder
jsi::Value open_budget(const Call& call);      // path, limits
jsi::Value reset_budget(const Call& call);     // path

// Functions of a bundle, whose argument is an object of options. What they make keeps the bundle alive.
jsi::Value make_privatizer(const Call& call, hushbit_bundle* bundle);
jsi::Value make_embedder(const Call& call, hushbit_bundle* bundle);
jsi::Value make_reporter(const Call& call, hushbit_bundle* bundle);

extern const Kind kBudget;

}  // namespace hushbit::react
