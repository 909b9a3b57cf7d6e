import { TypedDataError } from "../../../src/rules/typed-data/typed-data-error.ts";

/** The words of a refusal, without those that all refusals begin with. null: nothing is refused. */
export function refusalOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof TypedDataError)) throw error;
    return error.message.replace("The typed data cannot be read: ", "");
  }
}

/** A refusal as it stands, with its code. */
export function problemOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof TypedDataError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "it was taken";
}
