// Comes before every other import of the commands, and runs on older Node.js than they do: nothing here may be new.
import { readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(/^\D+/, "");

if (isOlder(process.versions.node, needed)) {
  console.error(`txgloss needs Node.js ${needed} or newer; this is Node.js ${process.versions.node} (node_too_old).`);
  process.exit(2);
}

/** Compares the first two numbers of versions. */
function isOlder(version, other) {
  const [major, minor] = version.split(".").map(Number);
  const [otherMajor, otherMinor] = other.split(".").map(Number);
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}
