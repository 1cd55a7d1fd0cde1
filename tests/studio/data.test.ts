// POST /api/data/preview: of a given config, or of the trainer as its own process reads it.
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { samplePreview } from '../support/sample-preview.js';
import { openStudio, type TestStudio } from './open-studio.js';

const config = { model: 'svc/tiny', datasetSource: { type: 'upload' as const, datasetId: 'd1' } };

let test: TestStudio;
afterEach(() => test.close());

async function open(printed = { stdout: JSON.stringify({ config }), stderr: '', exitCode: 0 }) {
  const asked: { config: unknown }[] = [];
  const state = { runs: 0, isGone: false };
  test = await openStudio(
    {
      previewData: ({ body }) => {
        asked.push(body);
        if (!state.isGone) return samplePreview(body);
        state.isGone = false;
        throw new ApiError('dataset_invalid', 'gone', { param: 'config.datasetSource.datasetId' });
      },
    },
    {
      runDataCheck: async () => {
        state.runs++;
        return printed;
      },
    },
  );
  await test.write('project/src/svc/index.ts', 'export {};');
  const preview = (body: object) => test.json('POST', '/api/data/preview', body);
  return { asked, state, preview };
}

describe('POST /api/data/preview', () => {
  it('previews a given config without reading the trainer', async () => {
    const { asked, state, preview } = await open();
    const { status, body } = await preview({ config, finding: 'cut', limit: 1, tokens: true });
    expect([status, (body as { total: number }).total]).toEqual([200, 2]);
    expect(asked).toEqual([{ config, finding: 'cut', limit: 1, tokens: true }]);
    expect(state.runs).toBe(0);
  });

  it("previews the trainer's data, which it reads once, and again when asked or when the upload is gone", async () => {
    const { asked, state, preview } = await open();
    await preview({});
    await preview({ cursor: '20' });
    expect([state.runs, asked.length]).toEqual([1, 2]);
    await preview({ reload: true });
    expect(state.runs).toBe(2);
    state.isGone = true;
    expect((await preview({})).status).toBe(200);
    expect(state.runs).toBe(3);
  });

  it('says why the trainer or its data cannot be read', async () => {
    const { preview } = await open({
      stdout: '',
      stderr: 'svc: rows.jsonl, row 1: not a JSON object\n',
      exitCode: 1,
    });
    const { status, body } = await preview({});
    expect([status, (body as { error: { message: string } }).error.message]).toEqual([
      400,
      'rows.jsonl, row 1: not a JSON object',
    ]);
  });
});
