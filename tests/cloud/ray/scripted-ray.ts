// A Ray dashboard that answers as it is told, over HTTP: its packages, submissions and nodes are plain values.

import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openServer } from '../../support/listening.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

export interface ScriptedSubmission {
  submission_id: string;
  status: string;
  message?: string | null;
  driver_exit_code?: number | null;
  body: {
    runtime_env: { working_dir: string; env_vars: Record<string, string> };
    metadata?: Record<string, string>;
    entrypoint: string;
  };
}

export type ScriptedRay = Awaited<ReturnType<typeof openScriptedRay>>['ray'];

const BROWSER_HEADERS = ['origin', 'referer', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-site'];

/** Until the test is over. */
export async function startScriptedRay(): Promise<ScriptedRay> {
  const { ray, close } = await openScriptedRay();
  onTestFinished(close);
  return ray;
}

export async function openScriptedRay() {
  const ray = {
    url: '',
    /** Null: it requires none. */
    token: null as string | null,
    version: '2.60.0',
    /** What every submission has logged. */
    logs: 'a line\n',
    /** What becomes of a submission as soon as it is there. */
    onSubmit: (_: ScriptedSubmission): void | Promise<void> => {},
    packages: new Map<string, Buffer>(),
    submissions: new Map<string, ScriptedSubmission>(),
    /** `METHOD /path` of each request, in order. */
    asked: [] as string[],
    nodes: [toNode('head', { CPU: 4 }, true)] as object[],
    usage: {} as Record<string, Record<string, [number, number]>> | null,
    /** Answers instead, while it returns true. */
    intercept: null as ((request: IncomingMessage, response: ServerResponse) => boolean) | null,
  };
  const server = createServer((request, response) => void answer(ray, request, response));
  const { url, close } = await openServer(server);
  ray.url = url;
  return { ray, close };
}

export function toNode(name: string, resources: Record<string, number>, isHead = false) {
  return {
    ...{ node_id: name, node_ip: name, node_name: name, is_head_node: isHead },
    ...{ state: 'ALIVE', resources_total: resources },
  };
}

/** A file with a token, until the test is over. */
export async function writeToken(text: string): Promise<string> {
  const folder = temporaryFolder('ray-token');
  await writeFile(join(folder, 'token'), text);
  return join(folder, 'token');
}

async function answer(ray: ScriptedRay, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request;
  ray.asked.push(`${method} ${url}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  if (ray.intercept?.(request, response)) return;
  const send = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };
  // As Ray's own middleware does.
  const isBrowser = BROWSER_HEADERS.some(name => name in request.headers);
  if (isBrowser && method !== 'GET') return send(405, `'${method}' method not allowed for browser traffic.`);
  if (ray.token !== null && request.headers.authorization !== `Bearer ${ray.token}`)
    return send(request.headers.authorization ? 403 : 401, 'Unauthorized');
  const [path] = url.split('?');
  if (path === '/api/version') return send(200, { version: '4', ray_version: ray.version });
  if (path === '/api/v0/nodes') return send(200, { data: { result: { result: ray.nodes } } });
  if (path === '/api/cluster_status') {
    const clusterStatus = ray.usage && { loadMetricsReport: { usageByNode: ray.usage } };
    return send(200, { data: { clusterStatus } });
  }
  if (path!.startsWith('/api/packages/gcs/')) return send(...answerPackage(ray, method, path!, body));
  if (path === '/api/jobs/' && method === 'POST') {
    const { submission_id: id, ...rest } = JSON.parse(body.toString());
    if (ray.submissions.has(id))
      return send(500, `Traceback:\nValueError: Job with submission_id ${id} already exists.\n.`);
    const submission = { submission_id: id, status: 'RUNNING', body: rest };
    ray.submissions.set(id, submission);
    await ray.onSubmit(submission);
    return send(200, { submission_id: id });
  }
  const [, id, action] = /^\/api\/jobs\/([^/]+)(?:\/(\w+))?$/.exec(path!) ?? [];
  const submission = ray.submissions.get(id ?? '');
  if (!submission) return send(404, `Job ${id} does not exist`);
  if (action === 'stop') submission.status = 'STOPPED';
  if (action === 'logs') return send(200, { logs: ray.logs });
  if (method === 'DELETE') ray.submissions.delete(id!);
  send(200, submission);
}

function answerPackage(ray: ScriptedRay, method: string, path: string, body: Buffer): [number, string] {
  const name = path.split('/').at(-1)!;
  if (method === 'PUT') ray.packages.set(name, body);
  return ray.packages.has(name) ? [200, ''] : [404, 'Package does not exist'];
}
