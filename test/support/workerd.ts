import { createRequire } from "node:module";

/** The program of the optional package; `why` says why it is not there. */
export function findWorkerd(): { path: string | null; why: string } {
  try {
    const { default: path } = createRequire(import.meta.url)("workerd") as { default: string };
    return { path, why: "" };
  } catch (error) {
    return { path: null, why: ` (workerd is not there: ${(error as Error).message.split("\n")[0]})` };
  }
}
