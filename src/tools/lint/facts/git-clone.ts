import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Larger files are lists of everything, and nobody cites them. */
const fileBytesMax = 128 * 1024 * 1024;

export interface GitClone {
  /** Undefined when the clone lacks it. */
  resolve(commit: string): string | undefined;
  /** Undefined: no such file. `unread`: a partial clone lacks its content. */
  read(commit: string, path: string): string | undefined | "unread";
  /** In any case. */
  holders(commit: string, text: string): string[];
}

/** Finds `owner/name` below `dir`: `owner+name` or `owner/name`, or one folder deeper, bare or not. Only read, nothing is fetched. */
export function openClone(dir: string, repository: string): GitClone | undefined {
  const gitDir = [repository.replace("/", "+"), repository].map((name) => findGitDir(join(dir, name))).find(Boolean);
  if (gitDir === undefined) return undefined;
  // Without this, a partial clone would fetch what it lacks.
  const offline = ["-c", "protocol.allow=never", "--git-dir", gitDir];
  const git = (...args: string[]) => spawnSync("git", [...offline, ...args], { maxBuffer: fileBytesMax });
  return {
    resolve(commit) {
      const { status, stdout } = git("rev-parse", "--verify", "--quiet", `${commit}^{commit}`);
      return status === 0 ? stdout.toString().trim() : undefined;
    },
    read(commit, path) {
      const { status, stdout } = git("cat-file", "blob", `${commit}:${path}`);
      if (status === 0) return stdout.toString();
      return git("ls-tree", commit, "--", path).stdout.length > 0 ? "unread" : undefined;
    },
    holders(commit, text) {
      const { stdout } = git("grep", "-l", "-z", "-i", "-F", "-I", "-e", text, commit);
      const names = stdout.toString().split("\0");
      return names.filter((name) => name !== "").map((name) => name.slice(commit.length + 1));
    },
  };
}

function findGitDir(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const inside = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const places = [
    path,
    join(path, ".git"),
    ...inside.flatMap(({ name }) => [join(path, name), join(path, name, ".git")]),
  ];
  return places.find((place) => ["HEAD", "objects", "refs"].every((part) => existsSync(join(place, part))));
}
