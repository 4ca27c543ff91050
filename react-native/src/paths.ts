/** The path of a file on the device, also of a file: URL, which expo-file-system has. */
export const toPath = (place: string) =>
  typeof place === "string" && place.startsWith("file://") ? decodeURIComponent(place.slice("file://".length)) : place;
