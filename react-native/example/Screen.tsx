// A screen that shows what would be sent of a text, before it is sent. It needs the config plugin and expo-file-system.

import { useEffect, useState } from "react";
import { Button, StyleSheet, Text, TextInput, View } from "react-native";
import { type Bundle, type Privatizer, type PrivatizedText, isHushbitError } from "hushbit-react-native";
import { loadEnglish } from "hushbit-react-native/english";

/** The English words while the screen is shown. */
function usePrivatizer(onError: (message: string) => void): Privatizer | undefined {
  const [privatizer, setPrivatizer] = useState<Privatizer>();
  useEffect(() => {
    let bundle: Bundle | undefined;
    let shown = true;
    loadEnglish().then(
      (opened) => {
        if (!shown) return opened.dispose();
        bundle = opened;
        setPrivatizer(opened.privatizer());
      },
      (error) => onError(isHushbitError(error) ? error.message : "the English words are missing in this app"),
    );
    return () => {
      shown = false;
      bundle?.dispose();
    };
  }, [onError]);
  return privatizer;
}

export default function Screen() {
  const [message, setMessage] = useState("");
  const [text, setText] = useState("");
  const [released, setReleased] = useState<PrivatizedText>();
  const privatizer = usePrivatizer(setMessage);

  // Drawn once for a text: whoever sees several draws of one text learns more.
  const draw = async () => {
    try {
      setReleased(await privatizer?.privatize(text));
    } catch (error) {
      setMessage(isHushbitError(error) ? error.message : "this text could not be made private");
    }
  };

  const change = (typed: string) => {
    setText(typed);
    setReleased(undefined);
  };

  return (
    <View style={styles.screen}>
      <TextInput accessibilityLabel="Your text" multiline onChangeText={change} style={styles.input} value={text} />
      <Button disabled={privatizer === undefined || released !== undefined} onPress={draw} title="Make private" />
      <Text accessibilityLiveRegion="polite">{released?.text ?? message}</Text>
      {released && <Text>Worst case of this text: ε = {released.cost.worstCase.toFixed(1)}</Text>}
    </View>
  );
}

const styles = StyleSheet.create({
  screen: { flex: 1, gap: 12, padding: 24 },
  input: { borderWidth: 1, minHeight: 96, padding: 12 },
});
