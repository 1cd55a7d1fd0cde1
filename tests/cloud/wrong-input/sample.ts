// A cloud with one of everything for each of two identities, and a snapshot of all its data for comparison.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { openDb } from '../../../lib/cloud/store/db.js';
import type { Scope } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { makeCloudFolder } from '../cloud-folder.js';
import { type MemoryCloud, openMemoryCloud } from '../host/memory-cloud.js';
import { createScriptedRunner } from '../jobs/scripted-runner.js';

/** What an identity owns. */
export interface Owner {
  token: string;
  scope: Scope;
  /** A completed job; below, a running or queued one. */
  doneJob: string;
  openJob: string;
  deployment: string;
  key: string;
}

export interface SampleInput {
  folder: string;
  memory: MemoryCloud;
  own: Owner;
  foreign: Owner;
  /** All rows of all tables, and the names of all files except the database's. */
  snapshot(): Promise<unknown>;
  close(): Promise<void>;
}

export async function openSampleInput(): Promise<SampleInput> {
  const folder = await makeCloudFolder();
  const runner = createScriptedRunner();
  const backend = scriptedBackend(saying(text('Hello'), end(1, 1)));
  const memory = await openMemoryCloud({ folder, runner, backend, concurrency: 4 });
  await memory.cloud.start();

  async function addOwner(slug: string): Promise<Owner> {
    const { client, ...who } = await memory.signUpFor('one');
    const { dataset } = await client.uploadDataset('rows.jsonl', `{"text":"${slug}"}\n`);
    const config = { model: 'test/model', datasetSource: { type: 'upload', datasetId: dataset.id } as const };
    const doneJob = (await client.createJob({ name: 'done', config })).job.id;
    const run = await runner.next();
    await run.checkpoint(5);
    await run.complete();
    await until(async () => (await client.getJob(doneJob)).job.status).toBe('completed');
    const openJob = (await client.createJob({ name: 'open', config })).job.id;
    await runner.next();
    const target = { kind: 'adapter', adapter: { kind: 'final', jobId: doneJob } } as const;
    const { deployment } = await client.createDeployment({ slug, target });
    const { key } = await client.issueDeploymentKey(deployment.id, 'ci');
    return { ...who, doneJob, openJob, deployment: deployment.id, key: key.id };
  }

  const [own, foreign] = [await addOwner('own-bot'), await addOwner('foreign-bot')];
  const reader = await openDb(join(folder, 'cloud.db'));
  return {
    folder,
    memory,
    own,
    foreign,
    async snapshot() {
      const tables = await reader.executeQuery<{ name: string }>(
        CompiledQuery.raw("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
      );
      const rows: Record<string, unknown> = {};
      for (const { name } of tables.rows)
        rows[name] = (await reader.executeQuery(CompiledQuery.raw(`SELECT * FROM ${name}`))).rows;
      const files = (await readdir(folder, { recursive: true })).filter(name => !name.startsWith('cloud.db'));
      return { rows, files: files.sort() };
    },
    async close() {
      await reader.destroy();
      await memory.close();
      await rm(folder, { recursive: true });
    },
  };
}
