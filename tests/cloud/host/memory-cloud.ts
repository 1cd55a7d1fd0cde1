// A whole cloud in process, called through its `fetch`. By default it cannot run jobs or answer chats.
import { rm } from 'node:fs/promises';
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import { type Cloud, createCloud } from '../../../lib/cloud/app.js';
import type { CloudDeps } from '../../../lib/cloud/deps.js';
import type { AnonymousIdentity, Scope } from '../../../lib/contract/index.js';
import { faultAfter, scriptedBackend } from '../backends/scripted-backend.js';
import { makeCloudFolder } from '../cloud-folder.js';
import { localAddress } from '../deployments/sample-cloud.js';
import { sharedFileReader as files } from '../shared-file-reader.js';
import { HOST, toFetch } from '../to-fetch.js';

export const SECRET = 'the-secret-of-cloud-json';

export interface MemoryCloud {
  cloud: Cloud;
  folder: string;
  logged: unknown[];
  /** Sends a request as a program does. Headers can be replaced; `null` omits one. */
  call(path: string, init?: CallInit): Promise<Response>;
  client(token?: string, scope?: Scope): CloudClient;
  signUp(): Promise<AnonymousIdentity>;
  /** Signs somebody up who has a project, and is called for it. */
  signUpFor(slug: string): Promise<{ token: string; scope: Scope; client: CloudClient }>;
  close(): Promise<void>;
}

interface CallInit extends Omit<RequestInit, 'headers'> {
  headers?: Record<string, string | null>;
  json?: unknown;
}

export async function openMemoryCloud(deps: Partial<CloudDeps> = {}): Promise<MemoryCloud> {
  const folder = deps.folder ?? (await makeCloudFolder());
  const logged: unknown[] = [];
  const cloud = await createCloud({
    folder,
    version: '1.2.3',
    baseModel: { name: 'test/model', folder },
    secret: SECRET,
    address: localAddress,
    concurrency: 1,
    anonymous: 'secret',
    exposed: false,
    runner: {
      start() {
        throw new Error('No job is run here.');
      },
    },
    backend: scriptedBackend(faultAfter(new Error('No chat is answered here.'))),
    files,
    log: line => void logged.push(line),
    stop: () => {},
    ...deps,
  });

  const call: MemoryCloud['call'] = (path, { headers = {}, json, ...init } = {}) => {
    const sent = Object.entries({
      host: HOST,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== null);
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    return cloud.fetch(new Request(`http://${HOST}${path}`, { ...init, ...body, headers: sent }));
  };
  const client: MemoryCloud['client'] = (token, scope) =>
    createCloudClient({ baseUrl: `http://${HOST}`, token, scope, fetch: toFetch(cloud.fetch) });
  const signUp = () => client().signUpAnonymously(SECRET);
  return {
    cloud,
    folder,
    logged,
    call,
    client,
    signUp,
    async signUpFor(projectSlug) {
      const { token, personalOrg } = await signUp();
      const scope = { orgSlug: personalOrg.slug, projectSlug };
      const own = client(token, scope);
      await own.createProject(scope.orgSlug, { name: projectSlug, slug: projectSlug });
      return { token, scope, client: own };
    },
    async close() {
      await cloud.close(0);
      if (!deps.folder) await rm(folder, { recursive: true });
    },
  };
}

export async function answerOf<T>(response: Response | Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

export async function refusalOf(response: Response) {
  const { error } = (await response.json()) as {
    error: { code: string; message: string; param: string | null };
  };
  return { status: response.status, ...error };
}
