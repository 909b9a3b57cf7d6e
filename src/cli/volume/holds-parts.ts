import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether a folder is one of parts that `bulk work` made. */
export function holdsParts(dir: string): boolean {
  return existsSync(join(dir, ".txgloss"));
}
