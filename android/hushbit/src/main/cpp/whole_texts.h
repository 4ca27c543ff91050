// The native methods of dev.hushbit.NativeWholeTexts: embedders, classifiers and reporters.
#ifndef HUSHBIT_WHOLE_TEXTS_H_
#define HUSHBIT_WHOLE_TEXTS_H_

#include <jni.h>

namespace hushbit::jni {

// False, with an exception pending, if a method does not fit.
bool register_whole_texts(JNIEnv* env);

}  // namespace hushbit::jni

#endif  // HUSHBIT_WHOLE_TEXTS_H_
