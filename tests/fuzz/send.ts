// Sends a request as it is, over a connection of its own, and judges what comes back.
import { connect } from 'node:net';
import { anthropicError, errorEnvelope } from '../../lib/contract/index.js';
import type { FuzzRequest } from './requests.js';

export interface Outcome {
  /** 0 when the connection ended without an answer. */
  status: number;
  /** From the last byte of the request to the first of the answer. */
  waitedMs: number;
  /** What is wrong with the answer. */
  fault: string | null;
}

/** After this long there is no answer. */
const GIVE_UP_MS = 30_000;
/** Streams do not end by themselves: this much of an answer is enough to judge it. */
const READ_BYTES = 64 * 1024;

export async function send(port: number, request: FuzzRequest): Promise<Outcome> {
  const { answer, waitedMs } = await exchange(port, toBytes(request), hasOwnLength(request));
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
  return { status, waitedMs, fault: findFault(request, status, answer, waitedMs) };
}

/** On a busy machine a refusal may take seconds. Who waits longer is held up by something. */
const MOST_WAIT_MS = 10_000;

function findFault(request: FuzzRequest, status: number, answer: string, waitedMs: number): string | null {
  if (status === 0) return `no answer: ${JSON.stringify(answer.slice(0, 100))}`;
  if (status >= 500) return `status ${status}: ${answer.slice(answer.indexOf('\r\n\r\n'), 400)}`;
  if (waitedMs > MOST_WAIT_MS && !isOfEngine(request, status))
    return `answered after ${Math.round(waitedMs)} ms`;
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  if (!/\r\nx-request-id: [\da-f-]{36}/i.test(head)) return 'no request id';
  if (status < 400 || request.method === 'HEAD') return null;
  const text = rest.join('\r\n\r\n');
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  // A spoiled address may be another API's.
  const envelopes = /^(?:create|count)Message/.test(request.name)
    ? [anthropicError, errorEnvelope]
    : [errorEnvelope];
  const isKnown = envelopes.some(envelope => envelope.safeParse(parse(json)).success);
  return isKnown ? null : `no envelope: ${text.slice(0, 100)}`;
}

/** What the engine answers waits for its turn and for the model to load, which takes what it takes. */
function isOfEngine({ name }: FuzzRequest, status: number): boolean {
  return status === 200 && /chat|tokenize|create(Response|Message|Completion|Embeddings)/i.test(name);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** It promises what is not sent, perhaps. */
function hasOwnLength({ headers }: FuzzRequest): boolean {
  return headers.some(([name]) => name === 'content-length' || name === 'transfer-encoding');
}

function toBytes(request: FuzzRequest): Buffer {
  const { method, target, headers, body } = request;
  const all: [string, string][] = [
    ...headers,
    ...(hasOwnLength(request) ? [] : [['content-length', String(body.length)] as [string, string]]),
    ['connection', 'close'],
  ];
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`), body]);
}

/** With `isAll` the other end is told that nothing more comes; a server ends requests that are not whole then. */
function exchange(
  port: number,
  bytes: Buffer,
  isAll: boolean,
): Promise<{ answer: string; waitedMs: number }> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    let sentAt = performance.now();
    let firstAt = 0;
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answer, waitedMs: (firstAt || performance.now()) - sentAt });
    };
    const timer = setTimeout(finish, GIVE_UP_MS);
    socket.on('data', part => {
      firstAt ||= performance.now();
      answer += part.toString('latin1');
      // Of an event stream the head is enough.
      if (answer.length > READ_BYTES || /\r\ncontent-type: text\/(?:event-stream|plain)/i.test(answer))
        finish();
    });
    socket.on('error', () => {}).once('close', finish);
    socket.write(bytes, () => {
      sentAt = performance.now();
      if (isAll) socket.end();
    });
  });
}
