/** An expression that cannot be read, or cannot be enforced. */
export class PatternError extends Error {}
