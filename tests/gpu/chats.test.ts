// A cloud answers chats on the GPU that it is started with, and says so. With auto, chats are left to the CPU where the GPU is slow.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDeviceChoice, type DeviceReport } from '../../lib/cloud/host/device-choice.js';
import { openBaseModel, type RunCloudOptions } from '../../lib/cloud/index.js';
import packageJson from '../../package.json' with { type: 'json' };
import { tinyModel } from '../engine/tiny-model.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startCloud } from './start-cloud.js';

const model = await tinyModel();
const baseModel = openBaseModel(model, 'tiny');

async function chatWith(device: NonNullable<RunCloudOptions['device']>) {
  // On the CPU, auto may choose integers.
  const options = { baseModel, baseWeights: 'f32', device } as const;
  const cloud = await startCloud(temporaryFolder('svc-gpu-chats'), options);
  const messages = [{ role: 'user' as const, content: 'Say what you know.' }];
  const ask = () => cloud.client.chat({ baseModel: 'tiny', messages, temperature: 0, maxTokens: 24 });
  const answers = (await Promise.all([ask(), ask()])).map(({ choices }) => choices[0]!.message.content);
  const { device: shown } = await cloud.readHealth();
  return { answers, shown };
}

it('a cloud that is started with --device gpu answers on it as on the CPU', async () => {
  const [found, right] = [await chatWith('gpu'), await chatWith('cpu')];
  expect(found.answers).toEqual(right.answers);
  expect(found.answers[0]).toBeTruthy();
  expect(found.shown).toMatchObject({ setting: 'gpu', used: 'gpu', answers: { used: 'gpu' } });
  expect(right.shown).toEqual({ setting: 'cpu', used: 'cpu' });
});

it('a GPU that is slower than the CPU answers nothing with auto', async () => {
  const folder = temporaryFolder('svc-gpu-chats');
  const device = createDeviceChoice({
    folder,
    version: packageJson.version,
    baseModel,
    setting: 'auto',
    weights: 'f32',
  });
  expect(await device.choose({ waitsFor() {} })).toMatchObject({ type: 'cpu' });
  const reason = 'The GPU is not faster at answering with this base model.';
  expect(await device.answering.choose()).toEqual({ type: 'cpu', reason });
  const { findings } = JSON.parse(await readFile(join(folder, 'device.json'), 'utf8')) as DeviceReport;
  const { one, many } = findings.answers!;
  for (const { gpu, cpu } of [one, many]) expect([gpu > 0, gpu < cpu]).toEqual([true, true]);
});
