#include "StandInRuntime.h"

#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hushbit::testing {

namespace jsi = facebook::jsi;

namespace {

struct Cell {
  virtual ~Cell() = default;
};

struct StringCell : Cell {
  explicit StringCell(std::string text) : utf8(std::move(text)) {}
  std::string utf8;
};

struct BigIntCell : Cell {
  explicit BigIntCell(uint64_t number) : value(number) {}
  uint64_t value;
};

struct ObjectCell : Cell {
  std::map<std::string, jsi::Value> properties;
  bool is_array = false;
  std::vector<jsi::Value> elements;
  std::shared_ptr<jsi::HostObject> host;
  jsi::HostFunctionType function;
  std::shared_ptr<jsi::MutableBuffer> buffer;
};

class Bytes : public jsi::MutableBuffer {
 public:
  explicit Bytes(std::string bytes) : bytes_(std::move(bytes)) {}
  size_t size() const override { return bytes_.size(); }
  uint8_t* data() override { return reinterpret_cast<uint8_t*>(bytes_.data()); }

 private:
  std::string bytes_;
};

[[noreturn]] void missing() { throw std::logic_error("the stand-in runtime has no such thing"); }

// Values count references; there is no other garbage collection.
class StandInRuntime final : public jsi::Runtime {
 public:
  StandInRuntime() : global_(createObject()) {
    const auto error = [](jsi::Runtime& rt, const jsi::Value&, const jsi::Value* arguments, size_t count) {
      jsi::Object object(rt);
      object.setProperty(rt, "name", "Error");
      object.setProperty(rt, "message", count < 1 ? jsi::Value() : jsi::Value(rt, arguments[0]));
      object.setProperty(rt, "stack", "");
      return jsi::Value(rt, object);
    };
    global_.setProperty(
        *this, "Error",
        jsi::Function::createFromHostFunction(*this, jsi::PropNameID::forAscii(*this, "Error"), 1, error));
  }

  jsi::Object global() override { return jsi::Value(*this, global_).getObject(*this); }
  std::string description() override { return "stand-in"; }
  bool isInspectable() override { return false; }

  jsi::Value evaluateJavaScript(const std::shared_ptr<const jsi::Buffer>&, const std::string&) override { missing(); }
  std::shared_ptr<const jsi::PreparedJavaScript> prepareJavaScript(const std::shared_ptr<const jsi::Buffer>&,
                                                                   std::string) override {
    missing();
  }
  jsi::Value evaluatePreparedJavaScript(const std::shared_ptr<const jsi::PreparedJavaScript>&) override { missing(); }
  void queueMicrotask(const jsi::Function&) override { missing(); }
  bool drainMicrotasks(int) override { return true; }

 protected:
  // ---- References ------------------------------------------------------------------------------------------------
  struct Reference final : PointerValue {
    explicit Reference(std::shared_ptr<Cell> kept) : cell(std::move(kept)) {}
    void invalidate() noexcept override { delete this; }
    std::shared_ptr<Cell> cell;
  };

  static PointerValue* copy(const PointerValue* value) {
    return new Reference(static_cast<const Reference*>(value)->cell);
  }
  PointerValue* cloneSymbol(const PointerValue* value) override { return copy(value); }
  PointerValue* cloneBigInt(const PointerValue* value) override { return copy(value); }
  PointerValue* cloneString(const PointerValue* value) override { return copy(value); }
  PointerValue* cloneObject(const PointerValue* value) override { return copy(value); }
  PointerValue* clonePropNameID(const PointerValue* value) override { return copy(value); }

  template <typename T>
  static T* cell(const jsi::Pointer& pointer) {
    return static_cast<T*>(static_cast<const Reference*>(getPointerValue(pointer))->cell.get());
  }
  template <typename T, typename Kept>
  static T made(std::shared_ptr<Kept> kept) {
    return make<T>(new Reference(std::move(kept)));
  }

