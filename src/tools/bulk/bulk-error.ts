/**
 * `not_planned`: nothing is planned for this ruleset. `no_database`: DATABASE_URL is not set. `foreign_tables`: the tables are of another
 * version. `foreign_folder`: the folder holds parts of another database. `bad_part`: a file is not what the manifest lists.
 */
export type BulkErrorCode = ("not_planned" | "no_database") | ("foreign_tables" | "foreign_folder" | "bad_part");

/** Thrown when a run over block ranges cannot continue. The message says what can be done. */
export class BulkError extends Error {
  readonly code: BulkErrorCode;

  constructor(code: BulkErrorCode, message: string) {
    super(message);
    this.name = "BulkError";
    this.code = code;
  }
}
