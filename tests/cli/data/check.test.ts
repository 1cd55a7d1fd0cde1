// svc data check, and the short form of it at the start of a run.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DataPreview } from '../../../lib/contract/index.js';
import { openRemoteProject, type RemoteProject } from '../../support/remote-project.js';
import { samplePreview } from '../../support/sample-preview.js';
import { callCli } from '../support/terminal.js';

const entry = `
  console.log('the project says hello');
  const options = { name: 'triage', dataset: { type: 'rows', rows: [{ text: 'a' }] }, maxLength: 64 };
  const trainer = { name: options.name, options, start() {} };
  export const service = Object.defineProperty({ trainer }, Symbol.for('svc.service'), { value: true });
`;

let project: RemoteProject;
let asked: unknown[];
let change: (preview: DataPreview) => DataPreview;
beforeEach(async () => {
  asked = [];
  change = preview => preview;
  project = await openRemoteProject({
    previewData: ({ body }) => {
      asked.push(body);
      return change(samplePreview(body));
    },
  });
});
afterEach(() => project.close());

const svc = (...argv: string[]) =>
  callCli(argv, { cwd: project.cwd, env: { ...project.env, NO_COLOR: '1' } });
const check = (...argv: string[]) => svc('data', 'check', ...argv);

const withError = (preview: DataPreview): DataPreview => ({
  ...preview,
  report: {
    ...preview.report,
    findings: [
      { name: 'empty_answer', grade: 'error', rows: 1, first: [{ file: 'train.jsonl', number: 2 }] },
      ...preview.report.findings,
    ],
  },
});

describe('svc data check', () => {
  it("checks the trainer's data set with the trainer's options", async () => {
    await project.write('src/svc/index.ts', entry);
    const { stdout, exitCode } = await check();
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Recognized  Alpaca: 8 rows');
    expect(stdout).toContain('! Cut off: 2 rows  train.jsonl:3, train.jsonl:7');
    expect(stdout).toMatch(/8–11 +█+ 2 ← limit/);
    expect(stdout).not.toContain('hello');
    expect(asked).toMatchObject([{ config: { maxLength: 64, datasetSource: { type: 'upload' } } }]);
  });

  it('checks a file in a folder without a project', async () => {
    await writeFile(join(project.cwd, 'rows.jsonl'), '{"text":"a"}\n');
    const { stdout, exitCode } = await check('rows.jsonl', '--json', '--all', '--measure');
    expect(exitCode).toBe(0);
    const answer = JSON.parse(stdout) as DataPreview & { config: object };
    expect(answer.report.rows).toBe(8);
    expect(answer.config).toMatchObject({ datasetSource: { type: 'upload' } });
    expect(asked).toMatchObject([{ effort: 'all', measure: true }]);
  });

  it('shows a row token by token, and the rows of a finding', async () => {
    await project.write('src/svc/index.ts', entry);
    const { stdout } = await check('--row', '3');
    expect(stdout).toContain('train.jsonl:3  training · 9 tokens · 1 learned · 2 cut off');
    expect(stdout).toContain('<|im_end|>\n[+bill+][- indeed-][-<|im_end|>-]');
    const { stdout: list } = await check('--finding', 'cut');
    expect(list).toMatch(/train\.jsonl:3 +9 +1 +I was charged twice\. +bill/);
    expect((await check('--row', '99')).stdout).toContain('There is no row 99.');
  });

  it('fails if there are errors', async () => {
    await project.write('src/svc/index.ts', entry);
    change = withError;
    const { stdout, exitCode } = await check();
    expect(exitCode).toBe(1);
    expect(stdout).toContain('✗ Empty answer: 1 row  train.jsonl:2');
  });

  it('refuses options that cannot be right', async () => {
    for (const argv of [
      ['--row', '0'],
      ['--limit', '0'],
      ['--limit', '101'],
      ['--finding', 'typos'],
    ])
      expect((await check(...argv)).exitCode).toBe(2);
  });
});

describe('svc start', () => {
  beforeEach(() => project.write('src/svc/index.ts', entry));

  it('says what is learned, and does not start with errors', async () => {
    change = withError;
    const { stdout, stderr, exitCode } = await svc('start');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('Data: Alpaca: 8 rows; 18 of 60 tokens are learned (30%).');
    expect(stderr).toContain('The data set has errors, so no job was started.');
    expect(stderr).toContain('Empty answer: 1 row (train.jsonl:2)');
    expect(project.cloud.jobs).toEqual([]);
    expect(asked).toMatchObject([{ effort: 'quick', limit: 0 }]);
  });
});
