// Downloads over lines that are lost: they go on where they were, from the same adapter and no other.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createCloudClient } from '../../lib/client/index.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { listening } from '../support/listening.js';
import { sampleJob } from '../support/samples.js';

const WHOLE = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 251));

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers in this order; the last goes for all that follow. */
async function open(...answers: Answer[]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { range, 'if-range': condition } = request.headers;
    asked.push(range === undefined ? undefined : `${range} of ${condition}`);
    (answers.length > 1 ? answers.shift()! : answers[0]!)(request, response);
  });
  const baseUrl = await listening(server);
  const clock = createHastyClock();
  const cloud = createCloudClient({ baseUrl, token: 't', scope: { orgSlug: 'o', projectSlug: 'p' }, clock });
  const stop = new AbortController();
  const begin = () => cloud.downloadArtifact(sampleJob().id, 'final', stop);
  const load = async () => Buffer.from(await (await begin()).arrayBuffer());
  return { asked, clock, begin, load, stop };
}

/** From the requested byte on, up to this one, where the line is lost. */
const until =
  (end: number, etag = '"a"'): Answer =>
  ({ headers: { range } }, response) => {
    const start = Number(range?.match(/\d+/)?.[0] ?? 0);
    response.writeHead(start > 0 ? 206 : 200, { etag, 'content-length': WHOLE.length - start });
    if (end === WHOLE.length) response.end(WHOLE.subarray(start));
    else response.write(WHOLE.subarray(start, end), () => response.destroy());
  };
const toEnd = until(WHOLE.length);
const dropped: Answer = (_, response) => void response.destroy();
const refused =
  (status: number): Answer =>
  (_, response) =>
    void response.writeHead(status).end();

it('goes on where it broke off, however often', async () => {
  const { asked, load } = await open(until(300), dropped, refused(503), until(301), until(999), toEnd);
  expect((await load()).equals(WHOLE)).toBe(true);
  const from = (byte: number) => `bytes=${byte}- of "a"`;
  expect(asked).toEqual([undefined, from(300), from(300), from(300), from(301), from(999)]);
});

it('leaves out what it has where a cloud always sends all of it', async () => {
  const all: Answer = (request, response) => toEnd({ ...request, headers: {} } as IncomingMessage, response);
  const { load } = await open(until(300), all);
  expect((await load()).equals(WHOLE)).toBe(true);
});

it('never puts two adapters together', async () => {
  const { asked, load } = await open(until(300), until(WHOLE.length, '"b"'));
  await expect(load()).rejects.toThrow('has changed meanwhile. Download it again.');
  expect(asked).toHaveLength(2);
});

it('ends with the reason when nothing more comes, or never will', async () => {
  const { asked, load, clock } = await open(until(300), dropped);
  await expect(load()).rejects.toMatchObject({ code: 'cloud_unreachable' });
  expect([asked.length, clock.slept.length]).toEqual([5, 4]);
  const gone = await open(until(300), refused(404));
  await expect(gone.load()).rejects.toMatchObject({ status: 404 });
  expect(gone.asked).toHaveLength(2);
});

it('asks no more once nobody wants it', async () => {
  const { asked, begin, stop } = await open(until(300));
  const reader = (await begin()).body!.getReader();
  await reader.read();
  stop.abort(new Error('enough'));
  await expect(reader.read()).rejects.toThrow();
  expect(asked).toHaveLength(1);
});
