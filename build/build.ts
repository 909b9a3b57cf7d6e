// Makes dist/, which the npm package ships: compiled code with declarations, and the rules compiled to one file.
// `npm pack` and `npm publish` run it. A checkout runs src/ and needs no dist/.
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { compileRules } from "../src/engine/compile-rules.ts";
import { packageRoot } from "../src/serve/settings/config.ts";
import { findSources } from "../src/tools/lint/sources.ts";

const dist = join(packageRoot, "dist");
/** What the code reads beside itself. */
const assets = new Set([".sql", ".txt", ".yaml"]);

/** Without it the type of compiled-rules.json would be all that it holds. */
const rulesType = `import type { CompiledRules } from "./engine/compiled-rules.js" with { "resolution-mode": "import" };
declare const compiled: CompiledRules;
export = compiled;
`;

rmSync(dist, { recursive: true, force: true });
const compiler = join(packageRoot, "node_modules/.bin/tsc");
const { status } = spawnSync(compiler, ["-p", join(packageRoot, "build/tsconfig.json")], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
cpSync(join(packageRoot, "src"), dist, {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || assets.has(extname(path)),
});
for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" }))
  if (path.endsWith(".d.ts")) keepAttributes(join(dist, path));
writeFileSync(join(dist, "compiled-rules.d.cts"), rulesType);
process.chdir(packageRoot);
writeFileSync(join(dist, "compiled-rules.json"), JSON.stringify(compileRules(findSources(["rules", "labels"]))));

/** The compiler leaves out of declarations that an imported file is JSON, and then refuses them where they are checked. */
function keepAttributes(path: string): void {
  const text = readFileSync(path, "utf8");
  const whole = text.replace(/^(import .+ from ".+\.json");$/gm, '$1 with { type: "json" };');
  if (whole !== text) writeFileSync(path, whole);
}
