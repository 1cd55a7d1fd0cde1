// Why a call to a Ray cluster failed, in a sentence that says what to do.

/**
 * `away`: the cluster does not answer, which may pass. `unauthorized`: it wants another token. `unsupported`: it is too
 * old, or not a Ray cluster. `rejected`: it answered, and refused.
 */
export type RayErrorKind = 'away' | 'unauthorized' | 'unsupported' | 'rejected';

export class RayError extends Error {
  override readonly name = 'RayError';
  readonly kind: RayErrorKind;

  constructor(kind: RayErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
