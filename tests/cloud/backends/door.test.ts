// The door for machines that answer for a cloud: what a ticket opens, and that it opens nothing else.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTickets } from '../../../lib/cloud/backends/tickets.js';
import { openBaseModel } from '../../../lib/cloud/host/open-base-model.js';
import { DIGEST_HEADER } from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { type MemoryCloud, openMemoryCloud, refusalOf } from '../host/memory-cloud.js';

const SHA = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);
const clock = createVirtualClock();
const tickets = createTickets('secret', clock);
let [model, adapter] = ['', ''];
let memory: MemoryCloud;

beforeAll(async () => {
  model = await makeModelFolder();
  adapter = await mkdtemp(join(tmpdir(), 'svc-adapter-'));
  await writeFile(join(adapter, 'adapter_config.json'), '{}');
  await writeFile(join(adapter, 'adapter_model.safetensors'), 'tensors');
  await writeFile(join(adapter, 'optimizer.safetensors'), 'private');
  memory = await openMemoryCloud({
    baseModel: openBaseModel(model, 'tiny'),
    serving: {
      opensModel: tickets.opensModel,
      findAdapter: (ticket, sha256) => (tickets.opensAdapter(ticket, sha256) ? adapter : null),
    },
  });
});
afterAll(async () => {
  await memory.close();
  await Promise.all([model, adapter].map(path => rm(path, { recursive: true })));
});

const get = (path: string, ticket: string, headers = {}) =>
  memory.call(`/v1/serving/${path}`, { headers: { authorization: `Bearer ${ticket}`, ...headers } });
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a ticket', () => {
  it('opens the files of the base model, each with its digest', async () => {
    const { files } = (await (await get('model', tickets.forModel())).json()) as {
      files: { name: string; sha256: string; bytes: number }[];
    };
    expect(files.map(({ name }) => name)).toContain('model.safetensors');
    for (const { name, sha256, bytes } of files) {
      const response = await get(`model/${name}`, tickets.forModel());
      expect(response.headers.get(DIGEST_HEADER)).toBe(sha256);
      const body = new Uint8Array(await response.arrayBuffer());
      expect([body.length, digest(body)]).toEqual([bytes, sha256]);
    }
    expect((await get('model/..%2Fsecret', tickets.forModel())).status).toBe(404);
  });

  it('opens one adapter, its two files alone, and resumes', async () => {
    const ticket = tickets.forAdapter(SHA);
    const { files } = (await (await get(`adapters/${SHA}`, ticket)).json()) as { files: { name: string }[] };
    expect(files.map(({ name }) => name)).toEqual(['adapter_config.json', 'adapter_model.safetensors']);
    const part = await get(`adapters/${SHA}/adapter_model.safetensors`, ticket, { range: 'bytes=3-' });
    expect([part.status, await part.text()]).toEqual([206, 'sors']);
    expect((await get(`adapters/${SHA}/optimizer.safetensors`, ticket)).status).toBe(404);
  });

  it('opens nothing else', async () => {
    const unauthenticated = { status: 401, code: 'unauthenticated' };
    const [forModel, forAdapter] = [tickets.forModel(), tickets.forAdapter(SHA)];
    for (const [path, ticket] of [
      ['model', forAdapter],
      [`adapters/${SHA}`, forModel],
      [`adapters/${OTHER}`, forAdapter],
      [`adapters/${SHA}`, createTickets('other').forAdapter(SHA)],
      ['model', createTickets('other').forModel()],
      ['model', ''],
      ['model', tickets.callerToken],
      [`adapters/${SHA}`, forAdapter.replace(/^\d+/, String(clock.now() + 1e9))],
    ] as const)
      expect(await refusalOf(await get(path, ticket))).toMatchObject(unauthenticated);
    const headers = { authorization: `Bearer ${forModel}` };
    expect(await refusalOf(await memory.call('/v1/me', { headers }))).toMatchObject(unauthenticated);
  });

  it('for an adapter ends', async () => {
    const ticket = tickets.forAdapter(SHA);
    await clock.pass(10 * 60_000 - 1);
    expect((await get(`adapters/${SHA}`, ticket)).status).toBe(200);
    await clock.pass(1);
    expect((await get(`adapters/${SHA}`, ticket)).status).toBe(401);
  });

  it('opens nothing at a cloud that answers itself', async () => {
    const alone = await openMemoryCloud();
    const headers = { authorization: `Bearer ${tickets.forModel()}` };
    expect((await alone.call('/v1/serving/model', { headers })).status).toBe(404);
    await alone.close();
  });
});
