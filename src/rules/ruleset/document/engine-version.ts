/**
 * Raise this when rule files are compiled in another way. It is part of the fingerprint, so two engines never share an answer's tag (ETag).
 */
export const engineVersion = "5";
