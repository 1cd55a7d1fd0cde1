/** An expression that is invalid or unsupported. */
export class PatternError extends Error {}
