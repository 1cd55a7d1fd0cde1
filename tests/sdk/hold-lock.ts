// A process that takes a lock, says so, and holds it until it is killed: PATH.
import { withFileLock } from '../../lib/sdk/files/file-lock.js';

await withFileLock(process.argv[2]!, () => {
  process.stdout.write('held\n');
  setInterval(() => {}, 1000);
  return new Promise(() => {});
});
