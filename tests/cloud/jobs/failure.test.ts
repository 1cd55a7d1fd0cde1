import { describe, expect, it } from 'vitest';
import { describeDeath, describeError, describeFailure, JobError } from '../../../lib/cloud/jobs/failure.js';
import type { JobContext } from '../../../lib/cloud/jobs/job-context.js';
import { DatasetError, type RunFailureCode } from '../../../lib/engine/index.js';

const context = {
  deps: { folder: '/home/me/.svc/cloud', baseModel: { name: 'svc/tiny', folder: '/opt/model' } },
  secrets: new Map([['j', { training: { type: 'blob', url: 'https://x.test/a?sig=abc', token: 'tok' } }]]),
} as unknown as JobContext;
const say = (error: string, code?: RunFailureCode) => describeFailure({ error, code }, context, 'j');

describe("a trainer's error message", () => {
  it('is shown to the user', () => {
    expect(say('rows.jsonl, row 3: not valid JSON')).toBe('rows.jsonl, row 3: not valid JSON');
  });

  it('has local paths and secrets removed', () => {
    expect(say('no /home/me/.svc/cloud/x, no /opt/model/config.json')).toBe(
      "no the cloud's folder/x, no svc/tiny/config.json",
    );
    expect(say('GET https://x.test/a?sig=abc with tok')).toBe('GET https://x.test/a… with …');
  });

  it('names files without their folders', () => {
    expect(say("ENOENT: no such file or directory, open '/tmp/svc-x/rows.jsonl'")).toBe(
      "ENOENT: no such file or directory, open 'rows.jsonl'",
    );
    expect(say('C:\\Users\\me\\a.bin is cut off')).toBe('a.bin is cut off');
    expect(say('see https://x.test/b/c and org/name')).toBe('see https://x.test/b/c and org/name');
  });

  it('suggests a fix when memory runs out', () => {
    expect(say('std::bad_alloc', 'out_of_memory')).toMatch(
      /^The cloud ran out of memory: .*batchSize.*\(std::bad_alloc\)$/,
    );
  });

  it('explains that the data set or base model changed since the checkpoint', () => {
    const text = '/home/me/.svc/cloud/jobs/j holds the checkpoints of another run; choose another folder.';
    expect(say(text, 'other_run')).toMatch(/^The data set or the base model changed/);
  });

  it('is classified by its code, not by its text', () => {
    expect(say('rows.jsonl, row 3: the disk is full, the runner out of memory')).toBe(
      'rows.jsonl, row 3: the disk is full, the runner out of memory',
    );
  });
});

describe('an error inside the cloud', () => {
  it('is shown if it was written for users, and replaced with a generic message otherwise', () => {
    expect(describeError(new JobError('Upload it again.'), context, 'j')).toBe('Upload it again.');
    expect(describeError(new DatasetError('a.csv', 'is a folder'), context, 'j')).toBe('a.csv: is a folder');
    const ours = describeError(new TypeError('x is not a function'), context, 'j');
    expect(ours).toMatch(/on our side/);
    expect(ours).not.toContain('function');
  });
});

describe('a full-disk error', () => {
  const full = Object.assign(new Error('write'), { code: 'ENOSPC' });

  it.each([
    ['from the file system', full],
    ['as the cause of another error', new Error('Downloads cannot be kept in /x (ENOSPC).', { cause: full })],
    ['from native code', new Error('write: No space left on device')],
    ['from the database', Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })],
  ])('suggests a fix: %s', (_, error) => {
    expect(describeError(error, context, 'j')).toMatch(/^The cloud's disk is full\. .*`svc cloud gc`/);
  });
});

describe('the error for a trainer that exited unexpectedly', () => {
  it.each([
    [null, 'SIGKILL', /killed, most likely because it ran out of memory: .*batchSize/],
    [null, 'SIGABRT', /memory/],
    [null, 'SIGTERM', /stopped externally \(SIGTERM\)/],
    [null, 'SIGSEGV', /crashed \(SIGSEGV\)/],
    [null, null, /could not be started/],
    [13, null, /unexpectedly \(code 13\)/],
  ])('exit code %s, signal %s', (exitCode, signal, sentence) => {
    expect(describeDeath({ exitCode, signal })).toMatch(sentence);
  });

  it('does not blame memory when the cloud killed it for not responding', () => {
    const sentence = describeDeath({ exitCode: null, signal: 'SIGKILL', hung: true });
    expect(sentence).toMatch(/stopped responding/);
    expect(sentence).not.toContain('memory');
  });
});
