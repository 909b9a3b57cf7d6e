import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Without a full stop; undefined: another cause. */
export function fileProblem(error: unknown, read?: string): string | undefined {
  const { code = "", path = read ?? "the path", syscall } = error as NodeJS.ErrnoException;
  // A folder was to be created where a file is.
  if (code === "EEXIST" && syscall === "mkdir") return noFolder(path);
  return fileProblems[code]?.(path);
}

/** undefined: an existing folder. */
export function folderProblem(path: string): string | undefined {
  if (!existsSync(path)) return `there is no folder ${path}`;
  return statSync(path).isDirectory() ? undefined : noFolder(path);
}

function noFolder(path: string): string {
  return `${path} is a file, and a folder was expected`;
}

/** A problem of the disk, not the input; undefined: another cause. */
export function diskProblem(error: unknown, written = "the output"): string | undefined {
  const { code = "", path = written } = error as NodeJS.ErrnoException;
  const reason = diskProblems[code];
  return reason === undefined ? undefined : `${path} cannot be written: ${reason}`;
}

/** Adds the path: errors of an open file do not name it. */
export function namingFile(path: string): (error: unknown) => never {
  return (error) => {
    throw Object.assign(error as NodeJS.ErrnoException, { path });
  };
}

const fileProblems: Record<string, (path: string) => string> = {
  ENOENT: (path) => {
    if (path === "") return "the path is empty";
    return existsSync(dirname(path)) ? `there is no ${path}` : `there is no folder ${dirname(path)}`;
  },
  EACCES: (path) => `${path} cannot be read or written: no permission`,
  EEXIST: (path) => `${path} is there already`,
  EISDIR: (path) => `${path} is a folder, and a file was expected`,
  ENOTDIR: noFolder,
  ENOTFILE: (path) => `${path} is no file that can be read again`,
  EPERM: (path) => `${path} cannot be read or written: no permission`,
  EROFS: (path) => `${path} cannot be written: its file system is read-only`,
  ENAMETOOLONG: () => "the path is too long",
};

const diskProblems: Record<string, string> = {
  ENOSPC: "no space is left",
  EDQUOT: "no space is left to this user",
  EIO: "the disk fails",
};
