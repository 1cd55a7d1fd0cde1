// A small Hub on loopback with one model. Answers the requests of @huggingface/hub like the real one.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openServer } from '../../support/listening.js';

export interface ModelHub {
  url: string;
  files: Record<string, Buffer>;
  /** `METHOD path range` of each request. */
  requests: string[];
  /** Closes the connection in the middle of this file, once. */
  cut: string | null;
  /** Sends half of this file and then nothing, once. */
  stall: string | null;
  /** Sends these bytes instead of a file's content. */
  tampered: Record<string, Buffer>;
  /** Sizes that it lists in place of the true ones. */
  claimed: Record<string, number>;
  /** The status of requests for a part of a file, if not 206. */
  brokenRanges: number | null;
  /** The status of all responses, if not 200. */
  status: number;
  /** Only who has accepted its conditions gets its files. */
  isGated: boolean;
  close(): Promise<void>;
}

const COMMIT = 'c'.repeat(40);

export async function startModelHub(id: string, files: Record<string, Buffer>): Promise<ModelHub> {
  const server = createServer((request, response) => answer(hub, id, request, response));
  const hub: ModelHub = {
    ...(await openServer(server)),
    files,
    requests: [],
    cut: null,
    stall: null,
    tampered: {},
    claimed: {},
    brokenRanges: null,
    status: 200,
    isGated: false,
  };
  return hub;
}

function answer(hub: ModelHub, id: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url!, hub.url);
  hub.requests.push([request.method, pathname, request.headers.range].filter(Boolean).join(' '));
  const path = pathname.replace(`/${id}/resolve/${COMMIT}/`, '');
  const content = hub.tampered[path] ?? hub.files[path];
  if (hub.status !== 200) response.writeHead(hub.status).end('{"error":"no"}');
  else if (pathname === `/api/models/${id}/revision/HEAD`)
    sendJson(response, { _id: '1', id, sha: COMMIT, lastModified: new Date(0) });
  else if (pathname === `/api/models/${id}/tree/${COMMIT}`)
    sendJson(
      response,
      Object.entries(hub.files).map(file => toEntry(file, hub.claimed)),
    );
  else if (hub.isGated && pathname.includes('/resolve/'))
    response.writeHead(401, { 'x-error-code': 'GatedRepo' }).end('Access is restricted.');
  else if (content) sendFile(hub, path, content, request.headers.range, response);
  else response.writeHead(404).end('{"error":"no"}');
}

function toEntry([path, content]: [string, Buffer], claimed: Record<string, number>) {
  const size = claimed[path] ?? content.length;
  const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  const entry = { type: 'file', path, size, oid };
  if (!path.endsWith('.safetensors')) return entry;
  const digest = createHash('sha256').update(content).digest('hex');
  const lfs = { oid: digest, size, pointerSize: 130 };
  return { ...entry, oid: '0'.repeat(40), lfs };
}

function sendFile(
  hub: ModelHub,
  path: string,
  content: Buffer,
  range: string | undefined,
  response: ServerResponse,
) {
  if (hub.brokenRanges && range !== undefined && range !== 'bytes=0-0')
    return void response.writeHead(hub.brokenRanges).end('{"error":"no"}');
  const [, from = '0', to = String(content.length - 1)] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  const sent = content.subarray(Number(from), Number(to) + 1);
  const headers = { etag: '"e"', 'content-length': sent.length };
  const contentRange = `bytes ${from}-${to}/${content.length}`;
  response.writeHead(range ? 206 : 200, range ? { ...headers, 'content-range': contentRange } : headers);
  if (hub.stall === path && sent.length > 1) {
    hub.stall = null;
    return void response.write(sent.subarray(0, sent.length >> 1));
  }
  if (hub.cut !== path || sent.length < 2) return response.end(sent);
  hub.cut = null;
  response.write(sent.subarray(0, sent.length >> 1), () => setTimeout(() => response.destroy(), 50));
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
