import { createRequire } from "node:module";

/** Loads a package on first use: a start with a filled cache does without those that read YAML and check by schemas. */
export const loadPackage = createRequire(import.meta.url);
let yaml: typeof import("yaml") | undefined;

/** The YAML package. It is asked for often. */
export function loadYaml(): typeof import("yaml") {
  yaml ??= loadPackage("yaml") as typeof import("yaml");
  return yaml;
}
