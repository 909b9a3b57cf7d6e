import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { errorTable } from "../../src/kernel/error.ts";
import { settingTable } from "../../src/settings/setting-value.ts";
import { root } from "../support/shared.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json"));

describe("package.json", () => {
  it("pins every version exactly", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(version)),
    );
    expect(loose).toEqual([]);
  });

  it("installs on Node 20 and then runs on the pinned one: every script that runs code is preceded by the install", () => {
    for (const name of ["start", "test", "dev"])
      expect(manifest.scripts[`pre${name}`]).toBe("node src/start/install.js");
  });

  it("ships what it names", () => {
    for (const path of [...manifest.files, ...Object.values(manifest.bin as object)]) {
      expect(existsSync(join(root, path)), path).toBe(true);
    }
  });

  it("agrees with the lock file and the changelog about the version", () => {
    expect(JSON.parse(read("package-lock.json")).packages[""].version).toBe(manifest.version);
    expect(read("CHANGELOG.md")).toContain(manifest.version);
  });
});

it("has a CI entry that can be run", () => {
  accessSync(join(root, ".ci/run"), constants.X_OK);
});

describe("the documents", () => {
  const rows = (path: string) =>
    read(path)
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .map((line) => line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()));

  it("lists every setting with its default, and no other", () => {
    const named = rows("docs/operating.md").filter(([name]) => /^`[A-Z0-9_]+`$/.test(String(name)));
    expect(named.map((cells) => cells.slice(0, 3))).toEqual(
      Object.entries(settingTable).map(([name, { default: value, meaning }]) => [
        `\`${name}\``,
        `\`${value}\``,
        meaning,
      ]),
    );
  });

  it("lists every error with its status and meaning, and no other", () => {
    const named = rows("docs/http-api.md").filter(([, status]) => /^[45]\d\d$/.test(String(status)));
    const expected = Object.entries(errorTable).map(([code, { status, retryable, meaning }]) => {
      return [`\`${code}\``, String(status), retryable ? "yes" : "no", meaning];
    });
    expect(named.map((cells) => cells.slice(0, 4))).toEqual(expected);
  });

  it("link to files that are there", () => {
    const pages = [
      "README.md",
      "CONTRIBUTING.md",
      "SECURITY.md",
      ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
    ];
    const broken = pages
      .filter((page) => page.endsWith(".md"))
      .flatMap((page) =>
        [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
          .map(([, target]) => join(dirname(page), String(target)))
          .filter((target) => !existsSync(join(root, target)))
          .map((target) => `${page} → ${target}`),
      );
    expect(broken).toEqual([]);
  });

  it("show every page in the table of contents of README.md", () => {
    const readme = read("README.md");
    const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    expect(pages.filter((name) => !readme.includes(`docs/${name}`))).toEqual([]);
  });
});
