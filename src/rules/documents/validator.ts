import { readFileSync } from "node:fs";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { documentCache, KeptFile } from "./kept-file.ts";
import { loadPackage } from "./packages.ts";

/** A file of schemas/. `definition`: the part that a document must fit, if not the whole. */
export interface DocumentSchema {
  name: string;
  definition?: string;
}

export function schemaText(name: string): string {
  return readFileSync(new URL(`../../../schemas/${name}`, import.meta.url), "utf8");
}

/** The texts of a schema and of all that it refers to, by name. A cache of checked files depends on them. */
export function schemaTexts(name: string, known: Map<string, string> = new Map()): ReadonlyMap<string, string> {
  if (known.has(name)) return known;
  const text = schemaText(name);
  known.set(name, text);
  for (const [, other = ""] of text.matchAll(/"\$ref": "([a-z0-9-]+\.schema\.json)/g)) schemaTexts(other, known);
  return known;
}

const validators = new Map<string, ValidateFunction>();

export function findValidator(schema: DocumentSchema): ValidateFunction {
  const reference = referenceOf(schema);
  let validate = validators.get(reference);
  if (validate === undefined) {
    validate = openValidator(schema, documentCache);
    validators.set(reference, validate);
  }
  return validate;
}

/** Keeps the compiled code in a folder: compiling takes longer than checking all files. Tests check the schemas themselves. */
export function openValidator(schema: DocumentSchema, dir: string): ValidateFunction {
  const texts = schemaTexts(schema.name);
  const kind = ["validator", schema.name.replace(/\.schema\.json$/, ""), schema.definition ?? []].flat().join("-");
  const { version } = loadPackage("ajv/package.json") as { version: string };
  const file = new KeptFile(dir, { kind, extension: "cjs" }, [settingsVersion, version, ...texts.values()]);
  return file.read(loadValidator) ?? compile(schema, texts, file);
}

/** Raise this when the settings below change. */
const settingsVersion = "2";

/** Throws when the file holds none. */
function loadValidator(path: string): ValidateFunction {
  const { validate } = loadPackage(path) as { validate?: ValidateFunction };
  if (typeof validate !== "function") throw new TypeError("no validator");
  return validate;
}

function compile(schema: DocumentSchema, texts: ReadonlyMap<string, string>, file: KeptFile): ValidateFunction {
  const { Ajv2020 } = loadPackage("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
    code: { optimize: false, source: true },
    // Keywords for editors; schema-check.ts reads the second too.
    keywords: ["markdownEnumDescriptions", "patternErrorMessage"],
  });
  // References are relative to the address of the package, which is the id of each schema.
  for (const [name, text] of texts) if (name !== schema.name) ajv.addSchema(JSON.parse(text));
  ajv.addSchema(JSON.parse(texts.get(schema.name) ?? ""), schema.name);
  const validate = ajv.getSchema(referenceOf(schema)) as ValidateFunction;
  const standalone = loadPackage("ajv/dist/standalone") as typeof import("ajv/dist/standalone/index.js");
  file.write(() => standalone.default(ajv, { validate: referenceOf(schema) }));
  return validate;
}

function referenceOf({ name, definition }: DocumentSchema): string {
  return definition === undefined ? name : `${name}#/$defs/${definition}`;
}
