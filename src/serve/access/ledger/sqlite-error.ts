/** A failure of SQLite. `code`: the name of its result code, such as SQLITE_FULL (https://www.sqlite.org/rescode.html). */
export class SqliteError extends Error {
  override readonly name = "SqliteError";
  readonly code: string;

  constructor({ message, errcode }: Failed) {
    super(message);
    this.code = nameOf(errcode);
  }
}

/** What node:sqlite throws where SQLite fails. Its own `code` is the same for all failures. */
interface Failed {
  message: string;
  /** The extended result code: the plain one in the lowest byte, and a number that tells more above it. */
  errcode: number;
}

/** A failure of SQLite with the name of its code. Whatever else was thrown stays as it is. */
export function nameFailure(thrown: unknown): unknown {
  return isFailed(thrown) ? new SqliteError(thrown) : thrown;
}

/** Whether another connection holds a lock of the file. */
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

/** By plain code: its name, and those of its extended codes from 1 on. A code of which nothing is known is told by its plain name. */
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
