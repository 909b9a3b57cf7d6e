import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * Prints what will be in the next release: the entries of docs/changes, in the order of their names. With `--release VERSION` they
 * move to that version's section of CHANGELOG.md, and their files are deleted. Run at the root of the checkout.
 */
const folder = join("docs", "changes");
const { values } = parseArgs({ options: { release: { type: "string" } } });

const names = readdirSync(folder)
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .sort();
const entries = names.map((name) => readFileSync(join(folder, name), "utf8").trim());
const odd = names.filter((_, i) => !/^- \S/.test(entries[i] as string));

if (odd.length > 0) {
  process.stderr.write(`${odd.join(", ")}: an entry starts with "- "\n`);
  process.exitCode = 1;
} else if (values.release === undefined) {
  process.stdout.write(entries.map((entry) => `${entry}\n`).join(""));
} else {
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  writeFileSync("CHANGELOG.md", release(changelog, values.release, entries));
  for (const name of names) rmSync(join(folder, name));
  process.stdout.write(`CHANGELOG.md: ${names.length} entries in ${values.release}\n`);
}

/** The changelog with the entries at the end of the version's section, which is made on top where there is none. */
function release(changelog: string, version: string, entries: readonly string[]): string {
  const [head = "", ...sections] = changelog.split(/^(?=## )/m);
  const isOwn = (section: string) => section.split("\n")[0]?.replace(" (unreleased)", "") === `## ${version}`;
  const own = sections.find(isOwn) ?? `## ${version}\n\n`;
  const lines = own
    .trimEnd()
    .split("\n")
    .slice(1)
    .filter((line) => line !== "");
  const section = [`## ${version}`, "", ...lines, ...entries, ""].join("\n");
  return [head, section, ...sections.filter((one) => !isOwn(one)).map((one) => `\n${one.trimEnd()}\n`)].join("");
}
