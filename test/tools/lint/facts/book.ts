import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
export const oldPool = "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E";
export const router = "0x420DD381b31aEf6683db6B902084cB0FFECe40Da";

/** A folder for one test; the system clears it away. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), "txgloss-facts-"));
}

/** Runs git in a folder, with a fixed author and without settings of the machine. */
export function git(cwd: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const who = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"];
  return execFileSync("git", [...who, ...args], { cwd, env, encoding: "utf8" }).trim();
}

/** Commits these files as the whole content of the repository. Gives the commit's id. */
export function commitFiles(dir: string, files: Record<string, string>): string {
  mkdirSync(dir, { recursive: true });
  git(dir, "init", "--quiet");
  git(dir, "rm", "-r", "--quiet", "--force", "--ignore-unmatch", ".");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  git(dir, "add", "--all");
  git(dir, "commit", "--quiet", "--message", "addresses");
  return git(dir, "rev-parse", "HEAD");
}

/** Writes a rule file with these contracts and gives its path. In every role, the rule expects its event there. */
export function writeRules(
  contracts: Record<string, { address: string; sources: readonly string[] }>,
  members = "",
): string {
  const roles = Object.entries(contracts).map(
    ([role, { address, sources }]) =>
      `  ${role}:\n    source: ${JSON.stringify(sources)}\n    Example ${role}: "${address}"\n`,
  );
  const text = `protocol: example
name: Example Lend
kind: protocol
site: https://example.org
contracts:
${roles.join("")}${members}abi:
  Supply: "event Supply(address indexed reserve, address indexed user, uint256 amount)"
  Transfer: "event Transfer(address indexed from, address indexed to, uint256 value)"
  supply: "function supply(address asset, uint256 amount)"
  token0: "function token0() view returns (address)"
  token1: "function token1() view returns (address)"
rules:
  - id: supply
    action: lending_supply
    anchor: { event: Supply }
    at: [${Object.keys(contracts).join(", ")}]
    subject: user
    say: "supply tokens to {protocol}"
`;
  const path = join(makeFolder(), "example.yaml");
  writeFileSync(path, text);
  return path;
}
