// Event files for TensorBoard. `golden.tfevents` is the sample run; TensorBoard 2's own reader (EventAccumulator, with checksums
// verified) read from it: the scalars train/loss 2, 1.5 and 0.25 at steps 1, 2 and 300, train/learning_rate, system/memory_bytes,
// score/exact match 0.5 at step 2 and eval/reward_margin 0.125 at step 302, and the texts settings and samples/1.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { tfeventsName, toTfevents } from '../../lib/run-export/index.js';
import { crc32c } from '../../lib/run-export/tfevents.js';
import { cutRun, longRun, sampleRun } from './sample-run.js';

const golden = new URL('golden.tfevents', import.meta.url);

it('are what TensorBoard has read', async () => {
  expect(toTfevents(sampleRun()).equals(await readFile(golden))).toBe(true);
});

it('begin with the bytes of the same run when it was shorter', () => {
  const whole = toTfevents(sampleRun());
  for (let rows = 0; rows <= sampleRun().rows.length; rows++) {
    const part = toTfevents(cutRun(rows));
    expect(whole.subarray(0, part.length).equals(part)).toBe(true);
  }
});

it('have records whose lengths and checksums lead from one to the next', () => {
  const file = toTfevents(longRun(1000));
  const unmask = (value: number) => {
    const rotated = (value - 0xa282ead8) >>> 0;
    return ((rotated >>> 17) | (rotated << 15)) >>> 0;
  };
  let count = 0;
  for (let at = 0; at < file.length; count++) {
    const length = Number(file.readBigUInt64LE(at));
    const data = file.subarray(at + 12, at + 12 + length);
    expect(unmask(file.readUInt32LE(at + 8))).toBe(crc32c(file.subarray(at, at + 8)));
    expect(unmask(file.readUInt32LE(at + 12 + length))).toBe(crc32c(data));
    at += 12 + length + 4;
  }
  // The version, the settings, and the steps.
  expect(count).toBe(1002);
});

it('are named by the start and the job', () => {
  expect(tfeventsName(sampleRun())).toBe('events.out.tfevents.1772359200.svc.1a2b3c4d');
});

// Check values of RFC 3720, B.4.
it.each([
  [new Uint8Array(32), 0x8a9136aa],
  [new Uint8Array(32).fill(255), 0x62a8ab43],
  [Uint8Array.from({ length: 32 }, (_, index) => index), 0x46dd794e],
  [Buffer.from('123456789'), 0xe3069283],
])('crc32c(%s)', (data, expected) => {
  expect(crc32c(data)).toBe(expected);
});
