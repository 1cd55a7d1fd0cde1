// Which precision `auto` is on a GPU. What it says of its memory is played by a program of that name.
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { bytesOfWeights } from '../../../../lib/engine/train/device/limits.js';
import { decideWeights, openWeights } from '../../../../lib/engine/train/open-weights.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { model } from '../support.js';

const MIB = 2 ** 20;

function playMemory(mebibytes: number): void {
  const folder = temporaryFolder('svc-gpu');
  writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\necho ${mebibytes}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
}

afterEach(() => vi.unstubAllEnvs());

const layers = 12;
const large = {
  ...model,
  config: { ...model.config, layers, mixers: Array(layers).fill(model.config.mixers[0]) },
};
/** What twice the weights take in float32. */
const twice = Math.ceil((2 * bytesOfWeights(large.config)) / MIB);
const onGpu = { folder: temporaryFolder('svc-weights'), provider: 'webgpu' } as const;

it.runIf(process.platform !== 'win32')(
  'auto has float16 only if float32 takes more than half of the memory',
  async () => {
    expect(twice).toBeGreaterThan(2);
    playMemory(twice);
    expect(await decideWeights(large, 'auto', onGpu)).toBe('f32');
    playMemory(twice - 1);
    expect(await decideWeights(large, 'auto', onGpu)).toBe('f16');
    expect(await decideWeights(large, 'f32', onGpu)).toBe('f32');
  },
);

it('the CPU does not have float16', async () => {
  const onCpu = openWeights(model, 'f16', { ...onGpu, provider: 'cpu', trains: true });
  await expect(onCpu).rejects.toThrow('Weights in f16 are only for the GPU.');
});

it('float16 takes 2 bytes a weight', async () => {
  expect(await openWeights(model, 'f16', { ...onGpu, trains: true })).toMatchObject({ bytesPerWeight: 2 });
  expect(bytesOfWeights(model.config, 2)).toBe(bytesOfWeights(model.config) / 2);
});
