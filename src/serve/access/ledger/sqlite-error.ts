/** `code`: such as SQLITE_FULL (https://www.sqlite.org/rescode.html). */
export class SqliteError extends Error {
  override readonly name = "SqliteError";
  readonly code: string;

  constructor({ message, errcode }: Failed) {
    super(message);
    this.code = nameOf(errcode);
  }
}

/** node:sqlite; its `code` is the same for all. */
interface Failed {
  message: string;
  /** Extended: plain code in the lowest byte. */
  errcode: number;
}

/** Other errors stay. */
export function nameFailure(thrown: unknown): unknown {
  return isFailed(thrown) ? new SqliteError(thrown) : thrown;
}

export function isLocked(thrown: unknown): boolean {
  return isFailed(thrown) && lockCodes.has(thrown.errcode & plainBits);
}

function isFailed(thrown: unknown): thrown is Failed {
  return typeof (thrown as Partial<Failed> | undefined)?.errcode === "number";
}

function nameOf(errcode: number): string {
  const [plain = "ERROR", ...more] = resultCodes[errcode & plainBits] ?? [];
  const extended = more[(errcode >> 8) - 1];
  return extended === undefined ? `SQLITE_${plain}` : `SQLITE_${plain}_${extended}`;
}

const plainBits = 0xff;

/** By plain code, then extended ones from 1 on; unknown ones get the plain name. */
const resultCodes: readonly (readonly string[])[] = [
  ...["OK", "ERROR MISSING_COLLSEQ RETRY SNAPSHOT", "INTERNAL", "PERM", "ABORT", "BUSY RECOVERY SNAPSHOT TIMEOUT"],
  ...[
    "LOCKED SHAREDCACHE VTAB",
    "NOMEM",
    "READONLY RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY",
    "INTERRUPT",
  ],
  "IOERR READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK LOCK " +
    "CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC " +
    "COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE",
  ...["CORRUPT VTAB SEQUENCE INDEX", "NOTFOUND", "FULL", "CANTOPEN NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK"],
  ...["PROTOCOL", "EMPTY", "SCHEMA", "TOOBIG"],
  "CONSTRAINT CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE",
  ...["MISMATCH", "MISUSE", "NOLFS", "AUTH USER", "FORMAT", "RANGE", "NOTADB", "NOTICE", "WARNING"],
].map((names) => names.split(" "));

const lockCodes: ReadonlySet<number> = new Set(
  ["BUSY", "LOCKED"].map((name) => resultCodes.findIndex(([plain]) => plain === name)),
);
