import CHushbit

#if canImport(Darwin)
@preconcurrency import Darwin
#else
import Foundation
#endif

/// Facts about the library and its process.
public enum HushbitRuntime {
    /// The version of the library, "major.minor.patch".
    public static var version: String { String(cString: hushbit_version()) }

    /// The memory of the whole process that counts against its limit, in bytes, or nil if the system does not report
    /// it. The system terminates a keyboard extension without a report at some tens of megabytes.
    ///
    /// On Apple's systems this is the physical footprint, on Linux the private dirty pages. Neither includes the
    /// read-only pages of a mapped bundle.
    public static var footprint: UInt64? {
        #if canImport(Darwin)
        var info = task_vm_info_data_t()
        var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
        let status = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return status == KERN_SUCCESS ? info.phys_footprint : nil
        #else
        guard let pages = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8) else { return nil }
        let line = pages.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }
        return kilobytes.map { $0 * 1024 }
        #endif
    }
}
