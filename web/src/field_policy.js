// Decides which fields of a page may be shared privately. It fails closed: only fields that are known to contain
// running text are allowed.

/**
 * Why a field is refused, or "allowed".
 * @typedef {"allowed" | "password" | "personal" | "not-text" | "no-suggestions" | "unknown"} Decision
 */

/** Kinds of `<input>` that contain running text. */
const TEXT_INPUTS = ["text"];
const TEXT_MODES = ["", "text"];
const SECRETS = ["current-password", "new-password", "one-time-code"];

/**
 * Evaluates a field by its attributes. Pages set them carelessly, and an allowed field can still contain a secret. So
 * ask the user as well, and show what will be sent.
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

/** Whether a style shows dots instead of letters. @param {Field} field @returns {Decision} */
function ofMasking(field) {
  const masking = getComputedStyle(field).getPropertyValue("-webkit-text-security");
  return masking === "" || masking === "none" ? "allowed" : "password";
}

/** Every autofill name means a secret, a person or a number. @param {Field} field @returns {Decision} */
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
