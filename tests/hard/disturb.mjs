// Makes a machine a bad place for tests, until it is killed. `spin`: takes a core. `sync`: writes to the disk and waits until
// it is there, again and again, so that others wait for the disk.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

if (process.argv[2] === 'spin') for (;;);

const folder = mkdtempSync(join(tmpdir(), 'svc-hard-'));
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true });
  process.exit();
});
const block = Buffer.alloc(1 << 20, 1);
setInterval(() => {
  const file = openSync(join(folder, 'block'), 'w');
  writeSync(file, block);
  fsyncSync(file);
  closeSync(file);
});
