// An answer as it comes over a socket, for requests that no client would send.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { errorEnvelope } from '../../lib/contract/index.js';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends the bytes and reads until the other end closes. */
export async function askRaw(
  port: number,
  bytes: string | Uint8Array,
  host = '127.0.0.1',
): Promise<RawAnswer> {
  const socket = connect(port, host);
  socket.write(bytes);
  return readAnswer(await text(socket));
}

export function readAnswer(answer: string): RawAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map(line => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}

/** The code in the envelope of a refusal that has all that a refusal has. Throws for any other answer. */
export function refusedWith({ status, headers, body }: RawAnswer): [status: number, code: string] {
  if (!/^[\da-f-]{36}$/.test(headers['x-request-id'] ?? ''))
    throw new Error(`No request id in ${JSON.stringify(headers)}`);
  if (headers['content-type'] !== 'application/json') throw new Error(`Not JSON: ${headers['content-type']}`);
  const json =
    headers['transfer-encoding'] === 'chunked'
      ? body.slice(body.indexOf('\r\n'), body.lastIndexOf('}') + 1)
      : body;
  if (headers['content-length'] && Number(headers['content-length']) !== Buffer.byteLength(body))
    throw new Error(`Content-Length says ${headers['content-length']} of ${Buffer.byteLength(body)} bytes`);
  return [status, errorEnvelope.parse(JSON.parse(json)).error.code];
}
