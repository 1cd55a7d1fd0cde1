// Loaded into the processes that read files with --import: one that digests this text spins from then on, and says so with a
// file that has its process's ID as its name.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

if (process.argv[1]?.includes('file-worker')) {
  const hash = Object.getPrototypeOf(createHash('sha256'));
  const { update } = hash;
  hash.update = function (data, ...rest) {
    if (Buffer.isBuffer(data) && data.includes('spin forever')) {
      writeFileSync(join(process.env.SVC_TEST_SPINS, String(process.pid)), '');
      for (;;);
    }
    return update.call(this, data, ...rest);
  };
}
