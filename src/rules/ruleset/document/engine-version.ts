/** Raise this when rule files are compiled in another way. Part of the fingerprint, so that two engines never share an ETag. */
export const engineVersion = "6";
