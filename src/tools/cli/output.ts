/** `text` on stdout, `report` on stderr. */
export interface Printed {
  text: string;
  report?: string;
  status?: number;
}

/** A failed write ends the process with status 1. A reader that stops early (`| head`) is no failure. */
export function watchOutput(program: string): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    process.stderr.write(`${program}: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}
