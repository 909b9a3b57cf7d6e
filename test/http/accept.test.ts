import { expect, it } from "vitest";
import { acceptsJson } from "../../src/http/accept.ts";

it.each([
  [undefined, true],
  ["", true],
  ["*/*", true],
  ["application/json", true],
  ["APPLICATION/JSON", true],
  ["application/*;q=0.1", true],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
  ["application/json;charset=utf-8;q=0.5, text/html", true],
  ["application/json; q=oops", true],
  ["*/*;q=0, application/json", true],
  ["text/html", false],
  ["application/xml", false],
  ["application/json;q=0", false],
  ["application/json;q=0, */*", false],
  ["application/*;q=0.0", false],
  ["text/*, image/png", false],
])("Accept: %s → %s", (header, accepted) => {
  expect(acceptsJson(header)).toBe(accepted);
});
