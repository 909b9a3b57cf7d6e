import { expect, it } from "vitest";
import { renderAppPage } from "../../../src/serve/mcp/definitions.ts";
import { appProgram, drawingAttributes, drawingElements } from "../../../src/serve/mcp/picture-app/app-program.ts";
import { narrowSize, pictureFile, wideSize } from "../../../src/serve/picture/picture.ts";
import { explanationOf, hashOf, pictureFactsOf } from "../../support/sample.ts";

const program = appProgram("1.2.3", "scheme://picture/");

it("the program of the page has its values where their names stood", () => {
  for (const part of [
    'appInfo: { name: "txgloss", version: "1.2.3" }',
    '{ uri: "scheme://picture/" + hash + "/" + proof }',
    `new Set(${JSON.stringify(drawingElements)})`,
    `new Set(${JSON.stringify(drawingAttributes)})`,
  ])
    expect(program).toContain(part);
  expect(program).not.toMatch(/\b[A-Z]+_[A-Z]+\b/);
});

it("the page has nothing but one style sheet and this program", () => {
  const page = renderAppPage("1.2.3", "scheme://picture/");
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(page).toContain("default-src 'none'; script-src 'unsafe-inline'");
  expect(page.split(/<\/?script>/)).toEqual([expect.any(String), program, "</body></html>\n"]);
  expect(page.match(/<(?:style|link|img|iframe)/g)).toEqual(["<style"]);
});

it.each([wideSize, narrowSize])("a drawing ($id) has only what the page takes", (size) => {
  const drawing = pictureFile({ explanation: explanationOf(hashOf(1)), facts: pictureFactsOf() }, size);
  const tags = [...drawing.matchAll(/<([a-z]+)((?: [\w-]+="[^"]*")*)/gi)];
  const attributes = tags.flatMap(([, , rest = ""]) => [...rest.matchAll(/ ([\w-]+)=/g)].map(([, name]) => name));
  expect(tags.length).toBeGreaterThan(5);
  expect(tags.map(([, name]) => name).filter((name) => ![...drawingElements, "style"].includes(String(name)))).toEqual(
    [],
  );
  expect(attributes.filter((name) => !drawingAttributes.includes(String(name)))).toEqual([]);
  expect(attributes).toEqual(expect.arrayContaining(["xmlns", "viewBox", "font-size"]));
});
