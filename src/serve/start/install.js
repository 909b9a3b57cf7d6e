// Runs before `npm start` and `npm test`, on whatever Node.js the machine has (20 or newer), so it is plain JavaScript. What runs after
// it runs on the pinned Node.js of node_modules/.bin.
//
//     node src/serve/start/install.js [all]
//
// Without `all`, it installs what serving needs. npm installs into a folder beside node_modules, which takes its place when it is
// complete: a start that is stopped at any moment leaves what was there before.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainFailure } from "./install-failure.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const modules = join(root, "node_modules");
const withTests = process.argv[2] === "all";
const locked = readPackages(join(root, "package-lock.json"));
/** @typedef {{ version?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean, os?: string | string[], cpu?: string | string[] }} LockedPackage */

/** The packages beside package.json whose own package.json npm reads. */
const members = ["src/serve/start/node", "test/platform"];
const pinned = pinnedNode();

try {
  if (pinned === undefined && !canRun()) throw failure("node_too_old", "");
  settleInterrupted();
  if (!isComplete(modules)) installUnlessLinked();
} catch (error) {
  const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (error);
  console.error(explainFailure(code, message, { root, withTests }));
  process.exitCode = 1;
}

/**
 * What a lock file says is installed, by place. Nothing where there is no such file.
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function readPackages(path) {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")).packages ?? {}) : {};
}

/**
 * Whether a folder holds what is wanted, in the versions of the lock file. npm writes the list of a folder last. Optional packages may be
 * missing, as they are on platforms that they do not fit; the pinned Node.js may not.
 * @param {string} folder
 */
function isComplete(folder) {
  const installed = readPackages(join(folder, ".package-lock.json"));
  if (pinned !== undefined && !canRun() && !existsSync(pinnedCommand(folder))) return false;
  return Object.entries(locked).every(([place, entry]) => {
    if (!place.startsWith("node_modules/") || entry.link) return true;
    const needed = !entry.optional && !entry.devOptional && (withTests || !entry.dev);
    const there = installed[place];
    return there === undefined ? !needed : there.version === entry.version;
  });
}

/** Takes over what another start had installed when it was ended, and removes what it left. */
function settleInterrupted() {
  for (const name of readdirSync(root)) {
    const pid = /^\.install-(\d+)$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(root, name);
    const finished = join(folder, "node_modules");
    if (!existsSync(modules) && isComplete(finished)) renameSync(finished, modules);
    // What still writes there is the npm of that start; the next start removes the rest.
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
    } catch {}
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** A folder that a link leads to belongs to another checkout. */
function installUnlessLinked() {
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink())
    console.error("node_modules is a link: what it leads to is left alone, and may be older than package-lock.json.");
  else install();
}

function install() {
  const folder = join(root, `.install-${process.pid}`);
  console.error(`Installing the packages of package-lock.json${withTests ? ", those for the tests among them" : ""} …`);
  try {
    copyManifests(folder);
    runNpm(folder);
    // Its C headers are for compilers, and a third of it.
    if (pinned !== undefined) rmSync(join(folder, pinned, "include"), { recursive: true, force: true });
    if (existsSync(modules)) renameSync(modules, join(folder, "replaced"));
    renameSync(join(folder, "node_modules"), modules);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  prepare();
}

/** @param {string} folder */
function copyManifests(folder) {
  mkdirSync(folder);
  for (const name of ["package.json", "package-lock.json", ".npmrc"])
    if (existsSync(join(root, name))) copyFileSync(join(root, name), join(folder, name));
  for (const member of members) {
    mkdirSync(join(folder, member), { recursive: true });
    copyFileSync(join(root, member, "package.json"), join(folder, member, "package.json"));
  }
}

/** @param {string} folder */
function runNpm(folder) {
  const script = process.env.npm_execpath;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  args.push(withTests ? "--include=dev" : "--omit=dev");
  if (pinned === undefined) args.push("--no-workspaces");
  const [command, all] = script === undefined ? ["npm", args] : [process.execPath, [script, ...args]];
  const shell = script === undefined && process.platform === "win32";
  const { status, error, stdout, stderr } = spawnSync(command, all, {
    cwd: folder,
    env: npmEnvironment(),
    encoding: "utf8",
    maxBuffer: 1 << 26,
    shell,
  });
  if (status === 0) return;
  const code = /** @type {NodeJS.ErrnoException | undefined} */ (error)?.code ?? "";
  throw failure(code, `${stdout ?? ""}${stderr ?? ""}${error ?? ""}`);
}

/**
 * Secrets of the service are in the environment, and npm needs none of them. Proxies and certificates reach it as settings of its own.
 * @returns {NodeJS.ProcessEnv}
 */
function npmEnvironment() {
  const { env } = process;
  const system =
    process.platform === "win32"
      ? /^(path|home|npm_.*|systemroot|comspec|pathext|temp|userprofile|(local)?appdata)$/i
      : /^(PATH|HOME|npm_.*)$/;
  const settings = {
    npm_config_https_proxy: env.HTTPS_PROXY ?? env.https_proxy,
    npm_config_proxy: env.HTTP_PROXY ?? env.http_proxy,
    npm_config_noproxy: env.NO_PROXY ?? env.no_proxy,
    npm_config_cafile: env.NODE_EXTRA_CA_CERTS,
  };
  return Object.fromEntries(
    [...Object.entries(settings), ...Object.entries(env)].filter(
      ([name, value]) => value !== undefined && system.test(name),
    ),
  );
}

/** Fills the cache of parsed rules. When this fails, the first start does the work. */
function prepare() {
  const node = pinnedCommand(modules);
  const script = join(root, "src/serve/start/prepare.ts");
  spawnSync(existsSync(node) ? node : process.execPath, [script], {
    cwd: root,
    env: npmEnvironment(),
    stdio: "ignore",
  });
}

/** Whether the machine's own Node.js runs TypeScript. */
function canRun() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/** The place of the Node.js that is pinned for this platform. Those for Linux need glibc. */
function pinnedNode() {
  const isMusl = process.platform === "linux" && readdirSync("/lib").some((name) => name.startsWith("ld-musl-"));
  if (isMusl) return undefined;
  return Object.entries(locked).find(
    ([place, { os, cpu }]) =>
      place.startsWith("node_modules/node-") &&
      [os].flat().includes(process.platform) &&
      [cpu].flat().includes(process.arch),
  )?.[0];
}

/** @param {string} folder a node_modules */
function pinnedCommand(folder) {
  return join(folder, ".bin", process.platform === "win32" ? "node.cmd" : "node");
}

/**
 * @param {string} code of the system, or `node_too_old`
 * @param {string} output of npm
 */
function failure(code, output) {
  return Object.assign(new Error(output), { code });
}
