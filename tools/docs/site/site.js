// What the theme's scripts add to a page, made accessible: buttons beside code are no landmarks, and what scrolls takes
// the keyboard.

const improve = () => {
  for (const buttons of document.querySelectorAll("nav.md-code__nav")) buttons.setAttribute("role", "none");
  for (const box of document.querySelectorAll("pre > code, .md-typeset__scrollwrap")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
};
new MutationObserver(improve).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", improve);
improve();
