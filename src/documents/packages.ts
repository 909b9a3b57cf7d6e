import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
let yaml: typeof import("yaml") | undefined;

/** The YAML package, loaded on first use: a start with a filled cache does without it. */
export function loadYaml(): typeof import("yaml") {
  yaml ??= load("yaml") as typeof import("yaml");
  return yaml;
}

/** The JSON Schema package, loaded on first use for the same reason. */
export function loadAjv(): typeof import("ajv/dist/2020.js") {
  return load("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
}

/** Its version: what it makes depends on it. */
export function ajvVersion(): string {
  return (load("ajv/package.json") as { version: string }).version;
}

/** What writes a compiled schema out as a module. */
export function loadStandaloneCode(): typeof import("ajv/dist/standalone/index.js").default {
  return (load("ajv/dist/standalone") as typeof import("ajv/dist/standalone/index.js")).default;
}

/** A module that was written out before. Throws when there is none. */
export function loadModule(path: string): unknown {
  return load(path);
}
