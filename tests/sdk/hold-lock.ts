// A process that takes a lock, prints `held` and keeps the lock until it is killed: `hold-lock.ts PATH`.
import { withFileLock } from '../../lib/sdk/files/file-lock.js';

await withFileLock(process.argv[2]!, () => {
  process.stdout.write('held\n');
  setInterval(() => {}, 1000);
  return new Promise(() => {});
});
