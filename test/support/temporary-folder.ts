import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives a run of tests a temporary folder of its own, which goes with it: what a test forgets does not stay on the machine. */
export default function openTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-tests-"));
  // As open as the machine's own: PostgreSQL refuses to run as root and runs as somebody else.
  chmodSync(folder, 0o1777);
  // The processes of the tests, and those that they start, take it from here.
  process.env.TMPDIR = folder;
  // Hundreds of processes load the same modules: all but the first find them compiled.
  process.env.NODE_COMPILE_CACHE = join(folder, "code");
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
