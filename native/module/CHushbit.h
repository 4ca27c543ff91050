// The C interface as Swift imports it. The module map stands here, not in native/include, so that C++ that includes the
// header never has to build a module.
#ifndef CHUSHBIT_H_
#define CHUSHBIT_H_

#include "../include/hushbit/hushbit.h"  // IWYU pragma: export

#endif  // CHUSHBIT_H_
