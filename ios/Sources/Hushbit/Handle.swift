import CHushbit

/// A native object. It is closed exactly once, when the last Swift object that holds it is deallocated.
///
/// Unchecked because a pointer is not `Sendable`; the C interface promises that bundles, privatizers and budgets may be
/// used from any number of threads, and nothing here changes after `init`.
final class Handle: @unchecked Sendable {
    private let pointer: OpaquePointer
    private let release: @Sendable (OpaquePointer) -> Void

    init(_ pointer: OpaquePointer, release: @escaping @Sendable (OpaquePointer) -> Void) {
        self.pointer = pointer
        self.release = release
    }

    deinit { release(pointer) }

    /// Runs `call` with the pointer, which stays valid until it returns.
    func use<Result>(_ call: (OpaquePointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try call(pointer) }
    }
}

/// A C struct to which later versions append fields, so its size is passed too.
protocol SizedStruct {
    init()
    var struct_size: UInt64 { get set }
}

extension hushbit_bundle_info: SizedStruct {}
extension hushbit_privatizer_options: SizedStruct {}
extension hushbit_privatizer_info: SizedStruct {}
extension hushbit_budget_limits: SizedStruct {}
extension hushbit_budget_state: SizedStruct {}
extension hushbit_cost: SizedStruct {}
extension hushbit_embedder_options: SizedStruct {}
extension hushbit_embedder_info: SizedStruct {}
extension hushbit_embedding: SizedStruct {}
extension hushbit_reporter_options: SizedStruct {}
extension hushbit_reporter_info: SizedStruct {}
extension hushbit_report: SizedStruct {}

/// An empty struct that C fills. Filling it cannot fail.
func sized<Struct: SizedStruct>(_: Struct.Type) -> Struct {
    var empty = Struct()
    empty.struct_size = UInt64(MemoryLayout<Struct>.size)
    return empty
}
