/**
 * App side of MCP Apps (2026-01-26), JSON-RPC by postMessage. Shows the sentence and the warnings, then asks the host for the picture. Text
 * of strangers is never HTML. The drawing is inserted, as some hosts show no images, and only if it has no other elements and attributes
 * than ours: so nothing can run or load.
 */
export function appProgram(version: string, pictureUri: string): string {
  const values: Record<string, unknown> = {
    APP_VERSION: version,
    PICTURE_URI: pictureUri,
    DRAWING_ELEMENTS: drawingElements,
    DRAWING_ATTRIBUTES: drawingAttributes,
  };
  return program.replace(/\b[A-Z]+_[A-Z]+\b/g, (name) => (name in values ? JSON.stringify(values[name]) : name));
}

/** Without styles. */
export const drawingElements = ["svg", "title", "desc", "g", "path", "rect", "circle", "text", "tspan"];
export const drawingAttributes = [
  ...["xmlns", "class", "id", "role", "aria-labelledby", "viewBox", "width", "height", "direction"],
  ...["d", "x", "y", "rx", "cx", "cy", "r", "font-size", "text-anchor", "textLength", "lengthAdjust"],
];

const program = `"use strict";
(() => {
const host = window.parent;
const root = document.documentElement;
const at = (id) => document.getElementById(id);
const waiting = new Map();
let asked = 0;
let results = 0;
let canRead = false;
const post = (message) => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    waiting.set(++asked, { resolve, reject });
    post({ id: asked, method, params });
  });

function line(list, name, text) {
  const item = document.createElement("li");
  const strong = document.createElement("strong");
  strong.textContent = name;
  item.append(strong, " ", text);
  list.append(item);
}

function showWarnings({ risk_flags = [], checks = {}, partial }) {
  const list = at("warnings");
  list.replaceChildren();
  for (const { flag, detail } of risk_flags) line(list, String(flag).replaceAll("_", " "), String(detail));
  for (const [name, status] of Object.entries(checks))
    if (["partial", "unavailable", "inconclusive"].includes(status))
      line(list, "not fully checked", name.replaceAll("_", " ") + ": " + status);
  const left = (checks.unchecked_addresses ?? []).length;
  if (left > 0) line(list, "not checked", left + (left === 1 ? " address" : " addresses"));
  if (checks.note) line(list, "why", String(checks.note));
  if (partial) line(list, "partial", "Something that matters could not be seen, was cut or stays unexplained.");
}

const elements = new Set(DRAWING_ELEMENTS);
const attributes = new Set(DRAWING_ATTRIBUTES);

function readDrawing(source) {
  const drawing = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  // The page has the styles.
  for (const style of drawing.querySelectorAll("style")) style.remove();
  for (const element of [drawing, ...drawing.querySelectorAll("*")]) {
    const names = element.getAttributeNames();
    if (!elements.has(element.nodeName) || !names.every((name) => attributes.has(name))) throw new Error("no drawing of ours");
  }
  return document.importNode(drawing, true);
}

async function readPictures(hash, answer) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(answer));
  const proof = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const { contents } = await ask("resources/read", { uri: PICTURE_URI + hash + "/" + proof });
  return contents.map(({ uri, text }) => ({ form: uri.split("#")[1], drawing: readDrawing(text) }));
}

async function show({ content = [], structuredContent: told = {}, isError }) {
  const mine = ++results;
  const texts = content.filter(({ type }) => type === "text").map(({ text }) => text);
  const asksMoney = told.x402Version !== undefined;
  at("summary").textContent = asksMoney ? "A payment is asked for before this is answered." : (told.summary ?? texts[0] ?? "");
  at("state").textContent = "";
  showWarnings(isError ? {} : told);
  for (const form of ["wide", "narrow"]) at(form).replaceChildren();
  if (isError || told.tx_hash === undefined) return;
  const read = canRead ? readPictures(told.tx_hash, texts[1] ?? "") : Promise.reject();
  const pictures = await read.catch(() => undefined);
  if (mine !== results) return;
  for (const { form, drawing } of pictures ?? []) at(form).replaceChildren(drawing);
  if (pictures === undefined) at("state").textContent = "There is no picture here. Ask for the transaction again to see one.";
}

function wear({ theme } = {}) {
  if (theme === "light" || theme === "dark") root.className = theme;
}

const notices = {
  "ui/notifications/tool-result": (params) => void show(params ?? {}),
  "ui/notifications/tool-cancelled": () => { at("summary").textContent = "The call was cancelled."; },
  "ui/notifications/host-context-changed": wear,
};

window.addEventListener("message", ({ source, data }) => {
  if (source !== host || data === null || typeof data !== "object" || data.jsonrpc !== "2.0") return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asker?.resolve(result);
    else asker?.reject(error);
  } else if (id === undefined) notices[method]?.(params);
  else if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
  else post({ id, error: { code: -32601, message: "The page has no such method." } });
});

new ResizeObserver(() => {
  const height = Math.ceil(root.getBoundingClientRect().height);
  post({ method: "ui/notifications/size-changed", params: { height } });
}).observe(root);

ask("ui/initialize", {
  protocolVersion: "2026-01-26",
  appInfo: { name: "txgloss", version: APP_VERSION },
  appCapabilities: { availableDisplayModes: ["inline"] },
}).then(({ hostCapabilities = {}, hostContext }) => {
  canRead = hostCapabilities.serverResources !== undefined;
  wear(hostContext);
  post({ method: "ui/notifications/initialized", params: {} });
});
})();
`;
