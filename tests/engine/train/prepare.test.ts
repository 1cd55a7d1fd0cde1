import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { prepareTraining, type TrainRequest } from '../../../lib/engine/train/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { startHub } from './data/hub-server.js';

const rows = (count: number) => '{"text":"hello"}\n'.repeat(count);
const hub = await startHub({ 'ann/rows': { files: { 'train.jsonl': rows(2), 'test.jsonl': rows(3) } } });

let modelFolder: string;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
  vi.stubEnv('HF_ENDPOINT', hub.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(modelFolder, { recursive: true, force: true });
});

function request(folder: string): TrainRequest {
  return {
    modelFolder,
    modelName: 'svc/tiny',
    source: { type: 'huggingface', name: 'ann/rows' },
    evaluationSource: { type: 'huggingface', name: 'ann/rows', split: 'test' },
    trainOn: 'all',
    options: {},
    folder,
    cacheFolder: join(folder, 'cache'),
    hubToken: '',
  };
}

const countsOf = async (folder: string) => {
  const { job } = await prepareTraining(request(folder));
  return [job.examples.length, job.evaluation.length];
};

describe('a run on a data set from the Hub', () => {
  it('resumes with the rows that it started with', async () => {
    const folder = temporaryFolder();
    expect(await countsOf(folder)).toEqual([2, 3]);
    hub.push('ann/rows', { 'train.jsonl': rows(7), 'test.jsonl': rows(8) });
    expect(await countsOf(folder)).toEqual([2, 3]);
    expect(await countsOf(temporaryFolder())).toEqual([7, 8]);
  });
});
