// POST /api/data/preview: of a given config, or of the trainer as its own process reads it. GET /api/data/rows: its rows.
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { openSession } from '../../lib/sdk/index.js';
import type { StudioDeps } from '../../lib/studio/deps.js';
import { samplePreview } from '../support/sample-preview.js';
import { openStudio, type TestStudio } from './open-studio.js';

const config = { model: 'svc/tiny', datasetSource: { type: 'upload' as const, datasetId: 'd1' } };

const ROWS = '{"text":"a"}\n{"text":"b"}\n';

let test: TestStudio;

async function open(
  printed = { stdout: JSON.stringify({ config }), stderr: '', exitCode: 0 },
  deps: Partial<StudioDeps> = {},
) {
  const asked: unknown[] = [];
  const state = { runs: 0, isGone: false };
  const previewData = ({ body }: { body: Parameters<typeof samplePreview>[0] }) => {
    asked.push(body);
    if (!state.isGone) return samplePreview(body);
    state.isGone = false;
    throw new ApiError('dataset_invalid', 'gone', { param: 'config.datasetSource.datasetId' });
  };
  const runData = async (args: readonly string[]) => {
    state.runs++;
    if (args[0] === 'rows' && printed.exitCode === 0) await writeFile(args.at(-1)!, ROWS);
    return printed;
  };
  test = await openStudio({ previewData }, { runData, ...deps });
  await test.write('project/src/svc/index.ts', 'export {};');
  return { asked, state, preview: (body: object) => test.json('POST', '/api/data/preview', body) };
}

describe('POST /api/data/preview', () => {
  it('previews a given config without reading the trainer', async () => {
    const { asked, state, preview } = await open();
    const query = { config, finding: 'cut', limit: 1, tokens: true };
    expect(await preview(query)).toMatchObject({ status: 200, body: { total: 2 } });
    expect([asked, state.runs]).toEqual([[query], 0]);
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

  it('shows the rows that a URL had when the trainer was read, until it is read again', async () => {
    const { asked, preview } = await open();
    for (const query of [{ reload: true }, {}, { cursor: '20' }, { reload: true, finding: 'cut' as const }])
      await preview(query);
    const cursors = [{}, {}, { cursor: '20' }, { finding: 'cut' }];
    expect(asked).toEqual(cursors.map(query => ({ config, cursor: '0', ...query })));
  });

  it('does not read the trainer, which would start the cloud, when the cloud was stopped', async () => {
    const stopped = new ApiError('cloud_unreachable', 'The local cloud was stopped.');
    const openStopped = async () => ({
      ...openSession({ folder: test.folder, env: {} }),
      projectClient: () => Promise.reject(stopped),
    });
    const { state, preview } = await open(undefined, { openSession: openStopped });
    expect(await preview({})).toMatchObject({ code: 'cloud_unreachable', message: stopped.message });
    expect(state.runs).toBe(0);
  });

  it('says why the trainer or its data cannot be read', async () => {
    const message = 'rows.jsonl, row 1: not a JSON object';
    const { preview } = await open({
      stdout: '',
      stderr: `Using the latest build.\nsvc: ${message}\n`,
      exitCode: 1,
    });
    expect(await preview({})).toMatchObject({ status: 400, message });
  });
});

describe('GET /api/data/rows', () => {
  it("answers with the rows that the trainer's own process writes", async () => {
    await open();
    const response = await test.call('/api/data/rows');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jsonl']);
    expect(await response.text()).toBe(ROWS);
  });

  it('says why there are none', async () => {
    await open({ stdout: '', stderr: 'svc: No answers of the teacher yet.\n', exitCode: 1 });
    expect(await test.json('GET', '/api/data/rows')).toMatchObject({
      status: 400,
      message: 'No answers of the teacher yet.',
    });
  });
});
