// What a teacher may say instead of an answer, who gets the key, and what is kept of a generation that ends early.
import { once } from 'node:events';
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { distil } from '../../../lib/sdk/distil/options.js';
import { sendError } from '../../support/fake-account.js';
import { type FakeTeacher, openFakeTeacher } from '../../support/fake-teacher.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { distilIn, type Given } from './support.js';

let fake: FakeTeacher;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('svc-distil');
  fake = await openFakeTeacher();
});
afterEach(() => fake.close());

type Context = Parameters<typeof distilIn>[3];
const run = (given?: Given, context?: Context) => distilIn(folder, fake, given, context);

/** With waits that pass at once. */
async function settle<T>(work: (clock: ReturnType<typeof createVirtualClock>) => Promise<T>): Promise<T> {
  const clock = createVirtualClock();
  let isOpen = true;
  const promise = work(clock);
  void promise.catch(() => {}).finally(() => (isOpen = false));
  while (isOpen) await clock.pass(clock.nextMs ?? 1);
  return promise;
}

const files = async () =>
  (await readdir(join(folder, '.svc', 'distilled'))).map(name => join(folder, '.svc', 'distilled', name));
const stored = async () => (await Promise.all((await files()).map(path => readFile(path, 'utf8')))).join('');

describe('a teacher that limits', () => {
  it('is asked again when it wants, by no request before', async () => {
    const times: number[] = [];
    const { seen, answers } = await settle(clock => {
      fake.intercept = (_, response) => {
        times.push(clock.elapsed());
        if (times.length > 1) return false;
        sendError(response, 429, null, 'Slow down', { 'retry-after': '40' });
        return true;
      };
      return run({ concurrency: 1, prompts: ['a', 'b'] }, { clock });
    });
    expect(answers).toEqual(['answer to a', 'answer to b']);
    expect(times).toHaveLength(3);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(40_000);
    const waits = seen.flatMap(({ problem }) => problem ?? []);
    expect(waits).toEqual([{ ms: 40_000, why: expect.stringMatching(/answered 429\. Slow down\.$/) }]);
    expect(seen.at(-1)!.problem).toBeUndefined();
  });

  it('pauses requests of others, too', async () => {
    let isLimited = false;
    const early: string[] = [];
    await settle(clock => {
      fake.intercept = ({ question }, response) => {
        if (question === 'a' && !isLimited) {
          isLimited = true;
          sendError(response, 503, null, 'Busy.', { 'retry-after': '30' });
          return true;
        }
        if (isLimited && clock.elapsed() < 30_000) early.push(question);
        return false;
      };
      return run({ concurrency: 2, prompts: ['a', 'b', 'c', 'd', 'e', 'f'] }, { clock });
    });
    // The one beside it may have been under way.
    expect(early.length).toBeLessThanOrEqual(1);
  });

  it('for hours ends the run, and what is kept is said', async () => {
    fake.intercept = ({ question }, response) => {
      if (question !== 'two') return false;
      sendError(response, 429, null, 'Daily limit.', { 'retry-after': '7200' });
      return true;
    };
    await expect(settle(clock => run({ concurrency: 1 }, { clock }))).rejects.toThrow(
      /Daily limit\. It asks to wait 120 minutes; run the command again then\.\n1 of 3 answers are kept\. The next start resumes there\.$/,
    );
    fake.intercept = () => false;
    expect((await run()).last).toMatchObject({ known: 1, answered: 3 });
  });
});

describe('a teacher that cannot answer', () => {
  it('since it does not accept the key', async () => {
    fake.intercept = ({ headers }, response) => {
      sendError(response, 401, 'invalid_api_key', `Incorrect key: ${headers.authorization!.slice(7)}.`);
      return true;
    };
    const failed = await run({ teacher: { apiKey: 'sk-very-secret' } }).catch((error: Error) => error);
    expect(String(failed)).toMatch(/does not accept this key\. Incorrect key: \(your key\)\.$/);
    expect(fake.requests.length).toBeLessThanOrEqual(4);
  });

  it('without a key', async () => {
    fake.intercept = (_, response) => {
      sendError(response, 401, null, 'No key.');
      return true;
    };
    await expect(run()).rejects.toThrow(
      /The teacher does not answer\. 127\.0\.0\.1:\d+ wants a key\. No key\.$/,
    );
  });

  it('since it does not know the model', async () => {
    await expect(run({ teacher: { model: 'pupil' } })).rejects.toThrow(
      /^The teacher at http:\S+\/v1\/chat\/completions does not know the model "pupil", or this is not its address\. It answered: The model `pupil` does not exist\.$/,
    );
  });

  it('since nobody is there', async () => {
    await fake.close();
    await expect(settle(clock => run({}, { clock }))).rejects.toThrow(
      /could not be reached \(ECONNREFUSED\)\.$/,
    );
    fake = await openFakeTeacher();
  });

  it('since it refuses each request, which is said before all are asked', async () => {
    fake.intercept = (_, response) => {
      sendError(response, 400, 'unsupported_value', 'No temperature.');
      return true;
    };
    const prompts = Array.from({ length: 100 }, (_, index) => `prompt ${index}`);
    await expect(run({ prompts })).rejects.toThrow(
      /^The teacher refuses what it is asked\. 127\.0\.0\.1:\d+ answered 400\. No temperature\.$/,
    );
    expect(fake.requests.length).toBeLessThan(10);
    fake.intercept = () => false;
    expect((await run({ prompts })).answers).toHaveLength(100);
  });

  it('since it is no such server', async () => {
    fake.intercept = (_, response) => Boolean(response.writeHead(200).end('<html>'));
    await expect(run()).rejects.toThrow(
      'is not JSON. Is this the address of OpenAI’s API?'.replace('’', "'"),
    );
  });
});

