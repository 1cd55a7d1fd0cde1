// Loaded into the processes that a cloud starts, with --import. Their main thread never returns when they digest a file with
// this text, or run a model, and they say so with a file that has their process's ID as its name. The thread is blocked
// rather than busy: nobody can tell the difference, and other tests keep their processor.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

function spin() {
  writeFileSync(join(process.env.SVC_TEST_SPINS, String(process.pid)), '');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const program = process.argv[1] ?? '';
if (program.includes('engine/file-worker')) {
  const hash = Object.getPrototypeOf(createHash('sha256'));
  const { update } = hash;
  hash.update = function (data, ...rest) {
    if (Buffer.isBuffer(data) && data.includes('spin forever')) spin();
    return update.call(this, data, ...rest);
  };
} else if (program.includes('engine/worker')) {
  const { InferenceSession } = createRequire(import.meta.url)('onnxruntime-node');
  InferenceSession.prototype.run = spin;
}
