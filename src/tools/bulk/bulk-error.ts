/**
 * `not_planned`: nothing for this ruleset. `no_database`: no DATABASE_URL. `foreign_tables`: of another version. `foreign_folder`: parts of
 * another database. `bad_part`: not what the manifest lists.
 */
export type BulkErrorCode = ("not_planned" | "no_database") | ("foreign_tables" | "foreign_folder" | "bad_part");

/** The message says what can be done. */
export class BulkError extends Error {
  readonly code: BulkErrorCode;

  constructor(code: BulkErrorCode, message: string) {
    super(message);
    this.name = "BulkError";
    this.code = code;
  }
}