  // ---- Names, strings, integers ----------------------------------------------------------------------------------
  static std::string spelled(const uint8_t* utf8, size_t length) {
    return std::string(reinterpret_cast<const char*>(utf8), length);
  }
  jsi::PropNameID createPropNameIDFromAscii(const char* text, size_t length) override {
    return made<jsi::PropNameID>(std::make_shared<StringCell>(std::string(text, length)));
  }
  jsi::PropNameID createPropNameIDFromUtf8(const uint8_t* utf8, size_t length) override {
    return made<jsi::PropNameID>(std::make_shared<StringCell>(spelled(utf8, length)));
  }
  jsi::PropNameID createPropNameIDFromString(const jsi::String& text) override {
    return made<jsi::PropNameID>(std::make_shared<StringCell>(utf8(text)));
  }
  jsi::PropNameID createPropNameIDFromSymbol(const jsi::Symbol&) override { missing(); }
  std::string utf8(const jsi::PropNameID& name) override { return cell<StringCell>(name)->utf8; }
  bool compare(const jsi::PropNameID& a, const jsi::PropNameID& b) override { return utf8(a) == utf8(b); }
  std::string symbolToString(const jsi::Symbol&) override { missing(); }

  jsi::BigInt createBigIntFromInt64(int64_t) override { missing(); }
  jsi::BigInt createBigIntFromUint64(uint64_t value) override {
    return made<jsi::BigInt>(std::make_shared<BigIntCell>(value));
  }
  bool bigintIsInt64(const jsi::BigInt& value) override { return cell<BigIntCell>(value)->value < uint64_t{1} << 63; }
  bool bigintIsUint64(const jsi::BigInt&) override { return true; }
  uint64_t truncate(const jsi::BigInt& value) override { return cell<BigIntCell>(value)->value; }
  jsi::String bigintToString(const jsi::BigInt&, int) override { missing(); }

  jsi::String createStringFromAscii(const char* text, size_t length) override {
    return made<jsi::String>(std::make_shared<StringCell>(std::string(text, length)));
  }
  jsi::String createStringFromUtf8(const uint8_t* utf8, size_t length) override {
    return made<jsi::String>(std::make_shared<StringCell>(spelled(utf8, length)));
  }
  std::string utf8(const jsi::String& text) override { return cell<StringCell>(text)->utf8; }

  // ---- Objects ---------------------------------------------------------------------------------------------------
  jsi::Object createObject() override { return made<jsi::Object>(std::make_shared<ObjectCell>()); }
  jsi::Object createObject(std::shared_ptr<jsi::HostObject> host) override {
    auto object = std::make_shared<ObjectCell>();
    object->host = std::move(host);
    return made<jsi::Object>(std::move(object));
  }
  std::shared_ptr<jsi::HostObject> getHostObject(const jsi::Object& object) override {
    return cell<ObjectCell>(object)->host;
  }
  jsi::HostFunctionType& getHostFunction(const jsi::Function& function) override {
    return cell<ObjectCell>(function)->function;
  }
  bool hasNativeState(const jsi::Object&) override { return false; }
  std::shared_ptr<jsi::NativeState> getNativeState(const jsi::Object&) override { missing(); }
  void setNativeState(const jsi::Object&, std::shared_ptr<jsi::NativeState>) override { missing(); }

  jsi::Value getProperty(const jsi::Object& object, const jsi::PropNameID& name) override {
    ObjectCell* it = cell<ObjectCell>(object);
    if (it->host != nullptr) return it->host->get(*this, name);
    const auto found = it->properties.find(utf8(name));
    return found == it->properties.end() ? jsi::Value() : jsi::Value(*this, found->second);
  }
  jsi::Value getProperty(const jsi::Object& object, const jsi::String& name) override {
    return getProperty(object, createPropNameIDFromString(name));
  }
  bool hasProperty(const jsi::Object& object, const jsi::PropNameID& name) override {
    return cell<ObjectCell>(object)->properties.count(utf8(name)) != 0;
  }
  bool hasProperty(const jsi::Object& object, const jsi::String& name) override {
    return hasProperty(object, createPropNameIDFromString(name));
  }
  void setPropertyValue(const jsi::Object& object, const jsi::PropNameID& name, const jsi::Value& value) override {
    ObjectCell* it = cell<ObjectCell>(object);
    if (it->host != nullptr) return it->host->set(*this, name, value);
    it->properties[utf8(name)] = jsi::Value(*this, value);
  }
  void setPropertyValue(const jsi::Object& object, const jsi::String& name, const jsi::Value& value) override {
    setPropertyValue(object, createPropNameIDFromString(name), value);
  }
  bool isArray(const jsi::Object& object) const override { return cell<ObjectCell>(object)->is_array; }
  bool isArrayBuffer(const jsi::Object& object) const override { return cell<ObjectCell>(object)->buffer != nullptr; }
  bool isFunction(const jsi::Object& object) const override { return cell<ObjectCell>(object)->function != nullptr; }
  bool isHostObject(const jsi::Object& object) const override { return cell<ObjectCell>(object)->host != nullptr; }
  bool isHostFunction(const jsi::Function& function) const override { return isFunction(function); }
  jsi::Array getPropertyNames(const jsi::Object& object) override {
    std::vector<std::string> names;
    ObjectCell* it = cell<ObjectCell>(object);
    for (const auto& [name, value] : it->properties) names.push_back(name);
    if (it->host != nullptr) {
      for (const jsi::PropNameID& name : it->host->getPropertyNames(*this)) names.push_back(utf8(name));
    }
    jsi::Array array = createArray(names.size());
    for (size_t i = 0; i < names.size(); ++i) array.setValueAtIndex(*this, i, names[i]);
    return array;
  }
  jsi::WeakObject createWeakObject(const jsi::Object&) override { missing(); }
  jsi::Value lockWeakObject(const jsi::WeakObject&) override { missing(); }

