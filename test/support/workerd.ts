import { createRequire } from "node:module";

/** The path of the program in the optional package, or null. Then `why` gives the reason. */
export function findWorkerd(): { path: string | null; why: string } {
  try {
    const { default: path } = createRequire(import.meta.url)("workerd") as { default: string };
    return { path, why: "" };
  } catch (error) {
    return { path: null, why: ` (workerd is not there: ${(error as Error).message.split("\n")[0]})` };
  }
}
