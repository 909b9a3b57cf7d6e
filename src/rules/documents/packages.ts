import { createRequire } from "node:module";

/** Loads on first use: a start with a filled cache needs neither YAML nor the schema validator. */
export const loadPackage = createRequire(import.meta.url);
let yaml: typeof import("yaml") | undefined;

/** Remembered here because it is used very often. */
export function loadYaml(): typeof import("yaml") {
  yaml ??= loadPackage("yaml") as typeof import("yaml");
  return yaml;
}
