import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  openWeightsFile,
  parseSafetensorsHeader,
  readAdapter,
  WeightsError,
} from '../../../lib/engine/weights/index.js';
import { createDraw } from '../text/tiny-text.js';
import { adapterFolder, plainTensors } from './adapter-files.js';

const characters = '0123456789{}[]",:.-+eE_ FBU\\\n';

/** Damages a copy in one to three places, mostly in its first `textBytes`, which are text. */
function damage(file: Buffer, textBytes: number, random: (limit: number) => number): Buffer {
  let damaged = Buffer.from(file);
  for (let left = 1 + random(3); left > 0 && damaged.length > 0; left--) {
    const kind = random(10);
    const at = random(Math.min(textBytes, damaged.length));
    if (kind < 6) damaged[at] = characters.charCodeAt(random(characters.length));
    else if (kind < 7) damaged[random(damaged.length)] = random(256);
    else if (kind < 8) damaged = damaged.subarray(0, random(damaged.length));
    else damaged = Buffer.concat([damaged.subarray(0, at), damaged.subarray(at + random(3))]);
  }
  return damaged;
}

/** Whether it was accepted. It may only be rejected with a WeightsError. */
async function isAccepted(read: () => unknown): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof WeightsError) return false;
    throw error;
  }
}

it('a damaged header is rejected, or describes tensors within the file', async () => {
  const folder = await adapterFolder();
  const file = readFileSync(join(folder, 'adapter_model.safetensors'));
  const textBytes = 8 + Number(file.readBigUInt64LE());
  const random = createDraw(1);
  let accepted = 0;
  for (let round = 0; round < 5000; round++) {
    const damaged = damage(file, textBytes, random);
    const isFine = await isAccepted(() => {
      const tensors = parseSafetensorsHeader(damaged, damaged.length, 'x');
      let end = 8 + Number(damaged.readBigUInt64LE());
      for (const { byteOffset, byteLength } of tensors.values()) {
        expect(byteOffset).toBe(end);
        end += byteLength;
      }
      expect(end).toBe(damaged.length);
    });
    if (isFine) accepted++;
  }
  expect(accepted).toBeGreaterThan(50);
  expect(accepted).toBeLessThan(2500);
});

it('a damaged adapter is rejected, or has as many numbers as it should', async () => {
  const folder = await adapterFolder();
  const random = createDraw(2);
  const names = ['adapter_model.safetensors', 'adapter_config.json'];
  const originals = names.map(name => readFileSync(join(folder, name)));
  let accepted = 0;
  for (let round = 0; round < 200; round++) {
    const which = round % 2;
    const file = originals[which]!;
    const textBytes = which === 0 ? 8 + Number(file.readBigUInt64LE()) : file.length;
    writeFileSync(join(folder, names[which]!), damage(file, textBytes, random));
    await isAccepted(async () => {
      const weights = await openWeightsFile(join(folder, names[0]!));
      for (const name of weights.names()) await weights.readFloat32(name);
    });
    const isFine = await isAccepted(async () => {
      const { tensors, config } = await readAdapter(folder);
      for (const { a, b } of tensors)
        expect([a.length, b.length]).toEqual([3 * config.rank, 4 * config.rank]);
      expect(tensors).toHaveLength(plainTensors.length / 2);
    });
    if (isFine) accepted++;
    writeFileSync(join(folder, names[which]!), file);
  }
  expect(accepted).toBeGreaterThan(5);
  expect(accepted).toBeLessThan(150);
});
