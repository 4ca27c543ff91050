/// The errors of the sample itself.
enum SampleError: Error, Equatable {
    /// The keyboard cannot hand over texts to the app, because it may not write to their shared container.
    case requiresFullAccess
    /// The target has no app group, or a different one.
    case noSharedContainer
    /// The device key does not have 32 bytes.
    case damagedDeviceKey
}
