// A small Hub on loopback: what @huggingface/hub asks about a data set, answered as the real one does.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from './web-server.js';

export interface HubContent {
  /** Path to content. */
  files: Record<string, string | Uint8Array>;
  /** Those stored as large files, which are sent from elsewhere. */
  large?: string[];
  /** The status for those who do not send this token. */
  guard?: { token: string; status: number };
  /** What is sent instead of a file. */
  tampered?: Record<string, string>;
  /** Those whose connection ends before they do. */
  cut?: string[];
  pageSize?: number;
}

const commit = 'c'.repeat(40);
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const gitOid = (content: Uint8Array) =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** Data sets by their names. `downloads` lists the paths whose content was sent. */
export async function startHub(datasets: Record<string, HubContent>) {
  const downloads: string[] = [];
  const { url, requests } = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, url);
    const [, api, name, rest] = /^\/(api\/)?datasets\/([^/]+\/[^/]+)\/(.+)$/.exec(pathname) ?? [];
    const content = datasets[name ?? ''];
    if (pathname.startsWith('/cdn/')) return sendFile(pathname.slice('/cdn/'.length), request, response);
    if (!content) return refuse(response, 404);
    const { guard } = content;
    if (guard && request.headers.authorization !== `Bearer ${guard.token}`)
      return refuse(response, guard.status);
    if (api && rest === 'revision/HEAD')
      return sendJson(response, { _id: '1', id: name, sha: commit, lastModified: new Date(0) });
    if (api && rest === `tree/${commit}`)
      return sendTree(content, Number(searchParams.get('page')), response);
    const path = decodeURIComponent(rest?.replace(`resolve/${commit}/`, '') ?? '');
    if (content.large?.includes(path))
      return response.writeHead(302, { location: `/cdn/${name}:${encodeURIComponent(path)}` }).end();
    sendFile(`${name}:${path}`, request, response);
  });

  function sendTree(
    { files, large = [], pageSize = 1000 }: HubContent,
    page: number,
    response: ServerResponse,
  ) {
    const entries = Object.entries(files).map(([path, text]) => {
      const content = Buffer.from(text);
      const entry = { type: 'file', path, size: content.length, oid: gitOid(content) };
      const lfs = { oid: sha256(content), size: content.length, pointerSize: 130 };
      return large.includes(path) ? { ...entry, oid: '0'.repeat(40), lfs } : entry;
    });
    const from = page * pageSize;
    if (from + pageSize < entries.length) {
      const [name] = Object.entries(datasets).find(([, content]) => content.files === files)!;
      const next = `${url}/api/datasets/${name}/tree/${commit}?recursive=true&page=${page + 1}`;
      response.setHeader('link', `<${next}>; rel="next"`);
    }
    sendJson(response, [
      { type: 'directory', path: 'data', size: 0 },
      ...entries.slice(from, from + pageSize),
    ]);
  }

  function sendFile(place: string, request: IncomingMessage, response: ServerResponse) {
    const [name, encoded] = place.split(/:(.*)/s) as [string, string];
    const path = decodeURIComponent(encoded);
    const { files, tampered = {}, cut = [] } = datasets[name]!;
    if (files[path] === undefined) return refuse(response, 404);
    const size = Buffer.from(files[path]).length;
    if (request.headers.range === 'bytes=0-0') {
      response.writeHead(206, { 'content-range': `bytes 0-0/${size}`, etag: '"e"' });
      return response.end(Buffer.from(files[path]).subarray(0, 1));
    }
    downloads.push(path);
    if (cut.includes(path)) {
      response.writeHead(200, { 'content-length': size });
      return response.write(Buffer.from(files[path]).subarray(0, 1), () => response.destroy());
    }
    response.writeHead(200, { etag: '"e"' }).end(tampered[path] ?? files[path]);
  }

  return { url, requests, downloads };
}

function refuse(response: ServerResponse, status: number) {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"the words of the Hub"}');
}

function sendJson(response: ServerResponse, body: unknown) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
