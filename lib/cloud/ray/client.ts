// A client for a Ray cluster's dashboard: packages, submissions, nodes. Follows no redirects, so the token goes nowhere
// else, and rereads the token for each call, so that it can be replaced.
import { readFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { type Clock, realClock } from '../../clock/index.js';
import { findFault, type Schema } from '../../contract/index.js';
import { RayError } from './ray-error.js';
import {
  lastLine,
  nodesResponse,
  type RayNode,
  type ServeConfig,
  type ServeDetails,
  type Submission,
  serveResponse,
  submissionResponse,
  submittedResponse,
  type UsageByNode,
  usageResponse,
  versionResponse,
} from './ray-responses.js';

interface RayAddress {
  /** The dashboard's URL, such as `http://head:8265`. */
  url: string;
  tokenFile?: string | undefined;
  /** How long the cluster may take to respond. */
  answerMs?: number | undefined;
  clock?: Clock | undefined;
}

export interface NewSubmission {
  entrypoint: string;
  submission_id: string;
  runtime_env: { working_dir?: string; env_vars?: Record<string, string> };
  metadata?: Record<string, string>;
  entrypoint_num_cpus: number;
}

export interface RayClient {
  readonly url: string;
  readVersion(): Promise<string>;
  /** Uploads it unless the cluster already has it; returns its URI. */
  ensurePackage(content: RayPackage): Promise<string>;
  /** Safe to repeat: an ID is used once. */
  submit(submission: NewSubmission): Promise<void>;
  /** Null if the cluster does not know the submission. */
  findSubmission(id: string): Promise<Submission | null>;
  readLogs(id: string): Promise<string>;
  stop(id: string): Promise<void>;
  /** Only after it has ended. */
  forget(id: string): Promise<void>;
  listNodes(): Promise<RayNode[]>;
  /** Null if the cluster does not say. */
  readUsage(): Promise<UsageByNode | null>;
  readServe(): Promise<ServeDetails>;
  /** Replaces all applications that were put before. */
  putServe(config: ServeConfig): Promise<void>;
}

export interface RayPackage {
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
}

interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: string | Uint8Array<ArrayBuffer>;
  timeoutMs?: number;
}

const ANSWER_MS = 15_000;
const UPLOAD_MS = 10 * 60_000;
/** The first one starts Serve. */
const SERVE_MS = 2 * 60_000;
const VERSION_PATH = '/api/version';
const SERVE_PATH = '/api/serve/applications/';
/** The response of a head whose agent is not up yet, which can take a minute on a busy machine. */
const STARTING = /no available agent/i;

