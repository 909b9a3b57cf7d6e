import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DocumentSchema, openValidator } from "../../../src/rules/documents/validator.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-validator-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const tokens: DocumentSchema = { name: "label.schema.json", definition: "tokens_file" };
const verbs: DocumentSchema = { name: "verbs.schema.json" };
const names = () => readdirSync(dir).sort();
const complaints = (validate: ValidateFunction, value: unknown) => (validate(value) ? [] : validate.errors);

describe("a validator that was kept", () => {
  it("says the same as the one that was compiled", () => {
    const schemas = [
      ...["rule", "actions", "verbs", "wording"].map((name): DocumentSchema => ({ name: `${name}.schema.json` })),
      ...["tokens", "names", "system", "chains", "decimals", "proxies", "feeds"].map(
        (kind): DocumentSchema => ({ name: "label.schema.json", definition: `${kind}_file` }),
      ),
    ];
    const values = [
      ...[null, [], {}, { verbs: [] }, { schema: "tokens/v1", tokens: [{ address: 5 }] }, { protocol: { id: "A" } }],
      { rules: [{ id: "x", does: 7, when: { wrong: true } }], sources: { "": 1 } },
    ];
    for (const schema of schemas) {
      const [compiled, kept] = [openValidator(schema, dir), openValidator(schema, dir)];
      expect(kept).not.toBe(compiled);
      expect(complaints(compiled, null)).toHaveLength(1);
      for (const value of values) expect(complaints(kept, value)).toEqual(complaints(compiled, value));
    }
    expect(names()).toHaveLength(schemas.length);
  });

  it("lies under a name of its schema, and stays when others are made", () => {
    openValidator(tokens, dir);
    openValidator(verbs, dir);
    const form = (start: string) => expect.stringMatching(new RegExp(`^validator-${start}-[0-9a-f]{32}\\.cjs$`));
    expect(names()).toEqual([form("label-tokens_file"), form("verbs")]);
  });

  it("is taken as it lies there", () => {
    openValidator(verbs, dir);
    writeFileSync(join(dir, names()[0] as string), "exports.validate = () => 'as kept';");
    expect(openValidator(verbs, dir)(null)).toBe("as kept");
  });

  it.each(["", "exports.validate = 5;", "no code (", "throw new Error('damaged')"])(
    "is made anew from `%s`",
    (text) => {
      openValidator(verbs, dir);
      const [name] = names();
      const whole = readFileSync(join(dir, name as string), "utf8");
      writeFileSync(join(dir, name as string), text);
      expect(complaints(openValidator(verbs, dir), null)).not.toEqual([]);
      expect(readFileSync(join(dir, name as string), "utf8")).toBe(whole);
    },
  );

  it("is done without where the folder cannot be written to", () => {
    const place = join(dir, "a file");
    writeFileSync(place, "");
    expect(complaints(openValidator(verbs, place), null)).not.toEqual([]);
  });
});
