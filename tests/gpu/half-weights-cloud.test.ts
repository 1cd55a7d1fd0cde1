// A cloud that is started with --device gpu --base-weights f16 trains and answers with them, as the CPU does with the same model, which
// is stored in 16 bits.
import { expect, it } from 'vitest';
import { openBaseModel } from '../../lib/cloud/index.js';
import type { JobEvent } from '../../lib/contract/index.js';
import { tinyModel } from '../engine/tiny-model.js';
import { copyChanged } from '../support/changed-models.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startCloud } from './start-cloud.js';

type Cloud = Awaited<ReturnType<typeof startCloud>>;

const MODEL = 'tiny';
const ROWS = ['red', 'green', 'blue', 'gray'].map(name => ({
  text: `The color is ${name}, and so it stays.`,
}));

async function train({ client }: Cloud): Promise<{ id: string; events: JobEvent[] }> {
  const { dataset } = await client.uploadDataset(
    'rows.jsonl',
    ROWS.map(row => JSON.stringify(row)).join('\n'),
  );
  const datasetSource = { type: 'upload' as const, datasetId: dataset.id };
  const config = { model: MODEL, datasetSource, maxSteps: 6, learningRate: 1e-2, loggingSteps: 1 };
  const { job } = await client.createJob({ name: 'colors', config });
  const events: JobEvent[] = [];
  for await (const { data } of client.streamJobEvents(job.id)) events.push(JSON.parse(data) as JobEvent);
  return { id: job.id, events };
}

const lossesIn = (events: readonly JobEvent[]) =>
  events.flatMap(event =>
    event.type === 'training.log' && typeof event.loss === 'number' ? [event.loss] : [],
  );

async function chat({ client }: Cloud, jobId: string): Promise<string | null> {
  const messages = [{ role: 'user' as const, content: 'Which color?' }];
  const asked = { adapter: { kind: 'final' as const, jobId }, messages, temperature: 0, maxTokens: 24 };
  return (await client.chat(asked)).choices[0]!.message.content;
}

it('a cloud with weights in float16 trains a job and answers with its adapter', async () => {
  const folder = temporaryFolder('svc-half-model');
  await copyChanged(await tinyModel(), folder, () => {}, 'F16');
  const baseModel = openBaseModel(folder, MODEL);
  const home = temporaryFolder('svc-half-cloud');

  const onGpu = await startCloud(home, { baseModel, device: 'gpu', baseWeights: 'f16' });
  const { id, events } = await train(onGpu);
  const started = events.filter(({ type }) => type === 'training.started');
  expect(started).toMatchObject([{ weights: 'f16', device: { type: 'gpu' } }]);
  expect(events.at(-1)).toMatchObject({ type: 'end', status: 'completed' });
  const found = await chat(onGpu, id);
  expect(await onGpu.readHealth()).toMatchObject({
    weights: { setting: 'f16', used: 'f16' },
    device: { setting: 'gpu', used: 'gpu', answers: { used: 'gpu' } },
  });
  await onGpu.stop();

  const onCpu = await startCloud(home, { baseModel, device: 'cpu', baseWeights: 'f32' });
  expect(found).toBeTruthy();
  expect(found).toBe(await chat(onCpu, id));
  const right = lossesIn((await train(onCpu)).events);
  expect(right).toHaveLength(6);
  for (const [i, loss] of lossesIn(events).entries())
    expect(Math.abs(loss / right[i]! - 1)).toBeLessThan(1e-4);
});
