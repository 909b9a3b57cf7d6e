import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives a run of tests its own temporary folder and deletes it afterwards, so files that a test leaves behind do not stay on the machine.
 */
export default function openTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-tests-"));
  // The same permissions as the system's temporary folder. PostgreSQL needs them, because it refuses to run as root and runs as another
  // user.
  chmodSync(folder, 0o1777);
  // Test processes, and the processes that they start, read the folder from here.
  process.env.TMPDIR = folder;
  // Hundreds of processes load the same modules. With this cache only the first one compiles them.
  process.env.NODE_COMPILE_CACHE = join(folder, "code");
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