describe('a teacher whose model fails within an answer', () => {
  const broken = { content: 'answer to', finish_reason: 'error' };

  it('is asked again, after a wait', async () => {
    fake.answer = ({ question }) => (fake.requests.length === 1 ? broken : `answer to ${question}`);
    const { seen, answers } = await settle(clock => run({ concurrency: 1 }, { clock }));
    expect(answers).toEqual(['answer to one', 'answer to two', 'answer to three']);
    expect(fake.questions()).toEqual(['one', 'one', 'two', 'three']);
    expect(seen.flatMap(({ problem }) => problem?.why ?? [])).toEqual([
      'It broke off an answer because of an error of its own.',
    ]);
  });

  it('each time ends the run, and nothing of it is kept', async () => {
    fake.answer = () => broken;
    await expect(settle(clock => run({ prompts: ['one'] }, { clock }))).rejects.toThrow(
      'The teacher does not answer. It broke off an answer because of an error of its own.',
    );
    expect(await stored()).toBe('');
  });

  it('was asked before svc knew that, so its answers are asked for again', async () => {
    await run({ prompts: ['one'] });
    const [path] = await files();
    await writeFile(path!, (await stored()).replace('"stop"', '"error"'));
    await run({ prompts: ['one'] });
    expect(fake.requests).toHaveLength(2);
  });
});

it('a prompt that is refused is left out and not asked again, if others are answered', async () => {
  fake.intercept = ({ question }, response) => {
    if (question !== 'two') return false;
    sendError(response, 400, 'content_policy', 'Not this one.');
    return true;
  };
  const { answers, last } = await run();
  expect(answers).toEqual(['answer to one', 'answer to three']);
  expect(last).toMatchObject({ leftOut: { refused: 1 }, refusal: expect.stringContaining('Not this one.') });
  expect((await run()).last).toMatchObject({ known: 3, leftOut: { refused: 1 } });
  expect(fake.requests).toHaveLength(3);
});

