import { createRequire } from "node:module";

/** Loads a package on first use. A start with a filled cache needs neither the YAML package nor the schema validator. */
export const loadPackage = createRequire(import.meta.url);
let yaml: typeof import("yaml") | undefined;

/** The YAML package. It is remembered here because it is used very often. */
export function loadYaml(): typeof import("yaml") {
  yaml ??= loadPackage("yaml") as typeof import("yaml");
  return yaml;
}
