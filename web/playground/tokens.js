// The tokens of a text as rows: what a reader sees as one character is one row.

/** @typedef {import("../src/index.js").Token} Token */

/**
 * Tokens in rows, those of one joined emoji together.
 * @param {string} text
 * @param {Token[]} tokens in their order
 * @param {number} most how many rows, at most
 * @returns {Token[][]}
 */
export function rowsOf(text, tokens, most) {
  /** @type {Token[][]} */
  const rows = [];
  const inside = insideOfCharacters(text, tokens[Math.min(4 * most, tokens.length) - 1]?.utf16End ?? 0);
  for (const token of tokens) {
    if (rows.length > 0 && inside(token.utf16Begin)) rows[rows.length - 1].push(token);
    else if (rows.length === most) break;
    else rows.push([token]);
  }
  return rows;
}

/**
 * Whether a place of a text is inside of a character as people see them.
 * @param {string} text
 * @param {number} end nothing is asked beyond
 * @returns {(at: number) => boolean}
 */
function insideOfCharacters(text, end) {
  if (Intl.Segmenter === undefined) return () => false;
  /** @type {Set<number>} */
  const inside = new Set();
  for (const { index, segment } of new Intl.Segmenter("en").segment(text.slice(0, end))) {
    for (let i = 1; i < segment.length; ++i) inside.add(index + i);
  }
  return (at) => inside.has(at);
}