describe('the key', () => {
  const keys = () => new Set(fake.requests.map(({ headers }) => headers.authorization));

  it('is that of the environment if the teacher names none, and is stored nowhere', async () => {
    await run({}, { env: { OPENAI_API_KEY: 'sk-of-the-environment' } });
    expect(keys()).toEqual(new Set(['Bearer sk-of-the-environment']));
    expect(await stored()).not.toContain('sk-of');
  });

  it.each([null, undefined])('is none if the teacher has %s', async apiKey => {
    await run({ teacher: { apiKey } }, { env: { OPENAI_API_KEY: 'sk-of-the-environment' } });
    expect(keys()).toEqual(new Set([undefined]));
  });

  it('goes nowhere else: redirects are not followed', async () => {
    const got: unknown[] = [];
    const other = createServer((request, response) => {
      got.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>(resolve => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    fake.intercept = (_, response) =>
      Boolean(response.writeHead(307, { location: `http://127.0.0.1:${port}/v1/chat/completions` }).end());
    await expect(run({ teacher: { apiKey: 'sk' } })).rejects.toThrow('redirects to another address');
    expect(got).toEqual([]);
    await new Promise(resolve => void other.close(resolve));
  });

  it('is not sent where others can read it', () => {
    const teacher = { baseURL: 'http://teacher.example/v1', model: 'm' };
    expect(() => distil({ teacher: { ...teacher, apiKey: 'sk' }, prompts: ['a'] })).toThrow(
      'distil: `teacher`: The base URL must start with https://, or http:// on this machine',
    );
    expect(distil({ teacher, prompts: ['a'] }).type).toBe('distilled');
  });
});

describe('a generation that ended early', () => {
  it('goes on after a line that was cut off, and one that was damaged', async () => {
    await run({ concurrency: 1 });
    const [path] = await files();
    const text = await readFile(path!, 'utf8');
    const lines = text.trim().split('\n');
    await writeFile(path!, `${lines[0]}\n\0\0\0\n${lines[1]}\n${lines[2]!.slice(0, 20)}`);
    expect((await run()).answers).toEqual(['answer to one', 'answer to two', 'answer to three']);
    expect(fake.questions().slice(3)).toEqual(['three']);
    expect((await run()).last).toMatchObject({ known: 3 });
    await truncate(path!, (await readFile(path!)).length - 1);
    await run();
    expect(fake.questions().slice(4)).toEqual(['three']);
    expect((await readFile(path!, 'utf8')).trim().split('\n')).toHaveLength(4);
  });

  it('asks no more once it is stopped, but keeps what was under way', async () => {
    const stop = new AbortController();
    const stopped = once(stop.signal, 'abort');
    fake.answer = async ({ question }) => {
      if (question === 'prompt 3') stop.abort(new Error('enough'));
      if (question === 'prompt 4') await stopped;
      return 'answer';
    };
    const prompts = Array.from({ length: 20 }, (_, index) => `prompt ${index}`);
    await expect(run({ prompts, concurrency: 2 }, { stop: stop.signal })).rejects.toThrow('enough');
    const asked = fake.requests.length;
    expect(asked).toBeLessThan(6);
    const { last } = await run({ prompts });
    expect(last.known).toBe(asked);
    expect(fake.requests).toHaveLength(20);
  });

  it('does not wait for a limit to pass once it is stopped', async () => {
    const stop = new AbortController();
    fake.intercept = (_, response) =>
      Boolean(sendError(response, 429, null, 'Slow.', { 'retry-after': '500' }));
    const clock = createVirtualClock();
    const ended = run(
      {},
      { stop: stop.signal, clock, onDistil: ({ problem }) => problem && stop.abort(new Error('enough')) },
    );
    await expect(ended).rejects.toThrow('enough');
  });
});

it('two processes of a project ask once', async () => {
  const seen = await Promise.all([run({ concurrency: 1 }), run({ concurrency: 1 })]);
  expect(seen[0]!.text).toBe(seen[1]!.text);
  expect(fake.requests).toHaveLength(3);
});

it('whoever may not ask gets what is there, or how much is missing', async () => {
  const look = { mayAsk: false };
  await expect(run({}, look)).rejects.toThrow(
    '0 of 3 prompts have an answer of teacher. Start a run or "svc data check", which ask for the others.',
  );
  await run({ prompts: ['one', 'two'] });
  await expect(run({}, look)).rejects.toThrow('2 of 3 prompts have an answer');
  expect((await run({ prompts: ['two'] }, look)).answers).toEqual(['answer to two']);
  expect(fake.requests).toHaveLength(2);
});

it('tokens and dollars are estimated before, by the answers that are known if there are enough, and counted', async () => {
  const prices = { input: 2, output: 10 };
  const prompts = Array.from({ length: 10 }, (_, index) => `prompt ${index}`);
  const first = await run({ prompts: prompts.slice(0, 8), prices, maxTokens: 100 });
  const start = first.seen.find(({ stage }) => stage === 'asking')!;
  // 8 x [{"role":"user","content":"prompt 0"}] with 4 characters a token.
  expect(start.estimate).toEqual({ tokens: { input: 76, output: 800 }, dollars: 0.008152, isMost: true });
  expect(first.last).toMatchObject({ tokens: { input: 80, output: 40 }, dollars: 0.00056 });
  const second = await run({ prompts, prices, maxTokens: 100 });
  expect(second.seen[0]!.estimate).toEqual({
    tokens: { input: 20, output: 10 },
    dollars: 0.00014,
    isMost: false,
  });
  expect(second.last).toMatchObject({ known: 8, tokens: { input: 20, output: 10 } });
  expect((await run({ prompts: ['x'] })).last.dollars).toBeNull();
});

it.each([
  [{ prompts: 5 }, '`prompts` must be'],
  [{ samples: 0 }, '`samples` must be a whole number from 1 to 100.'],
  [{ samples: 2, temperature: 0 }, '`samples` are all the same at a `temperature` of 0.'],
  [{ maxTokens: 1.5 }, '`maxTokens` must be'],
  [{ concurrency: 1000 }, '`concurrency` must be'],
  [{ temperature: 3 }, '`temperature` must be'],
  [{ request: { messages: [] } }, '`request.messages` is decided by the other options.'],
  [{ keep: true }, '`keep` must be a function.'],
  [{ request: { logprobs: true } }, '`request.logprobs` is decided by the other options.'],
  [{ soft: 'yes' }, '`soft` must be true, or an object with `weight` and `topLogprobs`.'],
  [{ soft: { weight: 0 } }, '`soft.weight` must be a number above 0.'],
  [{ soft: { topLogprobs: 21 } }, '`soft.topLogprobs` must be a whole number from 1 to 20.'],
  [{ soft: { temperature: 2 } }, '`soft.temperature` is not an option.'],
  [{ prices: { input: 1 } }, '`prices` must have `input` and `output`'],
  [{ temprature: 1 }, '`temprature` is not an option.'],
  [
    { teacher: { baseURL: 'ftp://x', model: 'm' } },
    '`teacher`: The base URL must start with https:// or http://.',
  ],
  [{ teacher: { baseURL: 'https://x/v1', model: '' } }, '`teacher.model` must name a model.'],
  [{ teacher: { baseURL: 'https://x/v1', model: 'm', key: 'k' } }, '`teacher.key` is not an option.'],
])('%j is refused where it is written', (wrong, message) => {
  const given = { teacher: { baseURL: 'https://x/v1', model: 'm' }, prompts: ['a'], ...wrong };
  expect(() => distil(given as never)).toThrow(`distil: ${message}`);
});
