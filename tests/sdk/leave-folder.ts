// A process that makes a temporary folder, prints its path, and works in it until it is killed: `leave-folder.ts NAME`.
import { inTemporaryFolder } from '../../lib/sdk/files/temporary.js';

await inTemporaryFolder(process.argv[2]!, folder => {
  process.stdout.write(`${folder}\n`);
  setInterval(() => {}, 1000);
  return new Promise(() => {});
});
