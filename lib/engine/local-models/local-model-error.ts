// The error of models in other programs' folders.

/** There is no such model, or it cannot be used. The message says what to do. */
export class LocalModelError extends Error {
  override readonly name = 'LocalModelError';
}
