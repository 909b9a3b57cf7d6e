/** What a command prints: `text` on stdout, `report` on stderr. */
export interface Printed {
  text: string;
  report?: string;
  status?: number;
}

/**
 * Says in a sentence when stdout cannot be written, and ends with status 1. Who reads it may stop early (`| head`): that is no failure,
 * and the status is the one that the command had.
 */
export function watchOutput(program: string): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    process.stderr.write(`${program}: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}
