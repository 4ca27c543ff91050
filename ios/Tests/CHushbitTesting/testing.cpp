// The core's seeded randomness, as a target that no product depends on.
#include "../../../native/src/api/testing.cpp"
