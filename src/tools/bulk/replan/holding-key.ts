/** What a rule or a label can be about, as text. A part holds the keys of its transactions. */

/** A change with it may affect any answer. */
export const anything = "*";
/** Transactions that set code (EIP-7702). */
export const setCodeKey = "set code";

export const topicKey = (topic: string): string => `topic ${topic}`;
export const selectorKey = (selector: string): string => `call ${selector}`;
/** A call that failed with this custom error. */
export const errorKey = (selector: string): string => `error ${selector}`;
export const failureKey = "failure";
/** An address anywhere. */
export const contractKey = (address: string): string => `at ${address.toLowerCase()}`;
/** A log or call at one contract. */
export const placedKey = (key: string, address: string): string => `${key} at ${address.toLowerCase()}`;
