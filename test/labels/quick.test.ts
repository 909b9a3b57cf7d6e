import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Document, isCollection, isPair, parseDocument, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { readQuickly } from "../../src/labels/quick.ts";
import { labelsDir } from "../support/labels.ts";

const texts = readdirSync(labelsDir, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => [name, readFileSync(join(labelsDir, name), "utf8")] as const);

/** What the library reads, in plain objects; undefined when it finds a mistake. */
function readSlowly(text: string): { data: unknown } | undefined {
  const document = parseDocument(text, { prettyErrors: false });
  return document.errors.length > 0 ? undefined : { data: JSON.parse(JSON.stringify(document.toJS())) };
}

function plain(read: { data: unknown } | undefined): unknown {
  return read === undefined ? undefined : { data: JSON.parse(JSON.stringify(read.data)) };
}

test.each(texts)("%s is read quickly, and as the library reads it", (_, text) => {
  expect(readQuickly(text)).toBeDefined();
  expect(plain(readQuickly(text))).toEqual(readSlowly(text));
});

test.each([
  ["a tab", "a:\t1\n"],
  ["a carriage return", "a: 1\r\n"],
  ["a line separator", "a: b\u2028\n"],
  ["a byte order mark", "\ufeffa: b\n"],
  ["a key of hex", "0x1: a\n"],
  ["a key that is no text", "{}: a\nnull: b\n"],
  ["a key that is null", "a: { null: b }\n"],
  ["an anchor", "a: &x 1\n"],
  ["unquoted hex", "a: 0x10\n"],
  ["a float", "a: 1.5\n"],
  ["a long integer", "a: 1234567890123456\n"],
  ["a leading zero", "a: 010\n"],
  ["null", "a: null\n"],
  ["True", "a: True\n"],
  ["an empty value", "a:\nb: 1\n"],
  ["a comment behind a value", "a: b # c\n"],
  ["an escape", 'a: "\\u202e"\n'],
  ["single quotes", "a: 'b'\n"],
  ["a scalar over two lines", "a: b\n  c\n"],
  ["a key twice", "a: 1\na: 2\n"],
  ["a key twice in a flow mapping", "a: { b: 1, b: 2 }\n"],
  ["a comma at the end", "a: { b: 1, }\n"],
  ["nested flow collections", "a: { b: [1] }\n"],
  ["a flow collection over two lines", "a: [1,\n  2]\n"],
  ["a second document", "a: 1\n---\nb: 2\n"],
  ["an indented root", "  a: 1\n"],
  ["a sequence at its key's indent", "a:\n- b\n"],
  ["bad indentation", "a:\n    b: 1\n  c: 2\n"],
  ["mixed blocks", "a:\n  - b\n  c: 1\n"],
  ["no value at all", ""],
  ["an empty list", "a: []\n"],
  ["a block scalar", "a: |\n  b\n"],
])("%s is left to the library", (_, text) => {
  expect(readQuickly(text)).toBeUndefined();
});

test("what is read quickly, the library reads alike: documents of every shape", () => {
  const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ._+/()$-]{0,8}$/);
  const trap = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom("null", "True", "0x1", "1e3", "a: b", "- a", "# a", -1, 1.5, null),
  );
  const scalar = fc.oneof({ weight: 20, arbitrary: word }, { weight: 10, arbitrary: fc.nat() }, fc.boolean(), trap);
  const key = fc.oneof(
    { weight: 20, arbitrary: fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,5}$/) },
    fc.stringMatching(/^[A-Za-z0-9_-]{1,6}$/),
  );
  const fields = fc.dictionary(key, scalar, { minKeys: 1, maxKeys: 4 });
  const value = fc.oneof(
    scalar,
    fields,
    fc.array(fields, { minLength: 1, maxLength: 3 }),
    fc.array(scalar, { minLength: 1, maxLength: 3 }),
  );
  const nested = fc.dictionary(key, fc.oneof(value, fc.dictionary(key, value, { minKeys: 1, maxKeys: 3 })), {
    minKeys: 1,
    maxKeys: 3,
  });
  let read = 0;
  fc.assert(
    fc.property(nested, fc.boolean(), (data, flow) => {
      const document = new Document(data);
      if (flow) visit(document, { Collection: setFlow });
      const text = document.toString({ lineWidth: 0 });
      const quick = readQuickly(text);
      if (quick === undefined) return;
      read++;
      expect(plain(quick)).toEqual(readSlowly(text));
    }),
    { numRuns: 1_000 },
  );
  expect(read).toBeGreaterThan(200);
});

/** Writes an innermost collection on one line; the root stays a block. */
function setFlow(at: number | "key" | "value" | null, node: YAMLMap | YAMLSeq): void {
  if (at !== null && !node.items.some(isCollectionInside)) node.flow = true;
}

/** True for an entry of a collection that holds another collection. */
function isCollectionInside(item: unknown): boolean {
  return isCollection(isPair(item) ? item.value : item);
}

test("what is read quickly, the library reads alike: shipped files with random edits", () => {
  const lines = texts.flatMap(([, text]) => text.split("\n").slice(0, 60));
  const scrap = fc.constantFrom(
    " ",
    "  ",
    "\n",
    "- ",
    ": ",
    "#",
    '"',
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&a",
    "*a",
    "!",
    "|",
    ">",
    "%",
    "0x1",
    "~",
    "---",
    "...",
    "?",
    "@",
    "é",
    "\u00a0",
    "\u2028",
  );
  let read = 0;
  fc.assert(
    fc.property(
      fc.nat(lines.length - 12),
      fc.integer({ min: 1, max: 12 }),
      fc.nat(),
      fc.nat(12),
      scrap,
      (from, count, at, cut, insert) => {
        const text = `schema: x\n${lines.slice(from, from + count).join("\n")}\n`;
        const place = at % text.length;
        const edited = text.slice(0, place) + insert + text.slice(place + cut);
        const quick = readQuickly(edited);
        if (quick === undefined) return;
        read++;
        expect(plain(quick)).toEqual(readSlowly(edited));
      },
    ),
    { numRuns: 3_000 },
  );
  expect(read).toBeGreaterThan(100);
});
