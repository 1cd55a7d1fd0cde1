import { describe, expect, it } from 'vitest';
import { describeDeath, describeError, describeFailure, JobError } from '../../../lib/cloud/jobs/failure.js';
import type { JobContext } from '../../../lib/cloud/jobs/job-context.js';
import { DatasetError, type RunFailureCode } from '../../../lib/engine/index.js';
import { NoRowsLeftError } from '../../../lib/engine/train/steps.js';

const context = {
  deps: { folder: '/home/me/.svc/cloud', baseModel: { name: 'svc/tiny', folder: '/opt/model' } },
  secrets: new Map([['j', { training: { type: 'blob', url: 'https://x.test/a?sig=abc', token: 'tok' } }]]),
} as unknown as JobContext;
const say = (error: string, code?: RunFailureCode) => describeFailure({ error, code }, context, 'j');

describe("a trainer's error message", () => {
  it('is shown to the user without local paths, folders of files and secrets', () => {
    expect(say('rows.jsonl, row 3: not valid JSON')).toBe('rows.jsonl, row 3: not valid JSON');
    const ours = 'no /home/me/.svc/cloud/x, no /opt/model/config.json';
    expect(say(ours)).toBe("no the cloud's folder/x, no svc/tiny/config.json");
    const missing = 'ENOENT: no such file or directory, open';
    expect(say(`${missing} '/tmp/svc-x/rows.jsonl'`)).toBe(`${missing} 'rows.jsonl'`);
    expect(say('C:\\Users\\me\\a.bin is cut off')).toBe('a.bin is cut off');
    expect(say('GET https://x.test/a?sig=abc with tok')).toBe('GET https://x.test/a… with …');
    expect(say('see https://x.test/b/c and org/name')).toBe('see https://x.test/b/c and org/name');
  });

  it('has no NUL, after which the database would read nothing', () => {
    expect(say('not \0a model')).toBe('not a model');
  });

  it('is explained by its code, not by its text', () => {
    const memory = /^The cloud ran out of memory: .*batchSize.*\(std::bad_alloc\)$/;
    expect(say('std::bad_alloc', 'out_of_memory')).toMatch(memory);
    const other = '/home/me/.svc/cloud/jobs/j holds the checkpoints of another run; choose another folder.';
    expect(say(other, 'other_run')).toMatch(/^The data set or the base model changed/);
    const text = 'rows.jsonl, row 3: the disk is full, the runner out of memory';
    expect(say(text)).toBe(text);
  });
});

it('an error inside the cloud is shown if it was written for users, and is generic otherwise', () => {
  expect(describeError(new JobError('Upload it again.'), context, 'j')).toBe('Upload it again.');
  expect(describeError(new DatasetError('a.csv', 'is a folder'), context, 'j')).toBe('a.csv: is a folder');
  expect(describeError(new NoRowsLeftError(), context, 'j')).toMatch(
    /^All rows are too long.*Raise maxLength/,
  );
  const ours = describeError(new TypeError('x is not a function'), context, 'j');
  expect(ours).toMatch(/on our side/);
  expect(ours).not.toContain('function');
});

const full = Object.assign(new Error('write'), { code: 'ENOSPC' });

it.each([
  ['from the file system', full],
  ['as the cause of another error', new Error('Downloads cannot be kept in /x (ENOSPC).', { cause: full })],
  ['from native code', new Error('write: No space left on device')],
  ['from the database', Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })],
])('a full disk is explained with a fix: %s', (_, error) => {
  expect(describeError(error, context, 'j')).toMatch(/^The cloud's disk is full\. .*`svc cloud gc`/);
});

it.each([
  [null, 'SIGKILL', /killed, most likely because it ran out of memory: .*batchSize/],
  [null, 'SIGABRT', /memory/],
  [null, 'SIGTERM', /stopped externally \(SIGTERM\)/],
  [null, 'SIGSEGV', /crashed \(SIGSEGV\)/],
  [null, null, /could not be started/],
  [13, null, /unexpectedly \(code 13\)/],
])('a trainer that exited unexpectedly with code %s and signal %s is explained', (exitCode, signal, said) => {
  expect(describeDeath({ exitCode, signal })).toMatch(said);
});

it('memory is not blamed when the cloud killed a trainer for not responding', () => {
  const said = describeDeath({ exitCode: null, signal: 'SIGKILL', hung: true });
  expect(said).toMatch(/stopped responding/);
  expect(said).not.toContain('memory');
});
