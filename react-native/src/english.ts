// The built-in English words, which the config plugin put into the app.

import { File, Paths } from "expo-file-system";
import { Platform } from "react-native";
import { type Bundle, load } from "./index";

const NAME = "english.hushbit";

/**
 * Opens the built-in English words. On iOS they are mapped where they are. On Android they are compressed in the app:
 * this unpacks them to a file in the cache, 4 MB, and deletes it once it is mapped.
 */
export async function loadEnglish(): Promise<Bundle> {
  const words = new File(Paths.bundle, NAME);
  if (Platform.OS !== "android") return load(words.uri);
  const copy = new File(Paths.cache, `${Date.now()}-${NAME}`);
  try {
    await words.copy(copy);
    return await load(copy.uri);
  } finally {
    if (copy.exists) copy.delete();
  }
}
