/* What the pages do beyond HTML: picking on the board, focus after a part was replaced.
   Every page works without it. No state is kept here; the form's fields are the truth. */
"use strict";
(() => {
  if (window.htmx) document.documentElement.classList.add("js"); // else the buttons that need no script stay
  const SVG = "http://www.w3.org/2000/svg";
  const besideIt = matchMedia("(min-width: 900px)"); // the form stands beside the board, else below it
  const quote = (text) => CSS.escape(text);

  /* A time zone nobody has named yet: the browser's own is offered, and counts once the form is sent. */
  const guessZone = () => {
    const field = document.querySelector("select[data-guess=zone]");
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (field?.value === "UTC" && [...field.options].some((one) => one.value === own)) field.value = own;
  };

  /* What of a form is shown and lit together with an input: the numbers of one thing with its name, else its line. */
  const partOf = (input) => input.closest(".kin") || input.closest(".choice, .chips, .field");

  /* The board: elements that stand for a choice can be clicked, focused and chosen with Enter or Space. */
  const inputsFor = (form, target) => [...form.querySelectorAll(`[data-target="${quote(target)}"]`)];

  const nameOf = (shape, inputs) => {
    const title = shape.querySelector("title");
    const spoken = inputs.length === 1 && inputs[0].getAttribute("aria-label");
    if (spoken) return spoken;
    const label = inputs.length === 1 && inputs[0].closest("label");
    const words = label ? label.innerText.replace(/\s+/g, " ").trim() : "";
    const thing = /^\d/.test(words) && label.closest(".field").querySelector("legend"); // what a bare number counts
    if (thing) return `${thing.textContent.trim()}, ${words}`;
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

  /* A tap on the board chooses what it can only mean; else what belongs there is offered, and the focus goes to it.
     From the keyboard the focus goes there in any case: the place itself may be drawn anew, and would lose it. */
  const choose = (form, target, isByKey) => {
    const inputs = inputsFor(form, target).filter((input) => !input.disabled);
    const isPlain = inputs.length === 1 && inputs[0].type !== "select-one";
    form.dataset.focus = target;
    if (isPlain) {
      inputs[0].checked = inputs[0].type === "radio" || !inputs[0].checked;
      inputs[0].dispatchEvent(new Event("change", { bubbles: true }));
    }
    arrange(form);
    const first = inputs[0] || withinOf(form, target)[0];
    const line = first && partOf(first);
    if (!line) return;
    if (besideIt.matches) line.scrollIntoView({ block: "nearest" });
    else line.closest(".sheet-body")?.scrollTo({ top: 0 });
    if (!isPlain || isByKey) first.focus({ preventScroll: true });
  };

  const withinOf = (form, target) => [...form.querySelectorAll(`[data-within="${quote(target)}"]`)];

  const refresh = (form, board) => {
    for (const shape of board.querySelectorAll(".pickable")) {
      const meant = [...inputsFor(form, shape.dataset.target), ...withinOf(form, shape.dataset.target)];
      const ticked = meant.some((input) => input.checked);
      shape.classList.toggle("picked", ticked);
      shape.setAttribute("aria-pressed", String(ticked));
    }
  };

  /* Below the board the form is a sheet at the thumb: a few choices all at once, of many those that were pointed at.
     Who opened a part of it, or asked for everything, reads the list; beside the board what was pointed at is lit. */
  const ownOf = (sheet, parts) => [...sheet.querySelectorAll(parts)].filter((one) => !one.closest("#onward"));
  /* Whether the first thing asked can be pointed at on the board; if not, its list stays, however long it is. */
  const isOnBoard = (sheet) => {
    const inputs = ownOf(sheet, ".field")[0]?.querySelectorAll("[data-target], [data-within]") || [];
    return [...inputs].some((input) => document.querySelector(`.board [data-target="${quote(input.dataset.target || input.dataset.within)}"]`));
  };
  const arrange = (form) => {
    const sheet = form.querySelector(".sheet-body");
    if (!sheet) return;
    const target = form.dataset.focus || "";
    const isListed = form.classList.contains("all") || sheet.querySelector("details.group[open]");
    for (const one of sheet.querySelectorAll(".off, .lit, .last")) one.classList.remove("off", "lit", "last");
    form.classList.remove("focused", "folded", "tight");
    if (besideIt.matches && target) {
      for (const input of [...inputsFor(form, target), ...withinOf(form, target)]) partOf(input)?.classList.add("lit");
    }
    if (besideIt.matches || isListed) return;
    const pointed = ownOf(sheet, ".group:not(.fold)").filter((one) => one.querySelector("[data-target], [data-within]")).at(-1);
    const high = pointed && isOnBoard(sheet) ? pointed.getBoundingClientRect().bottom - sheet.getBoundingClientRect().top + sheet.scrollTop : 0;
    const said = form.querySelector(".sendbar").getBoundingClientRect().height;
    const tall = high > Math.min(innerHeight * 0.42, innerHeight * 0.58 - form.querySelector(".sheet-head").getBoundingClientRect().height - said - 24);
    form.classList.toggle("focused", tall && Boolean(target));
    form.classList.toggle("folded", tall && !target);
    if (!tall || !target) return;
    const needed = new Set(); // such as who builds what is pointed at
    for (const input of sheet.querySelectorAll("input[data-needs]:checked, option[data-needs]:checked")) for (const name of input.dataset.needs.split(" ")) needed.add(name);
    const wanted = (input) => input.dataset.target === target || input.dataset.within === target || input.closest(".field")?.dataset.field && needed.has(input.closest(".field").dataset.field);
    for (const label of ownOf(sheet, ".choice, .chip, .tick, select, .fold")) {
      const input = label.matches("select") ? label : label.querySelector("input");
      label.classList.toggle("off", label.matches(".fold") || !input || !wanted(input));
    }
    for (const part of [".kin", ".choices, .chips", ".field", ".group"]) {
      for (const one of ownOf(sheet, part)) {
        const shown = one.querySelector(".choice:not(.off), .chip:not(.off), select:not(.off), input:not([type=radio], [type=checkbox])");
        one.classList.toggle("off", !shown || (one.matches(".field") && !one.querySelector("input[type=radio], input[type=checkbox], select")));
      }
    }
    for (const group of ownOf(sheet, ".group")) group.classList.toggle("named", isShared(sheet, group));
    tighten(form, sheet);
  };
  /* Whether a field that is shown is called like one of another group, so that only the groups' titles tell them apart. */
  const isShared = (sheet, group) => {
    const fields = ownOf(sheet, ".field:not(.off) > legend");
    const called = (legend) => legend.textContent.trim();
    return fields.some((one) => group.contains(one) && fields.some((other) => !group.contains(other) && called(one) === called(other)));
  };
  /* The way to all choices stands beside the last ones shown, not in a line of its own, where they leave it room. */
  const tighten = (form, sheet) => {
    const last = ownOf(sheet, ".chips:not(.off)").filter((one) => one.checkVisibility()).at(-1);
    if (!last?.querySelector(".wide")) return;
    last.classList.add("last");
    form.classList.add("tight");
    if (sheet.scrollHeight > sheet.clientHeight + 1) form.classList.remove("tight");
  };

  /* What is chosen is seen: the board goes up until the place that was tapped, or listed and chosen, is above the sheet,
     and with it whatever else can be tapped, as far as the place itself stays in sight. */
  const uncover = (form, board) => {
    const shape = board.querySelector(`[data-target="${quote(form.dataset.focus || "")}"]`);
    if (!shape || besideIt.matches) return;
    const sheet = form.getBoundingClientRect().top;
    const { top, bottom } = shape.getBoundingClientRect();
    const lowest = Math.max(bottom, ...[...board.querySelectorAll(".pickable")].map((one) => one.getBoundingClientRect().bottom));
    const wish = Math.min(lowest - sheet + 12, top - 12);
    const below = Math.max(bottom - sheet + 12, wish);
    if (below > 12) scrollBy({ top: below, behavior: "instant" });
  };

  const markShapes = (form, board) => {
    const inputs = [...form.querySelectorAll("[data-target], [data-within]")];
    const targets = new Set(inputs.flatMap((input) => [input.dataset.target, input.dataset.within]).filter(Boolean));
    for (const shape of board.querySelectorAll("[data-target]")) {
      if (shape.matches(".pickable") || !targets.has(shape.dataset.target)) continue;
      shape.classList.add("pickable");
      shape.setAttribute("tabindex", "0");
      shape.setAttribute("role", "button");
      shape.setAttribute("aria-label", nameOf(shape, inputsFor(form, shape.dataset.target)));
      ring(shape);
    }
    for (const svg of board.querySelectorAll("svg[role=img]:has(.pickable)")) svg.setAttribute("role", "group");
    refresh(form, board);
  };

  const wireBoard = () => {
    const form = document.querySelector("form.decide");
    const board = document.querySelector(".board .parts");
    if (board && !form) board.onclick = (event) => tell(board, event.target.closest("[data-target]"));
    if (!form || !board || form.dataset.wired) return;
    form.dataset.wired = "yes";
    markShapes(form, board);
    board.addEventListener("click", (event) => {
      if (event.target.closest("a")) return;
      const shape = event.target.closest(".pickable");
      if (shape) choose(form, shape.dataset.target);
      else tell(board, event.target.closest("[data-target]"));
    });
    board.addEventListener("keydown", (event) => {
      const shape = event.target.closest(".pickable");
      if (!shape || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      choose(form, shape.dataset.target, true);
    });
    form.addEventListener("change", (event) => {
      const place = event.target.dataset.within || event.target.dataset.target;
      if (place) form.dataset.focus = place; // what else belongs there comes next
      refresh(form, board);
      arrange(form);
    });
    form.addEventListener("focusin", (event) => reveal(form, event.target));
    form.addEventListener("pointerover", (event) => light(board, event.target, true));
    form.addEventListener("pointerout", (event) => light(board, event.target, false));
    const more = form.querySelector(".more");
    const showAll = (all) => {
      form.classList.toggle("all", all);
      more.textContent = all ? more.dataset.less : more.dataset.more;
      if (!all) delete form.dataset.focus;
      arrange(form);
    };
    more.addEventListener("click", () => showAll(!form.classList.contains("all")));
    form.addEventListener("click", (event) => {
      const step = event.target.closest(".ahead")?.closest(".onward");
      if (!step) return;
      showAll(true);
      step.scrollIntoView({ block: "start" });
      step.querySelector("input:not([type=hidden]), select, textarea")?.focus({ preventScroll: true });
    });
    form.addEventListener("toggle", (event) => {
      arrange(form);
      if (event.target.open && !besideIt.matches) event.target.scrollIntoView({ block: "nearest" });
    }, true);
    besideIt.addEventListener("change", () => arrange(form));
    arrange(form);
  };

  /* Beside the board what the focus comes to stands above the bar that sends, never behind it. */
  const reveal = (form, input) => {
    const bar = form.querySelector(".sendbar");
    if (!besideIt.matches || bar.contains(input)) return;
    const hidden = (partOf(input) || input).getBoundingClientRect().bottom - bar.getBoundingClientRect().top + 8;
    if (hidden > 0) form.closest(".sticky").scrollBy({ top: hidden, behavior: "instant" });
  };

  /* A tap on what can't be chosen tells what it is: in the sheet, or where nothing is asked in a line below the board. */
  const tell = (board, shape) => {
    const said = shape?.querySelector("title")?.textContent;
    if (!said) return;
    const form = document.querySelector("form.decide");
    let hint = (form || board.parentElement).querySelector(".hint");
    if (!hint) {
      hint = document.createElement("p");
      hint.className = "hint notice";
      hint.setAttribute("role", "status");
      board.after(hint);
    }
    hint.textContent = said;
    form?.classList.remove("tight");
    form?.classList.add("told");
  };

  /* The what-if board: the parts that an order changes stand in place of today's until the choice changes again. */
  const today = new Map();
  const whatIf = () => {
    const form = document.querySelector("form.decide");
    const board = document.querySelector(".board .parts");
    if (!form || !board) return;
    const next = document.getElementById("next-board");
    const drawn = new Map([...(next?.content.querySelectorAll("[data-part]") || [])].map((part) => [part.dataset.part, part]));
    for (const part of board.querySelectorAll(".part")) {
      const then = drawn.get(part.dataset.part);
      if (!today.has(part)) today.set(part, part.innerHTML);
      const wanted = then ? then.innerHTML : today.get(part);
      if (then || part.dataset.next) part.innerHTML = wanted;
      part.dataset.next = then ? "yes" : "";
    }
    next?.remove();
    markShapes(form, board);
    hush();
    arrange(form);
    uncover(form, board);
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

  /* A ranking is tapped in its order: a tap fills the next free place, a second one on the same thing empties it. */
  const rank = (field) => {
    const places = [...field.querySelectorAll("select")];
    const chips = document.createElement("div");
    chips.className = "chips";
    const draw = () => {
      for (const chip of chips.children) {
        const place = places.findIndex((one) => one.value === chip.dataset.value);
        chip.setAttribute("aria-pressed", String(place >= 0));
        chip.textContent = place < 0 ? chip.dataset.name : `${place + 1}. ${chip.dataset.name}`;
      }
    };
    const tap = (value) => {
      const kept = places.map((one) => one.value).filter((one) => one && one !== value);
      if (!places.some((one) => one.value === value)) kept.push(value);
      places.forEach((one, index) => { one.value = kept[index] || ""; });
      draw();
    };
    for (const option of places[0].options) {
      if (!option.value) continue;
      const chip = document.createElement("button");
      chip.type = "button";
      chip.className = "chip wide";
      chip.dataset.value = option.value;
      chip.dataset.name = option.textContent.trim();
      chip.addEventListener("click", () => tap(option.value));
      chips.append(chip);
    }
    draw();
    field.querySelector("ol").hidden = true;
    field.append(chips);
  };
  /* A number has a button on either side, a limit one tap for each value: a list would take two. */
  const button = (text, label, press) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "chip";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    made.addEventListener("click", press);
    return made;
  };
  const step = (field) => {
    const box = field.querySelector("select, input");
    const name = box.getAttribute("aria-label") || field.querySelector("label").textContent.trim();
    const move = (by) => () => {
      if (!box.options) return by < 0 ? box.stepDown() : box.stepUp();
      box.selectedIndex = Math.max(0, Math.min(box.options.length - 1, box.selectedIndex + by));
    };
    const row = document.createElement("div");
    row.className = "chips";
    box.replaceWith(row);
    row.append(button("\u2212", `${name} \u2212`, move(-1)), box, button("+", `${name} +`, move(1)));
  };
  const limit = (field) => {
    for (const select of field.querySelectorAll("select")) {
      const name = select.parentElement.querySelector("label").textContent.trim();
      const chips = document.createElement("div");
      chips.className = "chips";
      const draw = () => {
        [...chips.children].forEach((chip, at) => chip.setAttribute("aria-pressed", String(at === select.selectedIndex)));
      };
      chips.append(...[...select.options].map((option, at) => button(option.textContent.trim(),
        `${name}: ${option.textContent.trim()}`, () => { select.selectedIndex = at; draw(); })));
      select.hidden = true;
      select.after(chips);
      draw();
    }
  };
  const wireRankings = () => {
    const ways = [["[data-ranking]", rank], ["[data-stepper]", step], ["[data-limits]", limit]];
    for (const [kind, wireField] of ways) {
      for (const field of document.querySelectorAll(`${kind}:not([data-wired])`)) {
        field.dataset.wired = "yes";
        wireField(field);
      }
    }
  };

  /* What was chosen without a connection outlives the page: a phone drops it, or somebody loads it again in vain. It is
     kept in this browser and given back to its question only, until somebody touches the page that shows it: a browser
     also loads a page by itself, that nobody sees. */
  const KEPT = "chosen offline";
  const forget = () => {
    try {
      localStorage.removeItem(KEPT);
    } catch { /* a browser that keeps nothing */ }
  };
  const keep = () => {
    const form = document.querySelector("form.decide");
    if (!form) return;
    const fields = [...new FormData(form)].filter(([name]) => !["csrf_token", "request", "seen"].includes(name));
    try {
      localStorage.setItem(KEPT, JSON.stringify({ page: location.pathname, fields }));
    } catch { /* a browser that keeps nothing */ }
  };
  const isPick = (input) => input.matches("[type=radio], [type=checkbox]");
  let missing = [];
  const giveBack = () => {
    const form = document.querySelector("form.decide");
    if (!form?.elements.ply) return; // a line of analysis is decided on like a question, but nothing is asked
    let kept = null;
    try {
      kept = JSON.parse(localStorage.getItem(KEPT));
    } catch { /* as above */ }
    const ply = form.elements.ply.value;
    if (kept?.page === location.pathname) {
      missing = kept.fields.some(([name, value]) => name === "ply" && value === ply) ? kept.fields : [];
      if (!missing.length) forget();
      else for (const touch of ["pointerdown", "keydown", "click"]) addEventListener(touch, forget, { once: true });
    }
    const later = []; // of questions that are fetched once the first is answered
    let given = null;
    for (const [name, value] of missing) {
      const found = [...form.querySelectorAll(`[name="${quote(name)}"]:not([type=hidden])`)];
      const one = found.find((input) => !isPick(input) || input.value === value);
      if (!one) later.push([name, value]);
      else if (isPick(one) ? !one.checked : one.value !== value) {
        if (isPick(one)) one.checked = true;
        else one.value = value;
        given = one;
      }
    }
    missing = later.length < missing.length ? later : [];
    given?.dispatchEvent(new Event("change", { bubbles: true }));
  };

  /* Without a connection every form says so, and a decision's keeps what was chosen; an open page asks now and then how
     far its game is. */
  const say = (id, on) => {
    const notice = document.querySelector(`#${id} > p`);
    if (notice) notice.hidden = !on;
  };
  const lost = () => { say("offline", true); keep(); };
  document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
    if (ctx?.sourceEvent?.type !== "load") lost(); // what a page fetches by itself nobody has sent
  });
  document.addEventListener("submit", (event) => {
    if (navigator.onLine) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    lost();
  }, true);
  const isAway = () => document.querySelector("#offline > p:not([hidden])");
  document.addEventListener("change", () => { if (isAway()) keep(); });
  const again = () => { // what could not be asked meanwhile is asked now
    if (!isAway()) return;
    say("offline", false);
    document.querySelector("form.decide input:checked")?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  /* What is being written outlives its page in this tab: loaded again, or left and come back to, it stands there until it
     is sent. A field that holds another text by now than when it was written into is left as it is. */
  const WRITTEN = "main textarea:not([readonly])";
  const slot = ({ form, name }) => ["unsent", location.pathname, form?.getAttribute("action"), form?.elements.ply?.value, name].join(" ");
  const unsent = (field, ...texts) => {
    try {
      if (texts.length) sessionStorage.setItem(slot(field), JSON.stringify(texts));
      return JSON.parse(sessionStorage.getItem(slot(field))) || [];
    } catch {
      return []; // a browser that keeps nothing
    }
  };
  document.addEventListener("input", ({ target }) => { if (target.matches(WRITTEN)) unsent(target, target.defaultValue, target.value); });
  const forgetAll = () => {
    forget();
    try {
      sessionStorage.clear();
    } catch { /* as above */ }
  };
  document.addEventListener("submit", ({ target, submitter }) => {
    for (const field of target.querySelectorAll("textarea")) unsent(field, "", "");
    if (submitter?.value === "log-out") forgetAll(); // who opens a link here next may be somebody else
  }, true);
  const goOnWriting = () => {
    for (const field of document.querySelectorAll(WRITTEN)) {
      const [before, text] = unsent(field);
      if (!text || before !== field.defaultValue || before !== field.value) continue;
      field.value = text;
      for (let fold = field.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  };
  addEventListener("online", () => { again(); look(); });
  addEventListener("pageshow", (event) => { if (event.persisted) look(); }); // back by the browser's own button
  const EVERY = 20000; // milliseconds
  const look = async () => {
    const live = document.getElementById("live");
    if (!live || document.hidden || !navigator.onLine) return;
    const answer = await fetch(live.dataset.url).catch(() => null);
    if (!answer || !(answer.ok || answer.status === 404)) return;
    again(); // a server that was away for a moment is no event
    say("ended", !answer.ok);
    const told = answer.ok ? await answer.text() : "";
    if (live.told !== told) live.innerHTML = live.told = told; // said once to who listens
  };
  const SOON = 3000; // bots take about a second each, and whoever is asked nothing wonders where their turn is
  const lookSoon = () => { if (!document.querySelector("form.decide")) setTimeout(look, SOON); };
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);

  /* Focus goes to what is new: a refusal, else the new page's content. */
  const wire = () => { wireBoard(); hush(); guessZone(); wireRankings(); fit(); lookSoon(); };
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    say("offline", false);
    const [, lang] = /<html lang="([\w-]+)"/.exec(ctx.text) || [];
    if (lang) document.documentElement.lang = lang; // the page to come may speak another one than the page before
  });
  document.addEventListener("htmx:after:swap", () => {
    wire();
    giveBack();
    goOnWriting();
    if (document.getElementById("preview")?.childElementCount) whatIf();
    const faults = document.getElementById("faults");
    const asleep = !document.activeElement || document.activeElement === document.body;
    if (faults && !faults.closest("#preview")) faults.focus();
    else if (asleep) document.getElementById("main")?.focus({ preventScroll: true });
  });
  document.addEventListener("DOMContentLoaded", wire);
  addEventListener("load", () => setTimeout(() => { giveBack(); goOnWriting(); })); // once htmx, which waits in the same way, listens to the form
  if (document.readyState !== "loading") wire();
})();
