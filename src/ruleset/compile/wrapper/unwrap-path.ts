import type { ItemGetter } from "../../compiled.ts";
import { PathError } from "../../path-error.ts";
import { type CompiledPath, compilePath, type PathScope, type PathType } from "../path.ts";
import type { FileScope } from "../scope.ts";

/** Compiles a path of an unwrapper; `0` is a plain zero. Undefined after a report, and when there is no text. */
export function itemGetter(
  file: FileScope,
  scope: PathScope,
  text: string | undefined,
  types: PathType[],
  at: (string | number)[],
): ItemGetter | undefined {
  if (text === undefined) return undefined;
  if (text === "0") return () => 0n;
  return pathOf(file, scope, text, types, at)?.get as unknown as ItemGetter | undefined;
}

/** Compiles a path of an unwrapper, of one of the given types; undefined after a report. */
export function pathOf(
  file: FileScope,
  scope: PathScope,
  text: string,
  types: PathType[],
  at: (string | number)[],
): CompiledPath | undefined {
  try {
    const path = compilePath(text, scope);
    if (!types.includes(path.type))
      return file.reporter.report("RL304", at, `\`${text}\` is ${path.type}, ${types.join(" or ")} was expected`);
    return path;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return file.reporter.report("RL303", at, error.message, { suggest: error.suggestion });
  }
}
