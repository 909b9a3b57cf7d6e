import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
let yaml: typeof import("yaml") | undefined;
let ajv: typeof import("ajv/dist/2020.js") | undefined;

/** The YAML package, loaded on first use: a start with a filled cache does without it. */
export function loadYaml(): typeof import("yaml") {
  yaml ??= load("yaml") as typeof import("yaml");
  return yaml;
}

/** The JSON Schema package, loaded on first use for the same reason. */
export function loadAjv(): typeof import("ajv/dist/2020.js") {
  ajv ??= load("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  return ajv;
}
