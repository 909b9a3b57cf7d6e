import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { canonicalJson } from "../../kernel/canonical.ts";
import { findCaseDisagreement } from "../../model/case-agreement.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../model/case-file.ts";

/**
 * `not_json`: the text is not JSON. `invalid`: it does not fit schemas/case.schema.json. `wrong_hash`: the recording is of another
 * transaction than its file name says. `wrong_chain`: it is of another chain. `wrong_transaction`: its receipt is of another transaction.
 */
export type CaseFileErrorCode = "not_json" | "invalid" | "wrong_hash" | "wrong_chain" | "wrong_transaction";

/** Thrown for a file that is not the expected case file; the message says what is wrong and where. */
export class CaseFileError extends Error {
  readonly code: CaseFileErrorCode;

  constructor(code: CaseFileErrorCode, path: string, problem: string) {
    super(`${path} is not a case file: ${problem}`);
    this.name = "CaseFileError";
    this.code = code;
  }
}

/**
 * Writes `<tx_hash>.json` into the directory, which is created if it is missing, and gives its path. Keys are sorted, on one line, so equal
 * cases are equal bytes. The file is renamed into place, so a reader sees the old or the new one, never half of it.
 */
export async function writeCase(dir: string, caseFile: CaseFile): Promise<string> {
  await mkdir(dir, { recursive: true });
  const path = join(dir, `${caseFile.tx_hash}.json`);
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${canonicalJson(caseFile)}\n`);
  await rename(draft, path);
  return path;
}

/**
 * Reads and validates a case file of any version, and gives it in the newest version. Rejects with CaseFileError, or with the file system's
 * own error.
 */
export async function readCase(path: string): Promise<CaseFile> {
  // An error while reading does not name the file, so its path is added.
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

/** Validates a parsed case file and gives it in the newest version. Throws CaseFileError, which names `from`. */
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

/** The parser's message quotes the file, which may hold anything. Control characters, which a terminal would obey, are replaced. */
function printable(message: string): string {
  return message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}

function describe(validate: ValidateFunction): string {
  const [first] = validate.errors ?? [];
  const extra = first?.keyword === "additionalProperties" ? ` (${first.params.additionalProperty})` : "";
  return `${first?.instancePath || "it"} ${first?.message ?? "is invalid"}${extra}`;
}
