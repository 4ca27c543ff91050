// Sums of costs.

/**
 * The sum of two worst cases, which are numbers of millionths: exactly, as in the core. 18.1 + 18.1 + 17.8 is 54.
 * @param {number} one
 * @param {number} other
 */
export function sumOfCosts(one, other) {
  return (Math.round(one * 1e6) + Math.round(other * 1e6)) / 1e6;
}
