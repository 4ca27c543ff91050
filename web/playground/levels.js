// The stops of the slider, and what a reader guesses at most.

/**
 * A stop of the slider: the epsilon of a whole text, and that of each word where words are released.
 * tools/docs/playground_guesses measures at the same ones.
 */
export const LEVELS = [
  { text: 0.5, word: 2, name: "most private" },
  { text: 1, word: 4, name: "very private" },
  { text: 2, word: 6, name: "balanced" },
  { text: 4, word: 8, name: "useful" },
  { text: 6, word: 10, name: "most useful" },
];

/** The stop with the defaults of the library. */
export const USUAL = 2;

/**
 * How often any reader can be right, at most, who has one release and a list of texts, each as likely:
 * docs/attack-model.md has the proof.
 * @param {number} epsilon of the whole text
 * @param {number} texts how many are on the list
 */
export function rightAtMost(epsilon, texts) {
  return 1 / (1 + (texts - 1) * Math.exp(-epsilon));
}
