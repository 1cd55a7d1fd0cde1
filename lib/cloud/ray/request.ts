// One HTTP request. Not `fetch`: it sends `Sec-Fetch-Mode`, by which Ray takes it for a browser and refuses to change
// anything. Follows no redirects.
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

interface RequestOptions {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
}

const HAS_NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Reads the whole answer. Rejects with the signal's reason once that is aborted. */
export function request(url: string, { method, headers, body, signal }: RequestOptions): Promise<Response> {
  const bytes = body === undefined ? null : Buffer.from(body as Uint8Array);
  const length = bytes && { 'content-length': String(bytes.length) };
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error);
    const outgoing = send(url, { method, headers: { ...headers, ...length }, signal }, incoming => {
      const status = incoming.statusCode!;
      buffer(incoming)
        .then(content => new Response(HAS_NO_BODY.has(status) ? null : content, { status }))
        .then(resolve, fail);
    });
    outgoing.on('error', fail);
    outgoing.end(bytes ?? undefined);
  });
}
