import { describe, expect, it } from "vitest";
import { acceptsJson, acceptsType, prefersJson, prefersPage } from "../../../src/serve/http/accept.ts";

describe("a header that allows JSON", () => {
  it.each([
    [undefined, true],
    ["", true],
    [" \t", true],
    ["*/*", true],
    ["application/json", true],
    ["APPLICATION/JSON", true],
    [" application/json ", true],
    ["application/*;q=0.1", true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true],
    ["application/json;charset=utf-8;q=0.5, text/html", true],
    ["application/json; q=oops", true],
    ["application/json; q=1.2.3", true],
    ["application/json; Q = 0.2 ", true],
    ["*/*;q=0, application/json", true],
    ["application/*;q=0, application/json", true],
    ["application/json, application/json;q=0", true],
    ["text/html", false],
    ["application/xml", false],
    ["application/jsonp", false],
    ["application/json;q=0", false],
    ["application/json; Q = 0 ", false],
    ["application/json;a=1;q=0", false],
    ["application/json;q=0;q=1", false],
    ["application/json;q=0, */*", false],
    ["application/json;q=0, application/*", false],
    ["*/*, application/*;q=0", false],
    ["application/*;q=0.0", false],
    ["text/*, image/png", false],
  ])("Accept: %s → %s", (header, accepted) => {
    expect(acceptsJson(header)).toBe(accepted);
  });
});

describe("a header that allows another type", () => {
  it.each([
    [undefined, true],
    ["", true],
    ["text/html", true],
    ["text/*", true],
    ["*/*", true],
    ["text/html;q=0.001", true],
    ["text/html;q=0", false],
    ["application/json", false],
    ["application/*", false],
  ])("Accept: %s, of text/html → %s", (header, accepted) => {
    expect(acceptsType("text/html")(header)).toBe(accepted);
  });
});

describe("requests for JSON, and requests for a page", () => {
  it.each([
    [undefined, false, false],
    ["", false, false],
    ["*/*", false, false],
    ["text/plain", false, false],
    ["application/json", true, false],
    ["Application/JSON", true, false],
    ["application/*", true, false],
    ["application/json;q=0", false, false],
    ["application/json, */*", true, false],
    ["text/html", false, true],
    ["TEXT/HTML", false, true],
    ["text/*", false, true],
    ["text/html;q=0", false, false],
    ["text/html, application/json", false, true],
    ["text/html;q=0.5, application/json", true, false],
    ["text/html, application/json;q=0.9", false, true],
    ["text/html;q=0.5, application/json;q=0.5", false, true],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false, true],
    ["text/html;q=0.1, application/*;q=0.2", true, false],
    ["text/html;q=1, application/json", false, true],
    ["text/html;q=1, application/json;q=1.2.3", false, true],
  ])("Accept: %s → JSON %s, page %s", (header, json, page) => {
    expect([prefersJson(header), prefersPage(header)]).toEqual([json, page]);
  });
});
