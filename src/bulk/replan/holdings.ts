import type { CaseFile } from "../../model/case-file.ts";
import type { PartRow } from "../parts/part-row.ts";

export class Holdings {
  add(_file: CaseFile, _row: PartRow): void {}
  toBytes(): Uint8Array {
    return new Uint8Array();
  }
}
