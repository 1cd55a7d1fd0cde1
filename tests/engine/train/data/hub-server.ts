// A small Hub on loopback that answers the data set requests of @huggingface/hub like the real one.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startServer } from './web-server.js';

interface HubContent {
  /** Path to content. */
  files: Record<string, string | Uint8Array>;
  /** Stored as large files, which are served from another host. */
  large?: string[];
  /** The status for requests without this token. */
  guard?: { token: string; status: number };
  /** Sent instead of a file's content. */
  tampered?: Record<string, string>;
  /** Files whose connection ends early. */
  cut?: string[];
  pageSize?: number;
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');
const gitOid = (content: Uint8Array) =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

/** Data sets by name. `downloads` lists the paths whose content was sent; `push` commits new files. */
export async function startHub(datasets: Record<string, HubContent>) {
  const downloads: string[] = [];
  /** By commit; old commits stay available. */
  const contents = new Map<string, HubContent>();
  const heads = new Map<string, string>();

  function commit(name: string, content: HubContent): void {
    const id = createHash('sha1').update(`${name} ${contents.size}`).digest('hex');
    contents.set(id, content);
    heads.set(name, id);
  }
  for (const [name, content] of Object.entries(datasets)) commit(name, content);

  const { url, requests } = await startServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, url);
    const [, api, name, rest] = /^\/(api\/)?datasets\/([^/]+\/[^/]+)\/(.+)$/.exec(pathname) ?? [];
    const head = heads.get(name ?? '');
    if (pathname.startsWith('/cdn/')) return sendFile(pathname.slice('/cdn/'.length), request, response);
    if (!name || !head) return refuse(response, 404);
    const { guard } = contents.get(head)!;
    if (guard && request.headers.authorization !== `Bearer ${guard.token}`)
      return refuse(response, guard.status);
    if (api && rest === 'revision/HEAD')
      return sendJson(response, { _id: '1', id: name, sha: head, lastModified: new Date(0) });
    const [, kind, id = '', encoded = ''] = /^(tree|resolve)\/([^/]+)\/?(.*)$/.exec(rest ?? '') ?? [];
    const content = contents.get(id);
    if (!content) return refuse(response, 404);
    if (kind === 'tree') return sendTree(name, id, Number(searchParams.get('page')), response);
    if (content.large?.includes(decodeURIComponent(encoded)))
      return response.writeHead(302, { location: `/cdn/${id}:${encoded}` }).end();
    sendFile(`${id}:${encoded}`, request, response);
  });

  function sendTree(name: string, id: string, page: number, response: ServerResponse) {
    const { files, large = [], pageSize = 1000 } = contents.get(id)!;
    const entries = Object.entries(files).map(([path, text]) => {
      const content = Buffer.from(text);
      const entry = { type: 'file', path, size: content.length, oid: gitOid(content) };
      const lfs = { oid: sha256(content), size: content.length, pointerSize: 130 };
      return large.includes(path) ? { ...entry, oid: '0'.repeat(40), lfs } : entry;
    });
    const from = page * pageSize;
    if (from + pageSize < entries.length) {
      const next = `${url}/api/datasets/${name}/tree/${id}?recursive=true&page=${page + 1}`;
      response.setHeader('link', `<${next}>; rel="next"`);
    }
    const listed = [{ type: 'directory', path: 'data', size: 0 }, ...entries.slice(from, from + pageSize)];
    sendJson(response, listed);
  }

  function sendFile(place: string, request: IncomingMessage, response: ServerResponse) {
    const [id, encoded] = place.split(/:(.*)/s) as [string, string];
    const path = decodeURIComponent(encoded);
    const { files, tampered = {}, cut = [] } = contents.get(id)!;
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

  const push = (name: string, files: HubContent['files']) => commit(name, { files });
  return { url, requests, downloads, push };
}

function refuse(response: ServerResponse, status: number) {
  sendJson(response, { error: 'the words of the Hub' }, status);
}

function sendJson(response: ServerResponse, body: unknown, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
