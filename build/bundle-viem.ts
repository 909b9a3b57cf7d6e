// Puts what the compiled code uses of viem, and of the reader of ABIs below it, into dist/viem, so that those who install the package need not install viem: of its 60 MB
// two in a hundred are used. The checkout, the tests and the container image use viem itself.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { rolldown } from "rolldown";

const importLine = /^import (\{[^}]*\}|\* as \w+) from "(abitype|viem(?:\/\w+)?)";$/gm;
/** The file that takes the place of a module. */
const places: Readonly<Record<string, string>> = {
  abitype: "abitype.js",
  viem: "viem.js",
  "viem/utils": "utils.js",
  "viem/accounts": "accounts.js",
  "viem/chains": "chains.js",
};

/** Types of viem that the declarations of the package name. */
const shapes = `/** A parameter of an ABI item, as Solidity's JSON form has it. */
export interface AbiParameter {
  readonly type: string;
  readonly name?: string | undefined;
  readonly internalType?: unknown;
  readonly components?: readonly AbiParameter[];
}
export interface AbiEvent {
  readonly type: "event";
  readonly name: string;
  readonly anonymous?: boolean | undefined;
  readonly inputs: readonly (AbiParameter & { readonly indexed?: boolean | undefined })[];
}
export interface AbiFunction {
  readonly type: "function";
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly outputs: readonly AbiParameter[];
  readonly stateMutability: "pure" | "view" | "nonpayable" | "payable";
}
`;

/** Bundles what `dist` imports of viem and makes it import the bundle. Returns the licences of what was bundled. */
export async function bundleViem(dist: string, root: string): Promise<string> {
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => /\.(?:js|d\.ts)$/.test(path));
  const used = new Map(Object.keys(places).map((name) => [name, new Set<string>()]));
  for (const path of files.filter((name) => name.endsWith(".js")))
    for (const [, names = "", from = ""] of readFileSync(join(dist, path), "utf8").matchAll(importLine))
      for (const name of names.startsWith("*")
        ? ["*"]
        : names
            .replace(/[{}\s]/g, "")
            .split(",")
            .filter(Boolean))
        used.get(from)?.add(name);
  const folder = join(dist, "viem");
  mkdirSync(folder, { recursive: true });
  const packages = await bundle(used, { folder, root });
  writeFileSync(join(folder, "viem.d.ts"), shapes);
  for (const path of files) redirect(join(dist, path), folder);
  return packages.map((name) => licenceOf(join(root, "node_modules", name))).join("\n");
}

/** Returns the packages that the bundle holds. */
async function bundle(used: Map<string, Set<string>>, { folder, root }: { folder: string; root: string }) {
  const names = new Set<string>();
  const modules = join(root, "node_modules");
  const texts = new Map(
    [...used].map(([from, list]) => [join(modules, places[from] as string), exportText(from, list)]),
  );
  const isChains = (path: string) => path.endsWith(places["viem/chains"] as string);
  // Modules of their own, so that a bundler takes what it needs; but the thousand small files of the chains become one.
  for (const preserveModules of [true, false]) {
    const entries = [...texts.keys()].filter((path) => isChains(path) !== preserveModules);
    const build = await rolldown({
      input: Object.fromEntries(entries.map((path) => [basename(path, ".js"), path])),
      cwd: root,
      platform: "node",
      external: /^(?:node:|@noble\/)/,
      plugins: [
        {
          name: "entries",
          resolveId: (id) => (texts.has(id) ? id : null),
          load: (id) => texts.get(id) ?? null,
        },
      ],
    });
    const { output } = await build.write({ dir: folder, preserveModules, preserveModulesRoot: modules });
    await build.close();
    for (const file of output)
      for (const path of file.type === "chunk" ? Object.keys(file.modules) : [])
        names.add(/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? "");
  }
  names.delete("");
  return [...names].sort();
}

function exportText(from: string, names: ReadonlySet<string>): string {
  if (names.has("*")) return `export * from "${from}";`;
  return `export { ${[...names].sort().join(", ")} } from "${from}";`;
}

/** Makes a compiled file or a declaration import from the bundle. */
function redirect(path: string, folder: string): void {
  const text = readFileSync(path, "utf8");
  const whole = text.replace(/(from |import\()"(abitype|viem(?:\/\w+)?)"/g, (_all, word: string, from: string) => {
    // All types of the declarations stand in one file.
    const place = path.endsWith(".d.ts") ? "viem.js" : (places[from] as string);
    const target = relative(dirname(path), join(folder, place)).replaceAll("\\", "/");
    return `${word}"${target.startsWith(".") ? target : `./${target}`}"`;
  });
  if (whole !== text) writeFileSync(path, whole);
}

/** Name, version and licence text of an installed package. */
function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence text`);
  return `## ${name} ${version}\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
