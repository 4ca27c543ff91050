// What the tests in Swift see of the core's seeded randomness.
#ifndef CHUSHBIT_TESTING_H_
#define CHUSHBIT_TESTING_H_

// clang-format off: in this order, the types are those of the module CHushbit
#include "CHushbit.h"
#include "../../../../native/include/hushbit/testing.h"
// clang-format on

#endif  // CHUSHBIT_TESTING_H_
