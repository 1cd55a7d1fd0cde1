// A cloud in a process of its own, which a test starts with few files that it may open. Prints where it is, and takes orders:
// `take` opens files until hardly one is left, and says so; `free` closes them.
import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openBaseModel, runCloud } from '../../../lib/cloud/index.js';

/** Enough to answer a caller, and too few to start a process. */
const LEFT = 4;

const [, , folder, model] = process.argv as [string, string, string, string];
const cloud = await runCloud({
  folder,
  version: '1.2.3',
  baseModel: openBaseModel(model, 'test/model'),
  baseWeights: 'f32',
  firstPort: 20_000 + (process.pid % 10_000),
});

const taken: number[] = [];

function take(): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    for (const file of taken.splice(-LEFT)) closeSync(file);
  }
}

function free(): void {
  for (const file of taken.splice(0)) closeSync(file);
}

createInterface(process.stdin)
  .on('line', line => {
    if (line === 'take') take();
    else free();
    console.log(line);
  })
  .on('close', () => cloud.stop());
console.log(cloud.url);
await cloud.ended;
