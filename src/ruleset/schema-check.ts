import { readFileSync } from "node:fs";
import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { SourceDocument } from "./document.ts";
import { createReporter } from "./reporter.ts";
import { suggest } from "./suggest.ts";

const schemaFiles = { rule: "rule.schema.json", actions: "actions.schema.json" } as const;
const compiled = new Map<string, ValidateFunction>();

/** Validates a file by its schema; every violation becomes a diagnostic at its token. True when there are none. */
export function checkSchema(
  kind: keyof typeof schemaFiles,
  source: SourceDocument,
  diagnostics: Diagnostic[],
): boolean {
  const validate = validator(kind);
  if (validate(source.value)) return true;
  const reporter = createReporter(source, diagnostics);
  const seen = new Set<string>();
  for (const error of relevant(validate.errors ?? [])) {
    const path = pathOf(error.instancePath, source.value);
    const key = `${path.join("/")} ${error.keyword} ${error.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    reportError(error, path, reporter);
  }
  return false;
}

function reportError(error: ErrorObject, path: (string | number)[], reporter: ReturnType<typeof createReporter>): void {
  if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties") {
    const name = String(error.params.additionalProperty ?? error.params.unevaluatedProperty);
    const known = Object.keys((error.parentSchema as { properties?: object })?.properties ?? {});
    reporter.report("RL203", [...path, name], `\`${name}\` is no known field`, {
      key: true,
      suggest: suggest(name, known),
    });
    return;
  }
  const allowed = error.keyword === "enum" ? `: ${(error.params.allowedValues as string[]).join(", ")}` : "";
  const where = path.length === 0 ? "the file" : `\`${path.join(".")}\``;
  reporter.report("RL202", path, `${where} ${error.message ?? "is not valid"}${allowed}`);
}

/** Branches of `oneOf`/`anyOf` repeat each other: the deepest complaint is the useful one. */
function relevant(errors: ErrorObject[]): ErrorObject[] {
  const plain = errors.filter(
    (error) => error.keyword !== "oneOf" && error.keyword !== "anyOf" && error.keyword !== "if",
  );
  return plain.length > 0 ? plain : errors;
}

function validator(kind: keyof typeof schemaFiles): ValidateFunction {
  const known = compiled.get(kind);
  if (known !== undefined) return known;
  const url = new URL(`../../schemas/${schemaFiles[kind]}`, import.meta.url);
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true });
  const made = ajv.compile(JSON.parse(readFileSync(url, "utf8")));
  compiled.set(kind, made);
  return made;
}

/** `/rules/0/id` → `["rules", 0, "id"]`, with numbers only where the data has lists. */
function pathOf(pointer: string, root: unknown): (string | number)[] {
  let node = root;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const step = Array.isArray(node) ? Number(key) : key;
      node = (node as Record<string | number, unknown> | undefined)?.[step];
      return step;
    });
}
