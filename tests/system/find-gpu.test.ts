// What Linux says of a GPU. Other systems say less.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { findGpu, readGpuMemory } from '../../lib/system/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const NVIDIA = {
  'proc/driver/nvidia/version': 'NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.1\nGCC version: 12\n',
  'proc/driver/nvidia/gpus/0000:01:00.0/information': 'Model: \t\t NVIDIA H100 80GB HBM3\nIRQ: 1\n',
};
const AMD = {
  'sys/class/drm/card1/device/vendor': '0x1002\n',
  'sys/class/drm/card1/device/device': '0x744c\n',
  'sys/class/drm/card1-DP-1/status': 'connected\n',
};

it
  .skipIf(process.platform !== 'linux')
  .each<[string, Record<string, string>, NodeJS.ProcessEnv, object | null]>([
    ['nothing', {}, {}, null],
    [
      'a card with a driver of its own',
      NVIDIA,
      {},
      { name: 'NVIDIA H100 80GB HBM3', driver: expect.stringContaining('580.1') },
    ],
    ['a card without a name', AMD, {}, { name: 'AMD 0x744c', driver: expect.stringContaining('AMD 0x744c') }],
    ['Windows around it', { 'dev/dxg': '' }, {}, { name: null, driver: expect.stringContaining('WSL') }],
    [
      'a driver that is chosen',
      {},
      { VK_ICD_FILENAMES: '/a.json' },
      { name: null, driver: expect.stringContaining('/a.json') },
    ],
  ])('a machine with %s', async (_, files, env, facts) => {
  expect(await findGpu({ root: await machineWith(files), env })).toEqual(facts);
});

it.skipIf(process.platform !== 'linux')(
  'a card says how much of its memory is free, or the machine does',
  async () => {
    const card = 'sys/class/drm/card1/device';
    const memory = { [`${card}/mem_info_vram_total`]: '8000\n', [`${card}/mem_info_vram_used`]: '3000\n' };
    const env = { PATH: '' };
    expect(await readGpuMemory({ root: await machineWith({ ...AMD, ...memory }), env })).toBe(5000);
    expect(await readGpuMemory({ root: await machineWith(AMD), env })).toBeGreaterThan(1e6);
    const smi = { 'bin/nvidia-smi': '#!/bin/sh\necho 2048\n' };
    const root = await machineWith(smi);
    await chmod(join(root, 'bin/nvidia-smi'), 0o755);
    expect(await readGpuMemory({ root, env: { PATH: join(root, 'bin') } })).toBe(2 ** 31);
  },
);

async function machineWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = temporaryFolder('svc-gpu-facts');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}
