/* The film of a game kept as one file: play and pause, one position, one round, to the ends, by buttons and keys, and
   to a position by its link. Without scripts every position stands below the other: still the whole game. */
"use strict";
(() => {
  const STEP_MS = 1500;
  const steps = [...document.querySelectorAll(".step")], rounds = [...document.querySelectorAll("a[data-round]")];
  const range = document.getElementById("range"), play = document.querySelector("[data-film] > button");
  const before = document.getElementById("before"), after = document.getElementById("after");
  const place = (link) => steps.findIndex((step) => `#${step.id}` === link.hash);
  let timer = 0, at = steps.length - 1;

  const show = (n) => {
    at = Math.max(0, Math.min(steps.length - 1, n));
    steps.forEach((step, i) => { step.hidden = i !== at; });
    range.value = at;
    [before.disabled, after.disabled] = [at === 0, at === steps.length - 1];
    const now = rounds.findLastIndex((link) => place(link) <= at);
    rounds.forEach((link, i) => { if (i === now) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current"); });
    play.textContent = timer ? play.dataset.pause : play.dataset.play;
    play.setAttribute("aria-pressed", String(timer !== 0));
  };
  const go = (n) => { clearInterval(timer); timer = 0; show(n); };
  const round = (step) => {
    const now = rounds.findIndex((link) => link.ariaCurrent === "true") + step;
    return rounds.length ? place(rounds[Math.max(0, Math.min(rounds.length - 1, now))]) : at;
  };
  const toggle = () => {
    if (timer) return go(at);
    timer = setInterval(() => (at === steps.length - 1 ? go(at) : show(at + 1)), STEP_MS);
    show(at === steps.length - 1 ? 0 : at + 1);
  };

  range.max = steps.length - 1;
  before.addEventListener("click", () => go(at - 1));
  after.addEventListener("click", () => go(at + 1));
  range.addEventListener("input", () => go(Number(range.value)));
  play.addEventListener("click", toggle);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]'), n = link ? place(link) : -1;
    if (n < 0) return;
    event.preventDefault();
    go(n);
    document.querySelector(".slider").scrollIntoView();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === range || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === " " && /^(BUTTON|SUMMARY)$/.test(event.target.tagName)) return;
    const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), PageUp: () => go(round(-1)), PageDown: () => go(round(1)),
      Home: () => go(0), End: () => go(steps.length - 1), " ": toggle };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  document.documentElement.classList.add("js");
  document.querySelector(".slider").hidden = false;
  show(at);
})();
