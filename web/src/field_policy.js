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
/** Attributes that turn suggestions off. They hold for everything inside an element, too. */
const SUGGESTIONS = ["spellcheck", "autocorrect", "writingsuggestions"];
/** What a field for a secret or a number of a person is called: words, and parts of words. */
const SECRET_WORDS = [
  ...["pass", "password", "passwd", "passphrase", "passcode", "pwd", "pin", "otp", "mfa", "2fa", "totp", "tan"],
  ...["cvv", "cvv2", "cvc", "cvc2", "csc", "secret", "token", "ssn", "iban", "bic"],
];
const SECRET_PARTS = [
  ...["password", "card.?num", "card.?no", "credit.?card", "security.?code", "security.?answer", "one.?time"],
  ...["verification.?code", "social.?security", "account.?num", "api.?key", "private.?key", "seed.?phrase"],
];
/** The same in other languages: what forms ask for most, passwords, codes and cards. */
const FOREIGN_WORDS = "passwort kennwort geheimzahl clave senha parola heslo passord";
const FOREIGN_PARTS = `
  mot.de.passe code.secret carte.bancaire num[eé]ro.de.carte code.de.v[eé]rification contrase[nñ]a
  n[uú]mero.de.(la.)?tarjeta c[oó]digo.de.(verificaci|seguran|segurid) n[uú]mero.do.cart numero.(della.)?carta
  codice.(di|pin) kartennummer kreditkarte kontonummer pr[uü]fnummer wachtwoord hasło şifre lösenord salasana
  adgangskode jelszó mật.khẩu kata.sandi парол пин.?код номер.карт код.подтв κωδικ סיסמה كلمة.(المرور|السر)
  पासवर्ड รหัสผ่าน 密码 密碼 验证码 驗證碼 卡号 卡號 パスワード 暗証番号 認証コード カード番号 비밀번호 인증번호 카드번호
`;
const WORDS = [...SECRET_WORDS, ...FOREIGN_WORDS.split(" ")].join("|");
const PARTS = [...SECRET_PARTS, ...FOREIGN_PARTS.trim().split(/\s+/)].join("|");
const SECRET_NAME = new RegExp(`(^|[^a-z])(${WORDS})([^a-z]|$)|${PARTS}`, "iu");

/**
 * Fields that were passwords once. A button that shows a password makes it a field of text.
 * @type {WeakSet<Element>}
 */
const passwords = new WeakSet();
const changes = globalThis.MutationObserver === undefined ? undefined : new MutationObserver(remember);
if (globalThis.document !== undefined) {
  changes?.observe(document, { subtree: true, attributeFilter: ["type"], attributeOldValue: true });
  for (const field of document.querySelectorAll("input[type=password]")) passwords.add(field);
}

/** @param {MutationRecord[]} records */
function remember(records) {
  for (const { target, oldValue } of records) {
    if (oldValue?.trim().toLowerCase() === "password") passwords.add(/** @type {Element} */ (target));
  }
}

/**
 * Evaluates a field by its attributes, those of what it is in, its name, and what it has been. Pages set them
 * carelessly, and an allowed field can still contain a secret. So ask the user as well, and show what will be sent.
 * @param {Element | null | undefined} field
 * @returns {Decision}
 */
export function fieldPolicy(field) {
  remember(changes?.takeRecords() ?? []);
  if (field instanceof HTMLInputElement) {
    if (field.type === "password") passwords.add(field);
    if (passwords.has(field)) return "password";
    if (!TEXT_INPUTS.includes(field.type)) return "not-text";
  } else if (!(field instanceof HTMLTextAreaElement)) return "unknown";
  const reasons = [ofMasking(field), ofAutocomplete(field), ofName(field), ofMode(field), ofSuggestions(field)];
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

/** What the page and its labels call the field. @param {Field} field @returns {Decision} */
function ofName(field) {
  const labels = Array.from(field.labels ?? [], (label) => label.textContent ?? "");
  const names = ["name", "id", "placeholder", "aria-label"].map((name) => field.getAttribute(name) ?? "");
  const called = [...names, ...labels].map((name) => name.replace(/([a-z])([A-Z])/g, "$1 $2"));
  return called.some((name) => SECRET_NAME.test(name)) ? "password" : "allowed";
}

/** @param {Field} field @returns {Decision} */
function ofMode(field) {
  return TEXT_MODES.includes((field.getAttribute("inputmode") ?? "").toLowerCase()) ? "allowed" : "not-text";
}

/** Often codes and secrets. @param {Field} field @returns {Decision} */
function ofSuggestions(field) {
  const off = ["false", "off"];
  const says = (/** @type {string} */ name) =>
    off.includes((field.closest(`[${name}]`)?.getAttribute(name) ?? "").toLowerCase());
  return SUGGESTIONS.some(says) ? "no-suggestions" : "allowed";
}