export function createRayClient({
  url,
  tokenFile,
  answerMs = ANSWER_MS,
  clock = realClock,
}: RayAddress): RayClient {
  const base = url.replace(/\/+$/, '');

  async function send(path: string, { method = 'GET', body, timeoutMs = answerMs }: Call = {}) {
    const token = tokenFile === undefined ? null : await readToken(tokenFile);
    const headers = {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    };
    const signal = clock.deadline(timeoutMs);
    const response = await request(`${base}${path}`, { method, headers, body, signal }).catch(
      (error: NodeJS.ErrnoException) => {
        // A timeout's code is a number.
        if (String(error.code).startsWith('HPE_'))
          throw new RayError(
            'unsupported',
            `${base} does not speak HTTP. Use the address of the dashboard, which "ray start" prints, such as http://head:8265.`,
          );
        throw new RayError('away', `The Ray cluster at ${base} does not answer (${toReason(error)}).`, error);
      },
    );
    if (response.status === 401 || response.status === 403) throw refused(base, tokenFile);
    if (response.status >= 300 && response.status < 400)
      throw new RayError(
        'unsupported',
        `${base} redirects, which svc does not follow. Use the address of the dashboard itself.`,
      );
    return response;
  }

  async function expectOk(path: string, call?: Call): Promise<Response> {
    const response = await send(path, call);
    if (!response.ok) throw await toRejection(base, response);
    return response;
  }

  /** Null if the cluster does not have it. */
  async function sendIfThere(path: string, call?: Call): Promise<Response | null> {
    const response = await send(path, call);
    if (!response.ok && response.status !== 404) throw await toRejection(base, response);
    return response.ok ? response : null;
  }

  async function parse<const S extends Schema>(schema: S, path: string, response: Response) {
    const value: unknown = await response.json().catch(() => undefined);
    const fault = findFault(schema, value, 'Its answer');
    if (fault !== null) throw notRay(`${base}${path}`, fault);
    return z.parse(schema, value);
  }

  const read = async <const S extends Schema>(schema: S, path: string, call?: Call) =>
    parse(schema, path, await expectOk(path, call));

  const jobPath = (id: string) => `/api/jobs/${encodeURIComponent(id)}`;

  async function findSubmission(id: string): Promise<Submission | null> {
    const response = await sendIfThere(jobPath(id));
    return response && parse(submissionResponse, jobPath(id), response);
  }

  return {
    url: base,
    async readVersion() {
      const response = await sendIfThere(VERSION_PATH);
      if (response === null) throw notRay(`${base}${VERSION_PATH}`, 'There is no such page.');
      return (await parse(versionResponse, VERSION_PATH, response)).ray_version;
    },
    async ensurePackage({ sha256, bytes }) {
      const name = `_ray_pkg_${sha256}.zip`;
      const path = `/api/packages/gcs/${name}`;
      if (!(await sendIfThere(path)))
        await expectOk(path, { method: 'PUT', body: bytes, timeoutMs: UPLOAD_MS });
      return `gcs://${name}`;
    },
    async submit(submission) {
      const call = { method: 'POST', body: JSON.stringify(submission) } as const;
      try {
        // Without the slash, Ray answers 405.
        await read(submittedResponse, '/api/jobs/', call);
      } catch (error) {
        // If the response to an earlier call was lost, the cluster already has the submission. It refuses a used ID with a
        // plain 500.
        if (!(error instanceof RayError) || error.kind !== 'rejected') throw error;
        if ((await findSubmission(submission.submission_id)) === null) throw error;
      }
    },
    findSubmission,
    async readLogs(id) {
      const response = await send(`${jobPath(id)}/logs`);
      const answer = response.ok ? ((await response.json().catch(() => null)) as { logs?: unknown }) : null;
      return typeof answer?.logs === 'string' ? answer.logs : '';
    },
    // Both act on something that may already have ended.
    stop: async id => void (await sendIfThere(`${jobPath(id)}/stop`, { method: 'POST' })),
    forget: async id => void (await sendIfThere(jobPath(id), { method: 'DELETE' })),
    listNodes: async () => (await read(nodesResponse, '/api/v0/nodes?detail=1')).data.result.result,
    readServe: () => read(serveResponse, SERVE_PATH),
    async putServe(config) {
      await expectOk(SERVE_PATH, { method: 'PUT', body: JSON.stringify(config), timeoutMs: SERVE_MS });
    },
    async readUsage() {
      const { clusterStatus } = (await read(usageResponse, '/api/cluster_status')).data;
      return clusterStatus?.loadMetricsReport?.usageByNode ?? null;
    },
  };
}

async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new RayError('unauthorized', `Cannot read Ray's token from ${file} (${error.code}).`);
  });
  const token = text.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new RayError('unauthorized', `${file} contains no token. "ray get-auth-token" prints the cluster's.`);
}

function refused(base: string, tokenFile: string | undefined): RayError {
  return new RayError(
    'unauthorized',
    tokenFile === undefined
      ? `The Ray cluster at ${base} requires a token. Pass the file that contains it with --ray-token-file; "ray get-auth-token" prints it.`
      : `The Ray cluster at ${base} refused the token in ${tokenFile}. "ray get-auth-token" prints the current one.`,
  );
}

function notRay(address: string, why: string): RayError {
  return new RayError(
    'unsupported',
    `${address} did not answer as Ray's dashboard does. ${why} Check the URL; svc needs Ray 2.50 or later.`,
  );
}

/** Sent by a proxy in front of an unreachable head. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

async function toRejection(base: string, response: Response): Promise<RayError> {
  if (GATEWAY.has(response.status))
    return new RayError('away', `The Ray cluster at ${base} does not answer (HTTP ${response.status}).`);
  const said = lastLine(await response.text().catch(() => '')) || `HTTP ${response.status}`;
  if (STARTING.test(said)) return new RayError('away', `The Ray cluster at ${base} is starting (${said})`);
  return new RayError('rejected', `The Ray cluster at ${base} refused: ${said}`);
}

function toReason(error: Error): string {
  if (error.name === 'TimeoutError') return 'no answer in time';
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

interface RequestOptions {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
}

const HAS_NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * One HTTP request. Not `fetch`, which sends `Sec-Fetch-Mode`, so that Ray takes it for a browser and refuses to change
 * anything. Reads the whole response. Follows no redirects. Rejects with the signal's reason once it is aborted. @internal
 */
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
