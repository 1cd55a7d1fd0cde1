// Which errors are the machine's rather than the work's: its disk is full or failing, or it is short of file handles,
// processes or memory. They pass or are repaired, so the work can be retried.

const CODES = /^(?:ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|EAGAIN|ENOMEM|ESTALE|ENOLCK)$/;
/** In the words of native libraries. */
const FULL = /\bENOSPC\b|no space left on device/i;

/** The code of the disk fault behind an error, however it was wrapped; null if there is none. */
export function findDiskFault(error: unknown): string | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (CODES.test(String(code))) return code!;
    if (FULL.test(cause.message)) return 'ENOSPC';
  }
  return null;
}
