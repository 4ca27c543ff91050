// Which fields of a page may be shared privately. It fails closed: only what is known to be running text is allowed.

/**
 * Why a field is refused, or "allowed".
 * @typedef {"allowed" | "password" | "personal" | "not-text" | "no-suggestions" | "unknown"} Decision
 */

/** Kinds of `<input>` that hold running text. */
const TEXT_INPUTS = ["text"];
const TEXT_MODES = ["", "text"];
const SECRETS = ["current-password", "new-password", "one-time-code"];

/**
 * Judges a field by what it says of itself. Pages set these attributes carelessly, and an allowed field can still hold
 * a secret: so ask the person too, and show what will be sent.
 * @param {Element | null | undefined} field
 * @returns {Decision}
 */
export function fieldPolicy(field) {
  if (field instanceof HTMLInputElement) {
    if (field.type === "password") return "password";
    if (!TEXT_INPUTS.includes(field.type)) return "not-text";
  } else if (!(field instanceof HTMLTextAreaElement)) return "unknown";
  const reasons = [ofMasking(field), ofAutocomplete(field), ofMode(field), ofSuggestions(field)];
  return reasons.find((reason) => reason !== "allowed") ?? "allowed";
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** Dots in place of letters, by a style. @param {Field} field @returns {Decision} */
function ofMasking(field) {
  const masking = getComputedStyle(field).getPropertyValue("-webkit-text-security");
  return masking === "" || masking === "none" ? "allowed" : "password";
}

/** Every name of autofill stands for a secret, a person or a number. @param {Field} field @returns {Decision} */
function ofAutocomplete(field) {
  const inherited = field.form?.getAttribute("autocomplete") ?? "";
  const value = (field.getAttribute("autocomplete") ?? inherited).trim().toLowerCase();
  if (value === "" || value === "on") return "allowed";
  if (value === "off") return "no-suggestions";
  const names = value.split(/\s+/);
  return names.some((name) => SECRETS.includes(name) || name.startsWith("cc-")) ? "password" : "personal";
}

/** @param {Field} field @returns {Decision} */
function ofMode(field) {
  return TEXT_MODES.includes((field.getAttribute("inputmode") ?? "").toLowerCase()) ? "allowed" : "not-text";
}

/** Often codes and secrets. @param {Field} field @returns {Decision} */
function ofSuggestions(field) {
  const off = ["false", "off"];
  const says = (/** @type {string} */ name) => off.includes((field.getAttribute(name) ?? "").toLowerCase());
  return says("spellcheck") || says("autocorrect") ? "no-suggestions" : "allowed";
}
