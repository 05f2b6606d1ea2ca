/* What the pages do beyond HTML: picking on the board, the history slider, focus after a part was replaced.
   Every page works without it. No state is kept here; the form's fields are the truth. */
"use strict";
(() => {
  if (window.htmx) document.documentElement.classList.add("js"); // else the buttons that need no script stay
  const SVG = "http://www.w3.org/2000/svg";
  const besideIt = matchMedia("(min-width: 900px)"); // the form stands beside the board, else below it
  const quote = (text) => CSS.escape(text);

  /* The board: elements that stand for a choice can be clicked, focused and chosen with Enter or Space. */
  const inputsFor = (form, target) => [...form.querySelectorAll(`[data-target="${quote(target)}"]`)];

  const nameOf = (shape, inputs) => {
    const title = shape.querySelector("title");
    const label = inputs.length === 1 ? inputs[0].closest("label") : inputs[0].closest("fieldset, .field");
    const said = inputs.length === 1 ? label : label && label.querySelector("legend, label");
    const spoken = inputs.length === 1 && inputs[0].getAttribute("aria-label");
    if (spoken) return spoken;
    const words = said ? said.innerText.replace(/\s+/g, " ").trim() : "";
    return words || (title ? title.textContent : "");
  };

  const ring = (shape) => {
    const box = shape.getBBox();
    const frame = document.createElementNS(SVG, "rect");
    frame.setAttribute("class", "pick-ring");
    const set = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4, rx: 6 };
    for (const [name, value] of Object.entries(set)) frame.setAttribute(name, String(value));
    shape.append(frame);
  };

  const choose = (form, target) => {
    const inputs = inputsFor(form, target).filter((input) => !input.disabled);
    if (!inputs.length) return;
    const ticked = inputs.findIndex((input) => input.checked);
    if (inputs[0].type === "checkbox" && inputs.length === 1) inputs[0].checked = !inputs[0].checked;
    else if (inputs[0].type === "radio") inputs[(ticked + 1) % inputs.length].checked = true;
    else { inputs[0].focus(); return; }
    const now = inputs.find((input) => input.checked) || inputs[0];
    now.dispatchEvent(new Event("change", { bubbles: true }));
    const line = now.closest(".choice, .chips");
    if (line && besideIt.matches) line.scrollIntoView({ block: "nearest" }); // below it, the board stays in sight
  };

  const refresh = (form, board) => {
    for (const shape of board.querySelectorAll(".pickable")) {
      const ticked = inputsFor(form, shape.dataset.target).some((input) => input.checked);
      shape.classList.toggle("picked", ticked);
      shape.setAttribute("aria-pressed", String(ticked));
    }
  };

  const wireBoard = () => {
    const form = document.querySelector("form.decide");
    const board = document.querySelector(".board .parts");
    if (!form || !board || form.dataset.wired) return;
    form.dataset.wired = "yes";
    const targets = new Set([...form.querySelectorAll("[data-target]")].map((input) => input.dataset.target));
    let any = false;
    for (const shape of board.querySelectorAll("[data-target]")) {
      if (!targets.has(shape.dataset.target)) continue;
      any = true;
      shape.classList.add("pickable");
      shape.setAttribute("tabindex", "0");
      shape.setAttribute("role", "button");
      shape.setAttribute("aria-label", nameOf(shape, inputsFor(form, shape.dataset.target)));
      ring(shape);
      shape.addEventListener("click", () => choose(form, shape.dataset.target));
      shape.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose(form, shape.dataset.target);
      });
    }
    if (any) for (const svg of board.querySelectorAll("svg[role=img]:has(.pickable)")) svg.setAttribute("role", "group");
    form.addEventListener("change", () => refresh(form, board));
    form.addEventListener("pointerover", (event) => light(board, event.target, true));
    form.addEventListener("pointerout", (event) => light(board, event.target, false));
    refresh(form, board);
  };

  /* Who listens to the board hears its description, its choices and its numbers, not every letter drawn on it. */
  const hush = () => {
    for (const text of document.querySelectorAll(".board svg[role=group] text")) {
      if (!text.closest("a, .pickable")) text.setAttribute("aria-hidden", "true");
    }
  };

  const light = (board, element, on) => {
    const line = element.closest("[data-for]");
    if (!line) return;
    const shape = board.querySelector(`[data-target="${quote(line.dataset.for)}"].pickable`);
    if (shape) shape.classList.toggle("picked", on || line.querySelector("input").checked);
  };

  /* The history slider: a range instead of a count of links; moving it fetches that position. */
  const wireSlider = () => {
    for (const track of document.querySelectorAll(".slider-track[data-slider]")) {
      if (track.dataset.wired) continue;
      track.dataset.wired = "yes";
      const range = document.createElement("input");
      range.type = "range";
      range.min = "0";
      range.max = track.dataset.last;
      range.value = track.dataset.at;
      range.setAttribute("aria-label", track.dataset.label);
      range.setAttribute("aria-valuetext", track.textContent.trim());
      range.addEventListener("change", () => {
        const href = track.dataset.slider.replace(/\/0$/, `/${range.value}`);
        const link = document.createElement("a");
        link.href = href;
        track.append(link);
        htmx.ajax("GET", href, { target: "#position", select: "#position", swap: "outerHTML", push: "true" });
      });
      track.replaceChildren(range);
    }
  };

  /* Beside the board the form is as high as the window shows of it, so that the button at its end is always in sight. */
  const LEAST = 384;
  const fit = () => {
    for (const column of document.querySelectorAll(".two > .sticky:has(.sendbar)")) {
      const room = innerHeight - Math.max(column.getBoundingClientRect().top, 16) - 16;
      column.style.maxHeight = besideIt.matches ? `${Math.max(room, LEAST)}px` : "";
    }
  };
  addEventListener("scroll", fit, { passive: true });
  addEventListener("resize", fit, { passive: true });

  /* Focus goes to what is new: a refusal, else the new page's content. */
  const wire = () => { wireBoard(); hush(); wireSlider(); fit(); };
  document.addEventListener("htmx:after:swap", () => {
    wire();
    const faults = document.getElementById("faults");
    const asleep = !document.activeElement || document.activeElement === document.body;
    if (faults && !faults.closest("#preview")) faults.focus();
    else if (asleep) document.getElementById("main")?.focus({ preventScroll: true });
  });
  document.addEventListener("DOMContentLoaded", wire);
  if (document.readyState !== "loading") wire();
})();
