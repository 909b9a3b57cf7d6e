/** Keys: texts for what a rule or a label can be about. A part holds the keys of its transactions. */

/** The key for everything: a change with it may affect any answer. */
export const anything = "*";
/** The key of transactions that set the code of accounts (EIP-7702). */
export const setCodeKey = "set code";

export const topicKey = (topic: string): string => `topic ${topic}`;
export const selectorKey = (selector: string): string => `call ${selector}`;
/** A call that failed with this custom error. */
export const errorKey = (selector: string): string => `error ${selector}`;
/** Any call that failed. */
export const failureKey = "failure";
/** An address, wherever it stands. */
export const contractKey = (address: string): string => `at ${address.toLowerCase()}`;
/** The key of a log or call at one contract. */
export const placedKey = (key: string, address: string): string => `${key} at ${address.toLowerCase()}`;
