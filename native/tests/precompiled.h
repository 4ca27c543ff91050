// What most test programs include, compiled once for all of them (CMakeLists.txt). Each still includes what it uses:
// cross compilers have no precompiled header.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "check.h"
