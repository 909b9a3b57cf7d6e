/** Called before each file: how many files are done, and how many there are. */
export type TellFiles = (done: number, all: number) => void;

/** Gives the files one after the other, and calls `tell` before each. */
export function* toldFiles<T>(files: readonly T[], tell?: TellFiles): Generator<T> {
  for (const [done, file] of files.entries()) {
    tell?.(done, files.length);
    yield file;
  }
}
