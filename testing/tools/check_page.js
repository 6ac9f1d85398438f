// SPDX-License-Identifier: BSD-3-Clause
// Appended to a page of hesca draw: use it as people do, and say in an element
// "pre", by the name check, what does not work, or how many things do.
"use strict";
{
  const failures = [];
  let checks = 0;
  const check = (is, what) => {
    ++checks;
    if (!is)
      failures.push(what);
  };
  const find = (selector, from) => [...(from || document)
    .querySelectorAll(selector)];
  const svg = find("svg")[0], panel = data.panels[0];
  const message = k => svg.querySelector(`.message[data-k="${k}"]`);
  const box = element => element.getBoundingClientRect();
  const key = (k, more) => svg.dispatchEvent(
    new KeyboardEvent("keydown", {key: k, bubbles: true, ...more}));
  const point = (name, x, y, on) => (on || svg).dispatchEvent(
    new PointerEvent(name, {clientX: x, clientY: y, bubbles: true}));
  const near = (a, b) => Math.abs(a - b) < 1.5;

  // All messages are there, in their columns, at their times.
  check(find("svg").length === data.panels.length, "panels");
  find("svg").forEach((s, i) => {
    check(find(".message", s).length === data.panels[i].messages.length,
      `messages of panel ${i}`);
    check(find(".column", s).length === data.ranks.length,
      `columns of panel ${i}`);
    check(find(".bound", s).length === 1, `bound of panel ${i}`);
  });
  const columnAt = rank => box(find(".column", svg)[columnOf.get(rank)]);
  const place = k => {
    const [src, , , start, end] = panel.messages[k];
    const column = columnAt(src), is = box(message(k));
    const y = t => column.top + column.height * (t / data.end);
    check(near(is.left, column.left) && near(is.width, column.width),
      `column of message ${k}`);
    check(near(is.top, y(start)) && near(is.bottom, Math.max(y(end),
      y(start) + 1)), `times of message ${k}`);
  };
  panel.messages.forEach((m, k) => place(k));
  const bound = box(svg.querySelector(".bound"));
  const column = box(find(".column", svg)[0]);
  check(near(bound.top, column.top + column.height * (panel.bound / data.end)),
    "bound");

  // Pointing at a message shows all of it.
  const last = panel.messages.length - 1, at = box(message(last));
  const [src, dest, bytes] = panel.messages[last];
  check(tip.hidden, "a tip before pointing");
  point("pointermove", at.left + 2, at.top + at.height / 2, message(last));
  check(!tip.hidden && tip.textContent.startsWith(
    `process ${src} to process ${dest}\n${bytes} bytes\nfrom `) &&
    /\nfrom \S+ \S+ to \S+ \S+\ntakes \S+ \S+$/.test(tip.textContent),
    `tip: ${tip.textContent}`);
  point("pointermove", column.left + column.width / 2, column.top - 10);
  check(tip.hidden, "a tip beside messages");

  // The wheel zooms about the pointer; Shift leaves columns alone.
  const wheel = more => svg.dispatchEvent(new WheelEvent("wheel",
    {deltaY: -400, clientX: column.left, clientY: column.top, ...more}));
  const first = panel.messages.findIndex(
    m => m[0] === data.ranks[0] && m[3] === 0);
  const before = box(message(first));
  check(wheel({cancelable: true}) === false, "the wheel scrolls, too");
  const after = box(message(first));
  check(near(after.top, before.top) && after.height > 1.9 * before.height,
    "wheel, height");
  check(after.width > 1.9 * before.width || data.ranks.length < 3,
    "wheel, width");
  wheel({deltaY: 400});
  check(near(box(message(first)).height, before.height), "wheel back");
  wheel({shiftKey: true});
  check(near(box(message(first)).width, before.width) &&
    box(message(first)).height > 1.9 * before.height, "wheel with Shift");
  key("0");
  check(near(box(message(first)).height, before.height), "key 0");

  // Buttons and keys.
  document.getElementById("in").click();
  check(range.u - range.t < 0.7 * data.end, "button +");
  document.getElementById("out").click();
  check(range.u - range.t > 0.999999 * data.end, "button -");
  key("+");
  const middle = range.t;
  key("ArrowDown");
  check(range.t > middle, "arrow down");
  key("ArrowUp");
  check(near(range.t / data.end, middle / data.end), "arrow up");
  key("-", {ctrlKey: true});
  check(range.u - range.t < 0.7 * data.end, "Ctrl - is the browser's");
  document.getElementById("fit").click();
  check(range.t === 0 && range.u === data.end && range.d === data.ranks.length,
    "button Fit");

  // Dragging moves; there is no tip meanwhile.
  key("+");
  const t = range.t;
  point("pointerdown", 300, 300);
  point("pointermove", 300, 280);
  point("pointerup", 300, 280);
  check(range.t > t && tip.hidden, "drag");
  key("0");

  // From message to message by keys.
  key("n");
  check(find(".chosen", svg).length === 1 && !tip.hidden, "key n");
  const chosen = svg.querySelector(".chosen").dataset.k;
  check(panel.messages[chosen][3] === Math.min(...panel.messages.map(
    m => m[3])), "key n begins with the first one");
  key("n");
  key("p");
  check(svg.querySelector(".chosen").dataset.k === chosen, "key p");
  key("Escape");
  check(tip.hidden, "key Escape");

  // Columns of receivers.
  const radio = document.querySelector("input[value=receive]");
  radio.click();
  check(near(box(message(last)).left, columnAt(dest).left),
    "receivers");
  key("v");
  check(near(box(message(last)).left, columnAt(src).left) &&
    !radio.checked, "senders");

  // Panels can be hidden.
  find("#shown input").slice(-1).forEach(input => {
    input.click();
    check(find("figure[hidden]").length === 1, "hidden panel");
  });

  // Nothing comes from elsewhere.
  check(performance.getEntriesByType("resource").length === 0, "resources");

  const pre = document.createElement("pre");
  pre.id = "check";
  pre.textContent = failures.length === 0 ? `${checks} checks passed`
    : `failed: ${failures.join("; ")}`;
  document.body.append(pre);
}
