/**
 * Why a cloud cannot start, or its data be used: another process owns the folder, its lock cannot be taken, others can read
 * it, the options do not fit together, the base model is incomplete, there is no usable GPU, or a backup cannot be made or restored.
 */
type CloudErrorCode =
  | 'folder_owned'
  | 'folder_locked'
  | 'folder_shared'
  | 'exposure'
  | 'base_model'
  | 'device'
  | 'backup';

/** The message is for the user, and says what to do. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly code: CloudErrorCode;

  constructor(code: CloudErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function isCloudError(error: unknown, code: CloudErrorCode): error is CloudError {
  return error instanceof CloudError && error.code === code;
}
