/** What is wrong with the disk of a worker elsewhere, in a sentence, so that nobody looks for it on the cloud's own. */
export function describeWorkerDisk(worker: string, code: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of ${worker}, where the job runs, is full.`;
  if (code === 'EROFS') return `The disk of ${worker}, where the job runs, is read-only.`;
  return `The disk of ${worker}, where the job runs, failed (${code}).`;
}
