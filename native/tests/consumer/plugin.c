// A stranger's shared library that holds a static core: plugin_version is all that it exports.
#include <hushbit/hushbit.h>

__attribute__((visibility("default"))) const char* plugin_version(void);

const char* plugin_version(void) { return hushbit_version(); }
