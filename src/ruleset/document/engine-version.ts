/** Raised when rule files are compiled in another way: part of the fingerprint, so that two engines never share an answer's tag. */
export const engineVersion = "5";
