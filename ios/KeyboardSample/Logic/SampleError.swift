/// What the sample itself cannot do.
enum SampleError: Error, Equatable {
    /// Handing over to the app, by a keyboard that may not write to the container they share.
    case requiresFullAccess
    /// The target has no app group, or not the one that the sample looks for.
    case noSharedContainer
    /// The target has no english.hushbit among its resources.
    case noBundle
    /// The device key has not 32 bytes.
    case damagedDeviceKey
}
