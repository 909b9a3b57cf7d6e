// Runs before `npm start` and `npm test`, on whatever Node the machine has (20 or newer), so it is plain JavaScript.
// It installs when node_modules is missing or older than the lock file. What runs after it runs on the Node of node_modules/.bin.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

if (isStale()) {
  if (isLink())
    console.error("node_modules is a link: what it leads to is left alone, and may be older than package-lock.json.");
  else {
    install();
    prepare();
  }
}
checkNode();

/** npm writes node_modules/.package-lock.json at the end of every install. */
function isStale() {
  const installed = statSync(join(root, "node_modules", ".package-lock.json"), { throwIfNoEntry: false });
  return installed === undefined || installed.mtimeMs < statSync(join(root, "package-lock.json")).mtimeMs;
}

/** npm would empty the folder that a link leads to, which belongs to another checkout. */
function isLink() {
  return lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function install() {
  console.error("Installing the packages of package-lock.json (npm ci) …");
  const npm = process.env.npm_execpath;
  // Its warnings are about the machine's own Node, which only installs and runs nothing after that.
  const ci = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, args] = npm === undefined ? ["npm", ci] : [process.execPath, [npm, ...ci]];
  const shell = npm === undefined && process.platform === "win32";
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2], shell });
  if (status === 0) return;
  console.error(`npm ci failed${error === undefined ? "" : `: ${error.message}`}. It needs the package registry once.`);
  process.exit(1);
}

/** Fills the cache of parsed rules. When this fails, the first start does the work. */
function prepare() {
  const node = ["node", "node.exe"]
    .map((name) => join(root, "node_modules", ".bin", name))
    .find((path) => existsSync(path));
  spawnSync(node ?? process.execPath, [join(root, "src", "start", "prepare.ts")], { cwd: root, stdio: "ignore" });
}

/** The pinned Node is an optional package for the common platforms; elsewhere the machine's own must be new enough. */
function checkNode() {
  const pinned = ["node", "node.exe", "node.cmd"].some((name) => existsSync(join(root, "node_modules", ".bin", name)));
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (pinned || major > 22 || (major === 22 && minor >= 18)) return;
  console.error(
    `Node ${process.versions.node} cannot run TypeScript, and no pinned Node fits this platform. Install Node 22.18 or newer.`,
  );
  process.exit(1);
}
