// svc data check, and the short form of it at the start of a run.
import { beforeEach, describe, expect, it } from 'vitest';
import type { DataPreview } from '../../../lib/contract/index.js';
import { samplePreview } from '../../support/sample-preview.js';
import { completed, ended, started } from '../support/job-events.js';
import { entryOf, failure, projectOfEach } from '../support/project.js';

let asked: unknown[];
let uploaded: string[];
let change: (preview: DataPreview) => DataPreview;
beforeEach(() => {
  asked = [];
  uploaded = [];
  change = preview => preview;
});
const project = projectOfEach({
  entry: `console.log('the project says hello');${entryOf({ options: 'maxLength: 64' })}`,
  routes: {
    uploadDataset: async ({ body }: { body: ReadableStream<Uint8Array> }) => {
      uploaded.push(await new Response(body).text());
      return { dataset: { id: 'data-1', sha256: '0'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' } };
    },
    previewData: ({ body }) => {
      asked.push(body);
      return change(samplePreview(body));
    },
  },
});
const { svc, print } = project;

function withError(preview: DataPreview): DataPreview {
  const first = [{ file: 'train.jsonl', number: 2 }];
  const error = { name: 'empty_answer', grade: 'error', rows: 1, first } as const;
  const { report } = preview;
  return { ...preview, report: { ...report, findings: [error, ...report.findings] } };
}

describe('svc data check', () => {
  it("checks the trainer's data set with the trainer's options", async () => {
    const { stdout, exitCode } = await svc('data check');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Recognized  Alpaca: 8 rows');
    expect(stdout).toContain('! Cut off: 2 rows  train.jsonl:3, train.jsonl:7');
    expect(stdout).toMatch(/8–11 +█+ 2 ← limit/);
    expect(stdout).not.toContain('hello');
    expect(asked).toMatchObject([{ config: { maxLength: 64, datasetSource: { type: 'upload' } } }]);
  });

  it('checks a file in a folder without a project', async () => {
    await project.write('rows.jsonl', '{"text":"a"}\n');
    expect(await project.json('data check rows.jsonl --all --measure')).toMatchObject({
      report: { rows: 8 },
      config: { datasetSource: { type: 'upload' } },
    });
    expect(asked).toMatchObject([{ effort: 'all', measure: true }]);
  });

  it.each(['data/train.csv', './data/train.csv', '$CWD/data/train.csv'])(
    "checks the trainer's own file as %s as without a path, with its columns and its map",
    async typed => {
      await project.write('data/train.csv', 'q,a\nHello,Hi\n');
      const map = 'map: ({ q, a }) => ({ prompt: q + "?", completion: a })';
      const dataset = `{ type: 'file', path: 'data/train.csv', ${map} }`;
      await project.writeEntry(entryOf({ options: `dataset: ${dataset}` }));
      expect((await svc(['data', 'check', typed.replace('$CWD', project.cwd)])).exitCode).toBe(0);
      expect(uploaded.map(text => JSON.parse(text))).toEqual([{ prompt: 'Hello?', completion: 'Hi' }]);
    },
  );

  it('shows a row token by token, and the rows of a finding', async () => {
    const stdout = await print('data check --row 3');
    expect(stdout).toContain('train.jsonl:3  training · 9 tokens · 1 learned · 2 cut off');
    expect(stdout).toContain('<|im_end|>\n[+bill+][- indeed-][-<|im_end|>-]');
    expect(await print('data check --finding cut')).toMatch(
      /train\.jsonl:3 +9 +1 +I was charged twice\. +bill/,
    );
    expect(await svc('data check --row 99')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('there is no row 99.'),
    });
  });

  it('fails if there are errors', async () => {
    change = withError;
    const stdout = expect.stringContaining('✗ Empty answer: 1 row  train.jsonl:2');
    expect(await svc('data check')).toMatchObject({ exitCode: 1, stdout });
  });
});

it('svc start says what is learned, and does not start with errors', async () => {
  change = withError;
  const end = await svc('start');
  expect(end.stdout).toContain(
    'Data: Alpaca: 8 rows, 1 of them held out; 18 of 60 tokens are learned (30%).',
  );
  expect(end).toMatchObject(failure(1, 'The data set has errors, so no job was started.'));
  expect(end.stderr).toContain('Empty answer: 1 row (train.jsonl:2)');
  expect(project.cloud.jobs).toEqual([]);
  expect(asked).toMatchObject([{ effort: 'quick', limit: 0 }]);
});

it('svc start says if the chat template of the model has no place for tools', async () => {
  change = preview => {
    const first = [{ file: 'train.jsonl', number: 2 }];
    const finding = { name: 'tools_as_text', grade: 'note', rows: 3, first } as const;
    return { ...preview, report: { ...preview.report, findings: [finding] } };
  };
  project.jobsHave(started(), completed(), ended());
  expect((await svc('start')).stdout).toContain(
    "· Tools as text: 3 rows. The model's chat template has no place for tools that svc can use. svc describes them",
  );
});
