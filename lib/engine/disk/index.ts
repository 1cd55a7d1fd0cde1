// Which errors are the disk's and not the work's: it is full, it fails, or the system is out of file handles. They pass,
// or are repaired, so what met them can be tried again.

const CODES = /^(?:ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|ESTALE|ENOLCK)$/;

/** The cause of an error that the disk is to blame for, however it was wrapped; null for any other. */
export function findDiskFault(error: unknown): NodeJS.ErrnoException | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (CODES.test(String((cause as NodeJS.ErrnoException).code))) return cause;
  return null;
}
