import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Installed, installPackage } from "../support/npm-package.ts";
import { root } from "../support/shared.ts";

interface Locked {
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
  packages: Record<string, Locked>;
};
/** What `npm install --omit=dev` puts beside the package. */
const production = Object.entries(packages).flatMap(([path, { dev, optional, devOptional, link }]) =>
  path.startsWith("node_modules/") && !(dev || optional || devOptional || link) ? [path] : [],
);

/** The disk blocks and the bytes of a folder, without the packages inside it, which are counted separately. */
function sizeOf(folder: string): { disk: number; bytes: number } {
  const { blocks, size } = lstatSync(folder);
  const sum = { disk: blocks * 512, bytes: size };
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === "node_modules") continue;
    const found = entry.isDirectory()
      ? sizeOf(path)
      : { disk: lstatSync(path).blocks * 512, bytes: lstatSync(path).size };
    sum.disk += found.disk;
    sum.bytes += found.bytes;
  }
  return sum;
}

let installed: Installed;
beforeAll(() => {
  installed = installPackage();
}, 180_000);
afterAll(() => installed?.remove());

describe("an installed package", () => {
  it("is under 120 MB with all that it needs, on a disk and in bytes", () => {
    const own = join(installed.dir, "node_modules/txgloss");
    const folders = [own, ...production.map((path) => join(root, path))];
    const sizes = folders.map((folder) => ({ folder, ...sizeOf(folder) })).sort((a, b) => b.disk - a.disk);
    const told = sizes.slice(0, 5).map(({ folder, disk }) => `${folder}: ${(disk / 2 ** 20).toFixed(1)} MB`);
    for (const unit of ["disk", "bytes"] as const)
      expect(sizes.reduce((sum, one) => sum + one[unit], 0) / 2 ** 20, `${unit}\n${told.join("\n")}`).toBeLessThan(120);
  });

  it("needs neither viem nor what only the checkout uses", () => {
    const names = production.map((path) => path.replace(/^.*node_modules\//, ""));
    expect(names).toEqual(expect.arrayContaining(["fastify", "yaml"]));
    for (const name of ["viem", "ox", "vitest", "typescript", "pg"])
      expect(names).not.toContain(name);
  });

  it("holds the licence of each package that it bundles", () => {
    const text = readFileSync(join(installed.dir, "node_modules/txgloss/dist/THIRD-PARTY.md"), "utf8");
    for (const name of ["abitype", "ox", "viem"]) {
      const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
      const [, licence = ""] = text.split(`## ${name} ${version}\n`);
      expect(licence).toMatch(/^\nMIT License\n\nCopyright \(c\) .+\n\nPermission is hereby granted/);
    }
  });
});
