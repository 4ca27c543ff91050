// A screen that shows what would be sent of a text, before it is sent, and what was spent today. It needs the config
// plugin and expo-file-system.

import { useEffect, useState } from "react";
import { File, Paths } from "expo-file-system";
import { Button, StyleSheet, Text, TextInput, View } from "react-native";
import { Budget, type Bundle, type PrivatizedText, type Privatizer, isHushbitError } from "hushbit-react-native";
import { loadEnglish } from "hushbit-react-native/english";

const WORST_CASE_PER_DAY = 500; // about 80 words

interface Opened {
  bundle: Bundle;
  budget: Budget;
  privatizer: Privatizer;
}

async function open(): Promise<Opened> {
  // The app must keep this file out of backups: restoring an old ledger would undo what was spent.
  const ledger = new File(Paths.document, "hushbit-budget");
  const budget = await Budget.open(ledger.uri, { worstCasePerDay: WORST_CASE_PER_DAY });
  const bundle = await loadEnglish();
  return { bundle, budget, privatizer: bundle.privatizer({ budget }) };
}

function close({ bundle, budget }: Opened) {
  bundle.dispose();
  budget.dispose();
}

/** The English words and the budget while the screen is shown. */
function useHushbit(onError: (message: string) => void): Opened | undefined {
  const [opened, setOpened] = useState<Opened>();
  useEffect(() => {
    let current: Opened | undefined;
    let shown = true;
    open().then(
      (now) => {
        if (!shown) return close(now);
        current = now;
        setOpened(now);
      },
      (error) => onError(isHushbitError(error) ? error.message : "the English words are missing in this app"),
    );
    return () => {
      shown = false;
      if (current !== undefined) close(current);
    };
  }, [onError]);
  return opened;
}

export default function Screen() {
  const [message, setMessage] = useState("");
  const [text, setText] = useState("");
  const [released, setReleased] = useState<PrivatizedText>();
  const [spent, setSpent] = useState<number>();
  const hushbit = useHushbit(setMessage);

  // Drawn once for a text: whoever sees several draws of one text learns more.
  const draw = async () => {
    try {
      setReleased(await hushbit?.privatizer.privatize(text));
      setSpent((await hushbit?.budget.state())?.worstCaseToday);
    } catch (error) {
      const exhausted = isHushbitError(error) && error.status === "BUDGET_EXHAUSTED";
      setMessage(exhausted ? "nothing more is sent today" : "this text could not be made private");
    }
  };

  const change = (typed: string) => {
    setText(typed);
    setReleased(undefined);
    if (hushbit !== undefined) setMessage("");
  };

  return (
    <View style={styles.screen}>
      <TextInput accessibilityLabel="Your text" multiline onChangeText={change} style={styles.input} value={text} />
      <Button disabled={hushbit === undefined || released !== undefined} onPress={draw} title="Make private" />
      <Text accessibilityLiveRegion="polite">{released?.text ?? message}</Text>
      {released && <Text>Worst case of this text: ε = {released.cost.worstCase.toFixed(1)}</Text>}
      {spent !== undefined && (
        <Text>
          Spent today: {spent.toFixed(1)} of {WORST_CASE_PER_DAY}
        </Text>
      )}
    </View>
  );
}

const styles = StyleSheet.create({
  screen: { flex: 1, gap: 12, padding: 24 },
  input: { borderWidth: 1, minHeight: 96, padding: 12 },
});
