// A reference to something that can be called, for functions that would be large as templates.
#ifndef HUSHBIT_FUNCTION_REF_H_
#define HUSHBIT_FUNCTION_REF_H_

#include <type_traits>

namespace hushbit {

template <typename Signature>
class FunctionRef;

// Meant for parameters: what it refers to must outlive it.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable, typename = std::enable_if_t<!std::is_same_v<std::decay_t<Callable>, FunctionRef>>>
  FunctionRef(Callable&& callable)  // NOLINT(google-explicit-constructor): so that a lambda is an argument
      : object_(&callable), call_([](const void* object, Arguments... arguments) -> Result {
          return (*static_cast<const std::remove_reference_t<Callable>*>(object))(arguments...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

 private:
  const void* object_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace hushbit

#endif  // HUSHBIT_FUNCTION_REF_H_
