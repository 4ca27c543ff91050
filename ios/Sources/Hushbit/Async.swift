import Dispatch
import Foundation

// Async variants of slow calls, for callers that must not block. They run on a queue of the system, since a thread of
// Swift's pool must not wait for a disk.

extension HushbitBundle {
    /// ``init(url:)`` on a background queue.
    ///
    /// - Throws: what ``init(url:)`` throws, or `CancellationError` if the task was canceled before the call began.
    public static func open(url: URL) async throws -> HushbitBundle {
        try await inBackground { try HushbitBundle(url: url) }
    }

    /// ``verify()`` on a background queue.
    public func verifyInBackground() async throws {
        try await inBackground { try self.verify() }
    }
}

extension Privatizer {
    /// ``privatize(_:)`` on a background queue.
    ///
    /// A call that has begun is not interrupted if its task is canceled. With a budget the cost of the text stays
    /// spent.
    ///
    /// - Throws: ``HushbitError``, or `CancellationError` if the task was canceled before the call began; in both cases
    ///   nothing is released.
    public func privatizeInBackground(_ text: String) async throws -> PrivatizedText {
        try await inBackground { try self.privatize(text) }
    }
}

private func inBackground<Value: Sendable>(_ call: @escaping @Sendable () throws -> Value) async throws -> Value {
    try Task.checkCancellation()
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, Error>) in
        DispatchQueue.global(qos: .userInitiated).async {
            continuation.resume(with: Result { try call() })
        }
    }
}
