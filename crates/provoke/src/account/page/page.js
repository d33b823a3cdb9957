"use strict";
(function () {
  let data = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const SVG = "http://www.w3.org/2000/svg";
  let chosen = null;
  const views = {};

  function set(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined) node.setAttribute(name, value);
    }
    for (const child of [].concat(children === undefined ? [] : children)) {
      if (child !== null && child !== undefined) node.append(child);
    }
    return node;
  }
  const el = (tag, attributes, children) => set(document.createElement(tag), attributes, children);
  const sv = (tag, attributes, children) => set(document.createElementNS(SVG, tag), attributes, children);
  const count = (n, noun) => Number(n).toLocaleString("en-GB") + " " + noun + (n === 1 ? "" : "s");
  const words = { so_far_good: "so far good", never_triggered: "never triggered", satisfied: "satisfied for good" };
  const verdictWords = { s: "satisfied for good", g: "so far good", b: "so far bad", v: "violated" };
  const pill = (state, text) => el("span", { class: "pill " + state }, text || words[state] || state.replace(/_/g, " "));

  function command(text) {
    const copy = el("button", { type: "button", onclick: () => {
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => { copy.textContent = "copied"; }, () => {});
    } }, "copy");
    return el("div", { class: "command" }, [el("code", {}, text), copy]);
  }

  function theme() {
    const root = document.documentElement;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const now = root.dataset.theme || (dark ? "dark" : "light");
    root.dataset.theme = now === "dark" ? "light" : "dark";
  }

  function top() {
    const facts = [
      [count(data.runs, "run")], [count(data.steps, "step")],
      [data.seconds.toFixed(data.seconds < 10 ? 2 : 1) + " s"],
      [data.seconds > 0 ? Math.round(data.steps / data.seconds).toLocaleString("en-GB") + " steps/s" : null],
      ["strategy ", data.strategy], ["seed ", String(data.seed)],
    ].filter((fact) => fact[0] !== null);
    const doing = !data.over && data.live
      ? el("p", { class: "doing", id: "doing" }, [el("i"), data.doing +
        (data.quiet >= 10000 ? "; nothing new for " + count(data.quiet, "step") : "")]) : null;
    return el("header", { class: "top " + data.verdict, id: "verdict" }, [
      el("div", {}, [
        el("h1", {}, data.verdict === "violated" ? data.headline : data.headline.charAt(0).toUpperCase() + data.headline.slice(1)),
        el("p", { class: "dim" }, [el("code", {}, data.specification)]),
        doing,
        el("div", { class: "facts" }, facts.map((fact) => el("span", {}, fact.length > 1
          ? [fact[0], el("b", {}, fact[1])] : [el("b", {}, fact[0])]))),
      ]),
      el("button", { type: "button", id: "theme", title: "light or dark", onclick: theme }, "◐"),
    ]);
  }

  function table(heads, rows, kind) {
    return el("div", { class: "scroll" }, el("table", { class: "wide " + kind }, [
      el("thead", {}, el("tr", {}, heads.map((head) => el("th", {}, head)))),
      el("tbody", {}, rows),
    ]));
  }

  function requirements() {
    if (!data.requirements.length) return null;
    const row = (one) => el("tr", { "data-id": one.id, "data-state": one.state }, [
      el("td", { class: "narrow" }, [el("b", {}, one.id), one.line ? el("div", { class: "dim mono" }, "line " + one.line) : null]),
      el("td", { class: "narrow" }, [pill(one.state, one.age !== null && one.state === "pending" ? "pending for " + count(one.age, "step") : null)]),
      el("td", {}, [one.text ? el("div", {}, one.text) : null, one.formula ? el("code", {}, one.formula) : null]),
      el("td", { class: "narrow", "data-name": "class" }, one.class || ""),
      el("td", { class: "number", "data-name": "put to the test" }, count(one.triggered, "run")),
    ]);
    return el("section", { id: "requirements" }, [el("h2", {}, "Requirements"),
      table(["id", "state", "what it says", "class", "put to the test"], data.requirements.map(row), "requirements"),
      data.assumptions && data.assumptions.length ? el("details", {}, [
        el("summary", {}, count(data.assumptions.length, "assumption")),
        ...data.assumptions.map((one) => el("p", {}, [el("b", {}, one.id + " "), one.text + " ", el("code", {}, one.formula)])),
      ]) : null]);
  }

  function objectives() {
    if (!data.objectives.length) return null;
    const near = (one) => one.covered ? (one.runs ? "after " + count(one.runs, "run") + ", " + count(one.steps, "step") : "")
      : one.distance !== null ? "closest: " + count(one.distance, "step") + " away" : "";
    const row = (one) => el("tr", { "data-id": one.id }, [
      el("td", { class: "narrow" }, el("b", {}, one.id)),
      el("td", { class: "narrow" }, pill(one.covered ? "covered" : "not_covered")),
      el("td", {}, [one.text ? el("div", {}, one.text) : null, el("div", { class: "dim" }, one.goal)]),
      el("td", { class: "narrow" }, near(one)),
    ]);
    const coverage = (data.coverage || []).map((one) => el("p", {},
      one.covered + " of " + one.elements + " " + one.of + (one.complete ? "" : " known so far") +
      (one.never && one.never.length ? "; never covered: " + one.never.slice(0, 12).join("; ") : "")));
    return el("section", { id: "objectives" }, [el("h2", {}, "Objectives"),
      table(["id", "state", "what it wants", ""], data.objectives.map(row), "objectives"), ...coverage]);
  }

  // With more requirements than these, a waveform shows those that were not content all along.
  const FEW = 8;

  // The lanes of a trace: for each a name and, step by step, a value.
  function lanes(found, whole) {
    const all = [];
    const steps = found.trace.length + (found.unanswered !== null ? 1 : 0);
    if (found.waves.length) {
      for (const wave of found.waves) {
        const isNumber = wave.values.every((value) => value !== "" && Number.isFinite(Number(value)));
        const kind = wave.kind === "bool" ? "bit" : wave.kind === "number" && isNumber ? "number" : "band";
        all.push({ name: wave.name, side: wave.side, kind, values: wave.values });
      }
    } else {
      all.push({ name: "input", side: "input", kind: "text", values: found.trace.map((step) => step.input) });
      all.push({ name: "output", side: "output", kind: "text", values: found.trace.map((step) => step.output) });
    }
    if (found.states) all.push({ name: "state of " + found.of, side: "state", kind: "band", values: found.states.map((state) => state.replace(/\n/g, ", ")) });
    const judged = verdictLanes(found);
    const telling = judged.filter((lane) => lane.name === found.of || /[bv]/.test(lane.values.join("")));
    const short = !whole && judged.length > Math.max(FEW, telling.length + 1);
    all.push(...(short ? telling : judged));
    return { all, steps, left: short ? judged.length - telling.length : 0 };
  }

  // The requirement that this is about comes first, then those that were not content all along.
  function verdictLanes(found) {
    const order = new Map(data.requirements.map((one, at) => [one.id, at]));
    const rank = ([id, letters]) => (id === found.of ? 0 : letters.includes("v") ? 1 : letters.includes("b") ? 2 : 3);
    return Object.entries(found.verdicts)
      .sort((a, b) => rank(a) - rank(b) || (order.get(a[0]) || 0) - (order.get(b[0]) || 0))
      .map(([id, letters]) => ({ name: id, side: "verdict", kind: "verdict", values: letters.split("") }));
  }

  // Runs of the same value: where each begins and ends.
  function stretches(values) {
    const all = [];
    values.forEach((value, at) => {
      const last = all[all.length - 1];
      if (last && last.value === value) last.to = at + 1;
      else all.push({ value, from: at, to: at + 1 });
    });
    return all;
  }

  const clipped = (text, room) => (text.length > room ? text.slice(0, Math.max(1, room - 1)) + "…" : text);

  // A number over time: a curve of steps between its smallest and its largest value, with its value wherever it changes.
  function curve(group, lane, y, high, wide) {
    const numbers = lane.values.map(Number);
    const least = Math.min(...numbers), most = Math.max(...numbers);
    const level = (value) => y + high - 6 - (most > least ? (value - least) / (most - least) : 0.5) * (high - 22);
    let path = "";
    for (const one of stretches(lane.values)) {
      const at = level(Number(one.value));
      path += (one.from ? "V" + at : "M0 " + at) + "H" + one.to * wide;
      const room = Math.floor(((one.to - one.from) * wide - 4) / 7);
      if (room >= Math.min(2, one.value.length)) group.append(sv("text", { x: one.from * wide + 4, y: at - 3 }, clipped(one.value, room)));
    }
    group.append(sv("path", { class: "high", d: path }));
  }

  function wave(found, whole) {
    const { all, steps, left } = lanes(found, whole);
    if (!steps) return null;
    const HIGH = 26, HEAD = 22, CURVE = 46;
    let bottom = HEAD;
    for (const lane of all) {
      lane.y = bottom;
      lane.high = lane.kind === "number" ? CURVE : HIGH;
      bottom += lane.high;
    }
    // Labels are read whole where they fit; values of signals have room for a short word.
    const words = (kind) => all.filter((lane) => lane.kind === kind && lane.side !== "state").flatMap((lane) => lane.values.map((value) => value.length));
    const longest = words("text").reduce((a, b) => Math.max(a, b), 0);
    const longestValue = Math.min(10, [...words("band"), ...words("number")].reduce((a, b) => Math.max(a, b), 0));
    const wide = longest ? Math.min(200, Math.max(44, longest * 7 + 16))
      : Math.max(24, longestValue * 7 + 12, Math.min(88, Math.floor(900 / steps)));
    const svg = sv("svg", { width: steps * wide + 2, height: bottom, role: "img", "aria-label": "waveform of " + count(steps, "step"), tabindex: "0" });
    const every = Math.ceil(30 / wide);
    for (let at = 0; at < steps; at += every) {
      svg.append(sv("path", { class: "grid", d: "M" + at * wide + " " + HEAD + "V" + bottom }));
      svg.append(sv("text", { x: at * wide + 4, y: 15 }, String(found.from + at + 1)));
    }
    const guilty = found.guilty !== null ? found.guilty - found.from - 1 : -1;
    if (guilty >= 0) {
      svg.append(sv("rect", { class: "guilty", x: guilty * wide, y: 0, width: wide, height: bottom }));
      svg.append(sv("path", { class: "guilty-mark", d: "M" + (guilty * wide + wide - 12) + " 4h10l-5 9z" }));
    }
    all.forEach((lane) => {
      const y = lane.y;
      const group = sv("g", { class: lane.side === "output" ? "out" : "in" });
      if (lane.kind === "bit") {
        let path = "", fill = "";
        lane.values.forEach((bit, at) => {
          const level = bit === "1" ? y + 5 : y + HIGH - 5;
          path += (at ? "V" + level : "M0 " + level) + "H" + (at + 1) * wide;
          if (bit === "1") fill += "M" + at * wide + " " + (y + 5) + "h" + wide + "v" + (HIGH - 10) + "h-" + wide + "z";
        });
        group.append(sv("path", { class: "fill", d: fill }), sv("path", { class: "high", d: path }));
      } else if (lane.kind === "number") {
        curve(group, lane, y, lane.high, wide);
      } else if (lane.kind === "verdict") {
        for (const one of stretches(lane.values)) {
          group.append(sv("rect", { class: one.value, x: one.from * wide + 1, y: y + 7, width: (one.to - one.from) * wide - 2, height: HIGH - 14, rx: 3 },
            sv("title", {}, verdictWords[one.value] || "")));
        }
      } else {
        // Labels are said anew in every step; values of signals and states last.
        const cells = lane.kind === "band" ? stretches(lane.values) : lane.values.map((value, at) => ({ value, from: at, to: at + 1 }));
        for (const one of cells) {
          const room = (one.to - one.from) * wide;
          group.append(sv("rect", { class: "cell", x: one.from * wide + 1, y: y + 3, width: room - 2, height: HIGH - 6, rx: 3 }, sv("title", {}, one.value)));
          group.append(sv("text", { x: one.from * wide + 6, y: y + 17 }, clipped(one.value, Math.floor((room - 10) / 7))));
        }
      }
      svg.append(group);
    });
    const cursor = sv("rect", { class: "cursor", x: 0, y: 0, width: wide, height: bottom });
    svg.append(cursor);
    const start = "Point at a step to see its values." + (found.from ? " The first " + count(found.from, "step") + " are not shown." : "");
    const readout = el("div", { class: "readout", role: "status" }, start);
    const box = el("div", { class: "wave" }, [
      el("div", { class: "names" }, [el("div", { class: "group", style: "height:22px;line-height:22px" }, "step"),
        ...all.map((lane) => el("div", { style: lane.kind === "number" ? "height:" + CURVE + "px;line-height:" + CURVE + "px" : null, title: lane.name + " (" + lane.side + ")" }, lane.side === "verdict" ? "⊢ " + lane.name : lane.side === "output" ? "← " + lane.name : lane.side === "input" ? "→ " + lane.name : lane.name))]),
      el("div", { class: "lanes" }, svg),
    ]);
    // The guilty step is what one wants to see, also where there is little room.
    if (guilty >= 0) requestAnimationFrame(() => { svg.parentNode.scrollLeft = (guilty + 1) * wide - svg.parentNode.clientWidth; });
    let at = -1;
    const show = (step) => {
      if (step < 0 || step >= steps) return;
      at = step;
      box.classList.add("hovered");
      cursor.setAttribute("x", step * wide);
      const said = found.trace[step];
      const parts = ["step " + (found.from + step + 1) + ": " + (said ? said.input + " / " + said.output : found.unanswered + " / no answer")];
      if (found.states && found.states[step] !== undefined) parts.push("state " + found.states[step].replace(/\n/g, ", "));
      for (const [id, letters] of Object.entries(found.verdicts)) {
        if (letters[step]) parts.push(id + " " + verdictWords[letters[step]]);
      }
      readout.textContent = parts.join(" · ");
    };
    svg.addEventListener("pointermove", (event) => show(Math.floor((event.clientX - svg.getBoundingClientRect().left) / wide)));
    svg.addEventListener("pointerleave", () => { box.classList.remove("hovered"); readout.textContent = start; });
    svg.addEventListener("keydown", (event) => {
      if (event.key === "ArrowRight") show(Math.min(steps - 1, at + 1));
      else if (event.key === "ArrowLeft") show(Math.max(0, at - 1));
    });
    const more = left ? el("button", { type: "button", class: "more", onclick: () => outer.replaceWith(wave(found, true)) },
      "show " + count(left, "requirement") + " more that stayed content") : null;
    const outer = el("div", {}, [box, readout, more]);
    return outer;
  }

  function finding(found) {
    const about = data.requirements.find((one) => one.id === found.of);
    const title = found.kind === "violation" ? "Violation of " + found.of
      : found.kind === "suspected" ? "Suspected violation of " + found.of
      : found.kind === "broken" ? "The system broke" : "Objective " + found.of + " covered";
    const steps = found.from + found.trace.length;
    const lasso = found.loop_from !== null ? el("p", {}, "From step " + (found.loop_from + 1) + " on it goes round and round, always with the same answers.") : null;
    return el("article", { class: "finding", "data-of": found.of, "data-kind": found.kind }, [
      el("header", {}, [el("h3", {}, title), pill(found.kind), el("span", { class: "dim" }, count(steps, "step") +
        (found.original_steps > steps ? ", found with " + found.original_steps : "") + (found.tries ? "; " + found.tries : ""))]),
      about && about.text ? el("p", {}, about.text) : null,
      found.explanation ? el("p", { class: "why" }, found.explanation + ".") : null,
      found.error ? el("p", { class: "why" }, found.error) : null,
      lasso, wave(found),
      found.stderr.length ? el("pre", {}, found.stderr.join("\n")) : null,
      found.kind === "covered" ? null : el("p", { class: "dim" }, "Run it again:"),
      found.kind === "covered" ? null : command(found.replay),
    ]);
  }

  function findings() {
    if (!data.findings.length) return null;
    const order = { violation: 0, broken: 1, suspected: 2, covered: 3 };
    const sorted = data.findings.slice().sort((a, b) => order[a.kind] - order[b.kind]);
    const first = sorted.slice(0, 6).map(finding);
    const rest = sorted.slice(6);
    const more = rest.length ? el("details", { ontoggle: function () {
      if (this.open && this.children.length === 1) this.append(...rest.map(finding));
    } }, el("summary", {}, "and " + count(rest.length, "finding") + " more")) : null;
    return el("section", { id: "findings" }, [el("h2", {}, "What was found"), ...first, more]);
  }

  function paint(box, picture) {
    const most = Math.max(1, ...picture.nodes);
    const share = (n) => Math.log(n + 1) / Math.log(most + 1);
    const path = new Set(picture.path || []);
    for (const group of box.querySelectorAll("[data-node]")) {
      const at = Number(group.dataset.node), visits = picture.nodes[at] || 0;
      group.setAttribute("class", [picture.marks[at] || "", visits || !picture.counted ? "" : "unseen", path.has(at) ? "on-path" : ""].join(" ").trim());
      const shape = group.querySelector(".node");
      if (picture.counted && visits && picture.marks[at] !== "violation") {
        shape.style.fill = "color-mix(in srgb, var(--heat) " + Math.round(12 + 78 * share(visits)) + "%, var(--panel))";
      }
      const title = group.querySelector("title");
      if (title && picture.counted) {
        title.dataset.text = title.dataset.text || title.textContent;
        title.textContent = title.dataset.text + "\n" + (visits ? "visited " + count(visits, "time") : "never visited");
      }
    }
    const counts = new Map(picture.edges.map(([from, to, n]) => [from + " " + to, n]));
    const thickest = Math.max(1, ...picture.edges.map((edge) => edge[2]));
    for (const edge of box.querySelectorAll("[data-from]")) {
      const n = counts.get(edge.dataset.from + " " + edge.dataset.to) || 0;
      if (!picture.counted) continue;
      edge.classList.toggle("unseen", !n);
      edge.style.strokeWidth = n ? String(1.2 + 2.4 * Math.log(n + 1) / Math.log(thickest + 1)) : "1";
      const title = edge.querySelector("title");
      if (title) {
        title.dataset.text = title.dataset.text || title.textContent;
        title.textContent = title.dataset.text + "\n" + (n ? "taken " + count(n, "time") : "never taken");
      }
    }
  }

  function panned(box, key) {
    const svg = box.querySelector("svg");
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    svg.removeAttribute("width"); svg.removeAttribute("height");
    svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
    // Small ones are not blown up.
    const w = Math.max(width, (page.clientWidth - 60) / 1.35), h = Math.max(height, 320);
    const whole = { x: (width - w) / 2, y: (height - h) / 2, w, h };
    const view = views[key] = views[key] || { ...whole };
    const apply = () => svg.setAttribute("viewBox", [view.x, view.y, view.w, view.h].join(" "));
    const zoom = (factor, cx, cy) => {
      const w = Math.min(whole.w * 4, Math.max(whole.w / 40, view.w * factor)), ratio = w / view.w;
      view.x = cx - (cx - view.x) * ratio; view.y = cy - (cy - view.y) * ratio;
      view.w *= ratio; view.h *= ratio; apply();
    };
    const middle = () => [view.x + view.w / 2, view.y + view.h / 2];
    const scale = () => { const b = svg.getBoundingClientRect(); return Math.max(view.w / b.width, view.h / b.height); };
    const at = (event) => {
      const b = svg.getBoundingClientRect(), s = scale();
      return [view.x + view.w / 2 + (event.clientX - b.left - b.width / 2) * s, view.y + view.h / 2 + (event.clientY - b.top - b.height / 2) * s];
    };
    box.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, ...at(event)); }, { passive: false });
    let from = null;
    box.addEventListener("pointerdown", (event) => {
      if (event.target.closest(".zoom")) return;
      from = [event.clientX, event.clientY]; box.setPointerCapture(event.pointerId); box.classList.add("dragged");
    });
    box.addEventListener("pointermove", (event) => {
      if (!from) return;
      const s = scale();
      view.x -= (event.clientX - from[0]) * s; view.y -= (event.clientY - from[1]) * s;
      from = [event.clientX, event.clientY]; apply();
    });
    const stop = () => { from = null; box.classList.remove("dragged"); };
    box.addEventListener("pointerup", stop); box.addEventListener("pointercancel", stop);
    box.append(el("div", { class: "zoom" }, [
      el("button", { type: "button", "aria-label": "zoom in", onclick: () => zoom(1 / 1.4, ...middle()) }, "+"),
      el("button", { type: "button", "aria-label": "zoom out", onclick: () => zoom(1.4, ...middle()) }, "−"),
      el("button", { type: "button", "aria-label": "show all", onclick: () => { Object.assign(view, whole); apply(); } }, "⤢"),
    ]));
    apply();
  }

  function pictures() {
    const drawn = data.pictures.filter((picture) => picture.svg || picture.states);
    if (!drawn.length) return null;
    const guilty = data.findings.find((found) => found.kind === "violation");
    const now = drawn.find((one) => one.of === chosen) || drawn.find((one) => guilty && one.of === guilty.of) || drawn[0];
    const tabs = drawn.length > 1 ? el("div", { class: "tabs" }, drawn.map((one) => el("button", { type: "button", "aria-pressed": String(one === now), onclick: () => { chosen = one.of; render(); } }, one.of))) : null;
    const box = el("div", { class: "picture", id: "automaton" });
    if (now.svg) { box.innerHTML = now.svg; paint(box, now); panned(box, now.of); }
    const said = [];
    if (now.counted && now.grows) said.push(count(now.visited, "state") + " met, counted in " + count(data.counted_steps, "step") + "; the more often, the darker. What has not been met is drawn only near the start, or not at all");
    else if (now.counted) said.push(now.visited + " of " + now.all + " states visited, counted in " + count(data.counted_steps, "step") + "; the more often, the darker");
    if (now.svg && now.shown < now.all) said.push("Only " + now.shown + " of " + now.all + " states are drawn: those near the " + (now.path && now.path.length ? "trace" : "start"));
    if (!now.svg) said.push(count(now.states, "state") + ": too many to be drawn");
    return el("section", { id: "automata" }, [el("h2", {}, "Requirements as automata"), tabs, now.svg ? box : null,
      el("p", { class: "dim" }, said.join(". ") + (said.length ? "." : "") + " Drag to move, turn the wheel to zoom.")]);
  }

  function search() {
    const box = el("div", { class: "plots" });
    box.innerHTML = data.plots;
    return el("section", { id: "search" }, [el("h2", {}, "The search"), box]);
  }

  function again() {
    return el("section", { id: "again" }, [el("h2", {}, "Run all of it again"), command(data.command),
      ...(data.note ? [el("p", {}, data.note)] : []),
      ...data.warnings.map((warning) => el("p", { class: "dim" }, "warning: " + warning))]);
  }

  function render() {
    const parts = [top(), findings(), requirements(), objectives(), pictures(), search(), again(),
      el("footer", {}, "provoke " + data.program)].filter((part) => part);
    page.replaceChildren(...parts);
    document.title = data.headline + " · provoke";
  }

  render();
  if (data.live && !data.over && typeof EventSource !== "undefined" && location.protocol.startsWith("http")) {
    const source = new EventSource("events");
    source.onmessage = (event) => {
      data = JSON.parse(event.data);
      render();
      if (data.over) source.close();
    };
    source.onerror = () => { if (source.readyState === 2) return; };
  }
})();
