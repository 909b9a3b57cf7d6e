import { join } from "node:path";
import { runCommand } from "../../src/tools/lint/command.ts";
import { root } from "../support/shared.ts";

/** What `npm run golden` with these options prints, or nothing where no answer changed. */
export function changesIn(args: readonly string[]): string {
  const golden = ["golden", join(root, "rules"), join(root, "labels"), "--golden", join(root, "test/golden")];
  const { status, out, err } = runCommand([...golden, ...args], false);
  return status === 0 ? "" : `${out}${err}`;
}
