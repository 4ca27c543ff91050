// Modules do not load from files: says so, where the page was opened as one. A classic script, since it does.

if (location.protocol === "file:") {
  const failure = /** @type {HTMLElement} */ (document.getElementById("failure"));
  failure.hidden = false;
  failure.textContent =
    "The playground has to come from a server: run “python3 -m http.server” in the folder above this one, and open " +
    "http://localhost:8000/playground/.";
}
