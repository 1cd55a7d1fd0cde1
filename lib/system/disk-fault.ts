// Which errors are the disk's and not the work's: it is full, it fails, or the system is out of file handles. They pass,
// or are repaired, so what met them can be tried again.

const CODES = /^(?:ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|ESTALE|ENOLCK)$/;
/** As native libraries put it. */
const FULL = /\bENOSPC\b|no space left on device/i;

/** The code of what the disk did to cause an error, however it was wrapped; null for an error that is not the disk's. */
export function findDiskFault(error: unknown): string | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (CODES.test(String(code))) return code!;
    if (FULL.test(cause.message)) return 'ENOSPC';
  }
  return null;
}
