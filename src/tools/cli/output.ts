/** What a command prints: `text` on stdout, `report` on stderr. */
export interface Printed {
  text: string;
  report?: string;
  status?: number;
}

/**
 * Watches stdout. Where it cannot be written, prints a sentence and ends the process with status 1. A reader that stops early (`| head`) is
 * no failure: then the process ends with the command's status.
 */
export function watchOutput(program: string): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    process.stderr.write(`${program}: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}
