/* The history as a film: play and pause by button or space, one step by the arrow keys, a round by the page keys, the
   ends by Home and End, any position by a slider. It moves by following the page's own links, so that every picture has its address; without scripts these links are all there is. */
(() => {
  const STEP_MS = 1500;
  let timer = 0;

  const track = () => document.querySelector("[data-film]");
  const link = (rel) => document.querySelector(`#position a[rel="${rel}"]`);
  const goTo = (href) => htmx.ajax("GET", href, { source: "#position", target: "#position", select: "#position", swap: "outerHTML", push: "true" });
  /* A range instead of the count of positions. */
  const wireSlider = () => {
    const bar = document.querySelector(".slider-track[data-slider]:not(:has(input))");
    if (!bar) return;
    const range = document.createElement("input");
    range.type = "range";
    range.min = "0";
    range.max = bar.dataset.last;
    range.value = bar.dataset.at;
    range.setAttribute("aria-label", bar.dataset.label);
    range.setAttribute("aria-valuetext", bar.textContent.trim());
    range.addEventListener("change", () => goTo(bar.dataset.slider.replace(/\/0$/, `/${range.value}`)));
    bar.replaceChildren(range);
  };
  const round = (step) => {
    const starts = [...document.querySelectorAll("#position a[data-round]")];
    const now = starts.findIndex((a) => a.ariaCurrent === "true");
    return starts[Math.max(0, Math.min(starts.length - 1, now + step))]?.href;
  };
  const playing = () => timer !== 0;

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    show();
  };
  const next = () => {
    const on = link("next");
    if (!on) return stop();
    timer = setTimeout(next, STEP_MS);
    goTo(on.href);
  };
  const toggle = () => {
    if (playing()) return stop();
    const first = link("next") ? null : track()?.dataset.film;
    timer = setTimeout(next, first ? STEP_MS : 0);
    if (first) goTo(first);
    show();
  };

  const show = () => {
    const button = track()?.querySelector("button");
    if (!button) return;
    button.textContent = playing() ? button.dataset.pause : button.dataset.play;
    button.setAttribute("aria-pressed", String(playing()));
  };

  document.addEventListener("click", (event) => { if (event.target.closest("[data-film] > button")) toggle(); });
  addEventListener("keydown", (event) => {
    if (!track() || event.altKey || event.ctrlKey || event.metaKey || /INPUT|TEXTAREA|SELECT/.test(event.target.tagName)) return;
    const bar = track().dataset;
    if (event.key === " " && !/^(BUTTON|SUMMARY)$/.test(event.target.tagName)) { event.preventDefault(); return toggle(); }
    const href = { ArrowLeft: link("prev")?.href, ArrowRight: link("next")?.href, Home: bar.film, End: bar.end,
      PageUp: round(-1), PageDown: round(1) }[event.key];
    if (href) { event.preventDefault(); stop(); goTo(href); }
  });
  const wire = () => { wireSlider(); show(); };
  document.addEventListener("htmx:after:swap", wire);
  document.addEventListener("DOMContentLoaded", wire);
})();