  // ---- Arrays and buffers ----------------------------------------------------------------------------------------
  jsi::Array createArray(size_t length) override {
    auto array = std::make_shared<ObjectCell>();
    array->is_array = true;
    array->elements.resize(length);
    return made<jsi::Object>(std::move(array)).getArray(*this);
  }
  jsi::ArrayBuffer createArrayBuffer(std::shared_ptr<jsi::MutableBuffer> buffer) override {
    auto object = std::make_shared<ObjectCell>();
    object->buffer = std::move(buffer);
    return made<jsi::Object>(std::move(object)).getArrayBuffer(*this);
  }
  size_t size(const jsi::Array& array) override { return cell<ObjectCell>(array)->elements.size(); }
  size_t size(const jsi::ArrayBuffer& buffer) override { return cell<ObjectCell>(buffer)->buffer->size(); }
  uint8_t* data(const jsi::ArrayBuffer& buffer) override { return cell<ObjectCell>(buffer)->buffer->data(); }
  jsi::Value getValueAtIndex(const jsi::Array& array, size_t i) override {
    return jsi::Value(*this, cell<ObjectCell>(array)->elements.at(i));
  }
  void setValueAtIndexImpl(const jsi::Array& array, size_t i, const jsi::Value& value) override {
    cell<ObjectCell>(array)->elements.at(i) = jsi::Value(*this, value);
  }

  // ---- Functions -------------------------------------------------------------------------------------------------
  jsi::Function createFunctionFromHostFunction(const jsi::PropNameID&, unsigned int,
                                               jsi::HostFunctionType function) override {
    auto object = std::make_shared<ObjectCell>();
    object->function = std::move(function);
    return made<jsi::Object>(std::move(object)).getFunction(*this);
  }
  jsi::Value call(const jsi::Function& function, const jsi::Value& self, const jsi::Value* arguments,
                  size_t count) override {
    return cell<ObjectCell>(function)->function(*this, self, arguments, count);
  }
  jsi::Value callAsConstructor(const jsi::Function& function, const jsi::Value* arguments, size_t count) override {
    return call(function, jsi::Value(), arguments, count);
  }

  bool strictEquals(const jsi::Symbol&, const jsi::Symbol&) const override { missing(); }
  bool strictEquals(const jsi::BigInt& a, const jsi::BigInt& b) const override {
    return cell<BigIntCell>(a)->value == cell<BigIntCell>(b)->value;
  }
  bool strictEquals(const jsi::String& a, const jsi::String& b) const override {
    return cell<StringCell>(a)->utf8 == cell<StringCell>(b)->utf8;
  }
  bool strictEquals(const jsi::Object& a, const jsi::Object& b) const override {
    return cell<ObjectCell>(a) == cell<ObjectCell>(b);
  }
  bool instanceOf(const jsi::Object&, const jsi::Function&) override { missing(); }
  void setExternalMemoryPressure(const jsi::Object&, size_t) override {}

 private:
  jsi::Object global_;
};

}  // namespace

std::unique_ptr<jsi::Runtime> make_stand_in_runtime() { return std::make_unique<StandInRuntime>(); }

jsi::Object make_uint8_array(jsi::Runtime& rt, const std::string& bytes) {
  const size_t offset = 3;
  jsi::Object array(rt);
  const auto buffer = std::make_shared<Bytes>(std::string(offset, 'x') + bytes + "yz");
  array.setProperty(rt, "buffer", jsi::ArrayBuffer(rt, buffer));
  array.setProperty(rt, "byteOffset", static_cast<double>(offset));
  array.setProperty(rt, "byteLength", static_cast<double>(bytes.size()));
  return array;
}

}  // namespace hushbit::testing
