import { describe, expect, it } from 'vitest';
import { describeDeath, describeError, describeFailure, JobFault } from '../../../lib/cloud/jobs/failure.js';
import type { JobContext } from '../../../lib/cloud/jobs/job-context.js';
import { DatasetError } from '../../../lib/engine/index.js';

const context = {
  deps: { folder: '/home/me/.svc/cloud', baseModel: { name: 'svc/tiny', folder: '/opt/model' } },
  secrets: new Map([['j', { training: { type: 'blob', url: 'https://x.test/a?sig=abc', token: 'tok' } }]]),
} as unknown as JobContext;
const say = (text: string) => describeFailure(text, context, 'j');

describe('what a trainer says of its failure', () => {
  it('is handed on', () => {
    expect(say('rows.jsonl, row 3: not valid JSON')).toBe('rows.jsonl, row 3: not valid JSON');
  });

  it('loses its paths and secrets', () => {
    expect(say('no /home/me/.svc/cloud/x, no /opt/model/config.json')).toBe(
      "no the cloud's folder/x, no svc/tiny/config.json",
    );
    expect(say('GET https://x.test/a?sig=abc with tok')).toBe('GET https://x.test/a… with …');
  });

  it('names files and not where they are', () => {
    expect(say("ENOENT: no such file or directory, open '/tmp/svc-x/rows.jsonl'")).toBe(
      "ENOENT: no such file or directory, open 'rows.jsonl'",
    );
    expect(say('C:\\Users\\me\\a.bin is cut off')).toBe('a.bin is cut off');
    expect(say('see https://x.test/b/c and org/name')).toBe('see https://x.test/b/c and org/name');
  });

  it.each([
    'ENOSPC: no space left on device, write',
    'Cannot store downloads in /x (ENOSPC).',
    'database or disk is full',
  ])('says what to do about a full disk: %s', text => {
    expect(say(text)).toMatch(/^The cloud's disk is full\. .*`svc cloud gc`/);
  });

  it.each(['std::bad_alloc', 'Failed to allocate memory for requested buffer of size 7', 'Out of memory'])(
    'says what to do when memory runs out: %s',
    text => {
      expect(say(text)).toMatch(/^The cloud ran out of memory: .*batchSize/);
    },
  );

  it('says that what it goes on with has changed', () => {
    const text = '/home/me/.svc/cloud/jobs/j holds the checkpoints of another run; choose another folder.';
    expect(say(text)).toMatch(/^The data set or the base model changed/);
  });
});

describe('what we say of an error of ours', () => {
  it('is its own words where they are meant for users, and none otherwise', () => {
    expect(describeError(new JobFault('Upload it again.'), context, 'j')).toBe('Upload it again.');
    expect(describeError(new DatasetError('a.csv', 'is a folder'), context, 'j')).toBe('a.csv: is a folder');
    const ours = describeError(new TypeError('x is not a function'), context, 'j');
    expect(ours).toMatch(/on our side/);
    expect(ours).not.toContain('function');
  });
});

describe('what we say of a trainer that died', () => {
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

  it('does not blame the memory when we killed it because it did not respond', () => {
    const sentence = describeDeath({ exitCode: null, signal: 'SIGKILL', hung: true });
    expect(sentence).toMatch(/stopped responding/);
    expect(sentence).not.toContain('memory');
  });
});
