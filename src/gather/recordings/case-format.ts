import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { canonicalJson } from "../../kernel/canonical.ts";
import { findCaseDisagreement } from "../../model/case-agreement.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../model/case-file.ts";

/**
 * `invalid`: not by schemas/case.schema.json. `wrong_hash`: not that of the file name. `wrong_chain`, `wrong_transaction`: of another
 * chain, receipt of another transaction.
 */
export type CaseFileErrorCode = "not_json" | "invalid" | "wrong_hash" | "wrong_chain" | "wrong_transaction";

/** The message says what is wrong and where. */
export class CaseFileError extends Error {
  readonly code: CaseFileErrorCode;

  constructor(code: CaseFileErrorCode, path: string, problem: string) {
    super(`${path} is not a case file: ${problem}`);
    this.name = "CaseFileError";
    this.code = code;
  }
}

/**
 * `<tx_hash>.json`; makes the directory, returns the path. Sorted keys, one line: equal cases are equal bytes. Renamed into place, never
 * half a file.
 */
export async function writeCase(dir: string, caseFile: CaseFile): Promise<string> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, `${caseFile.tx_hash}.json`);
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${canonicalJson(caseFile)}\n`);
  await rename(draft, path);
  return path;
}

/** Any version, returned in the newest. Rejects with CaseFileError or the file system's error. */
export async function readCase(path: string): Promise<CaseFile> {
  // Such errors name no file.
  const text = await readFile(path, "utf8").catch((error) => {
    throw Object.assign(error, { path });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = text.trim() === "" ? "it is empty" : printable((error as Error).message);
    throw new CaseFileError("not_json", path, problem);
  }
  return checkCase(value, path);
}

/** In the newest version. Throws CaseFileError that names `from`. */
export function checkCase(value: unknown, from: string): CaseFile {
  validator ??= compileSchema();
  if (!validator(value)) throw new CaseFileError("invalid", from, describe(validator));
  const file = value as CaseFile | CaseFileV1;
  const disagreement = findCaseDisagreement(file);
  if (disagreement !== undefined)
    throw new CaseFileError("wrong_transaction", from, `its parts are of different transactions: ${disagreement}`);
  return upgradeCase(file);
}

let validator: ValidateFunction | undefined;

const schemaPath = fileURLToPath(new URL("../../../schemas/case.schema.json", import.meta.url));

function compileSchema(): ValidateFunction {
  const schema = JSON.parse(readFileSync(schemaPath, "utf8")) as object;
  return new Ajv2020({ allowUnionTypes: true }).compile(schema);
}

/** The message quotes the file: a terminal would obey control characters. */
function printable(message: string): string {
  return message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

function describe(validate: ValidateFunction): string {
  const [first] = validate.errors ?? [];
  const extra = first?.keyword === "additionalProperties" ? ` (${first.params.additionalProperty})` : "";
  return `${first?.instancePath || "it"} ${first?.message ?? "is invalid"}${extra}`;
}
