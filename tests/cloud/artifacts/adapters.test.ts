// Saved adapters: which are listed, how long they are kept, how they are found, and how they are downloaded.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdapterVerifier } from '../../../lib/cloud/artifacts/find-adapter.js';
import { createFolders } from '../../../lib/cloud/disk/folders.js';
import { downloadAdapter } from '../../../lib/cloud/jobs/adapter-archive.js';
import { type AdapterRef, type Artifact, artifact as artifactSchema } from '../../../lib/contract/index.js';
import type { FileReader } from '../../../lib/engine/index.js';
import { describeAdapter } from '../../../lib/engine/train/digests.js';
import { openArchive } from '../../../lib/tar/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';
import { addDeployment } from '../jobs/add-deployment.js';
import { artifact, createScriptedRunner, type ScriptedRun } from '../jobs/scripted-runner.js';
import { openTestJobs, type TestJobs } from '../jobs/test-jobs.js';

let cloud: TestJobs;
let run: ScriptedRun;
let id: string;
beforeEach(async () => {
  const runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
  await cloud.jobs.start();
  id = (await cloud.create()).id;
  run = await runner.next();
});
afterEach(() => cloud.close());

const offered = async () =>
  (await cloud.json<{ artifacts: Artifact[] }>('GET', `/v1/jobs/${id}/artifacts`)).artifacts.map(found =>
    artifactSchema.parse(found),
  );
const offeredNames = async () => (await offered()).map(({ name }) => name);
const download = (name: string, headers = {}) =>
  cloud.call('GET', `/v1/jobs/${id}/artifacts/${name}`, undefined, headers);
const refusedDownload = async (name: string) => {
  const response = await download(name);
  const { error } = (await response.json()) as { error: { code: string; message: string } };
  return { status: response.status, ...error };
};
const folderOf = (name: string) => join(cloud.folder, 'jobs', id, 'adapters', name);
const weightsOf = (name: string) => join(folderOf(name), 'adapter_model.safetensors');
const checkpoint = (step: number): AdapterRef => ({ kind: 'checkpoint', jobId: id, step });
const final = (): AdapterRef => ({ kind: 'final', jobId: id });
const find = (ref: AdapterRef, org = 'org-a') => cloud.jobs.findAdapter(org, ref);
const notFound = (message: string) => ({ status: 400, code: 'target_not_found', message });

async function save(...steps: number[]): Promise<void> {
  for (const step of steps) await run.checkpoint(step);
  const last = `checkpoint-${steps.at(-1)}`;
  await until(offeredNames).toContain(last);
}

async function complete(): Promise<void> {
  await run.complete();
  await cloud.until(id, 'completed');
}

describe('the adapters of a job', () => {
  it('are listed as soon as they are saved, even while the job runs', async () => {
    expect(await offered()).toEqual([]);
    await save(2, 10);
    expect(await offeredNames()).toEqual(['checkpoint-2', 'checkpoint-10']);
    await complete();
    expect(await offeredNames()).toEqual(['checkpoint-2', 'checkpoint-10', 'final']);
    expect((await cloud.until(id, 'completed')).artifactCount).toBe(3);
    const artifacts = ['checkpoint-2', 'checkpoint-10', 'final'].map(name => ({ name }));
    expect((await cloud.events(id)).at(-2)).toMatchObject({ artifacts });
  });

  it('are kept after the trainer prunes its checkpoints, and at the end only they', async () => {
    await save(1, 2);
    await run.prune(1);
    await run.prune(2);
    await save(3);
    await complete();
    expect(await offeredNames()).toEqual(['checkpoint-1', 'checkpoint-2', 'checkpoint-3', 'final']);
    expect((await cloud.until(id, 'completed')).artifactCount).toBe(4);
    expect((await find(checkpoint(1))).folder).toBe(folderOf('checkpoint-1'));
    expect(readFileSync(weightsOf('checkpoint-1'), 'utf8')).toBe('weights of checkpoint-1');
    // Its files to resume from are gone, too.
    await cloud.jobs.close();
    expect(readdirSync(join(cloud.folder, 'jobs', id)).sort()).toEqual(['adapters', 'attempt']);
    const files = ['adapter_config.json', 'adapter_model.safetensors'];
    expect(readdirSync(folderOf('checkpoint-2')).sort()).toEqual(files);
  });

  it('are not listed when the trainer prunes them before they are copied', async () => {
    await run.save('checkpoint-1');
    await run.prune(1);
    const artifact = { name: 'checkpoint-1', kind: 'checkpoint', step: 1, bytes: 1, sha256: '0'.repeat(64) };
    run.tell('checkpoint.saved', { step: 1, artifacts: [artifact] });
    await save(2);
    expect(await offeredNames()).toEqual(['checkpoint-2']);
    expect(await cloud.events(id)).toMatchObject([{ step: 1 }, { step: 2 }]);
    expect(readdirSync(join(cloud.folder, 'jobs', id, 'adapters'))).toEqual(['checkpoint-2']);
  });
});

describe('finding an adapter', () => {
  it('finds a checkpoint or the final adapter by its job, even while the job runs', async () => {
    await save(2);
    expect(await find(checkpoint(2))).toMatchObject({
      ...{ folder: folderOf('checkpoint-2'), sha256: artifact('checkpoint', 2).sha256, jobId: id, step: 2 },
      ...{ trainedOn: { model: 'svc/tiny', digest: null }, damage: null },
    });
    await complete();
    expect(await find(final())).toMatchObject({ folder: folderOf('final'), step: 10 });
  });

  it('lists the available adapters when the requested one does not exist, but none to others', async () => {
    const none = notFound(`Job ${id} has no checkpoint at step 2. It has none yet.`);
    await expect(find(checkpoint(2))).rejects.toMatchObject(none);
    await save(2, 4);
    const running = notFound(
      `Job ${id} has no final adapter: it is running. It has checkpoints at step 2, 4.`,
    );
    await expect(find(final())).rejects.toMatchObject(running);
    await complete();
    const others = 'It has checkpoints at step 2, 4 and a final adapter.';
    const missing = notFound(`Job ${id} has no checkpoint at step 3. ${others}`);
    await expect(find(checkpoint(3))).rejects.toMatchObject(missing);
    await expect(find(checkpoint(2), 'org-b')).rejects.toMatchObject(notFound(`Job ${id} not found.`));
  });

  it('blocks deletion of the job until the transaction that uses the adapter commits', async () => {
    await save(2);
    await complete();
    let deletion: Promise<Response> | undefined;
    await cloud.db.transaction().execute(async transaction => {
      await cloud.jobs.findAdapter('org-a', checkpoint(2), transaction);
      deletion = cloud.call('DELETE', `/v1/jobs/${id}`);
      await addDeployment(transaction, { slug: 'my-bot', jobId: id, step: 2 });
    });
    expect((await deletion!).status).toBe(409);
    expect(await find(checkpoint(2))).toMatchObject({ step: 2 });
  });

  it('reports damage while the files differ from what the job saved', async () => {
    await save(2, 4);
    const weights = weightsOf('checkpoint-2');
    const isIntact = async (step: number) => (await find(checkpoint(step))).verify();
    expect(await isIntact(2)).toBe(true);
    await writeFile(weights, 'weights of checkpoint-3');
    for (let asked = 0; asked < 2; asked++) expect(await isIntact(2)).toBe(false);
    expect((await find(checkpoint(2))).damage).toBe('found');
    expect(await isIntact(4)).toBe(true);
    await writeFile(weights, 'weights of checkpoint-2');
    expect(await isIntact(2)).toBe(true);
  });

  it('reports damage when files are missing, have a different size, or do not work, until they change', async () => {
    await save(2, 4, 6);
    const damage = async (step: number) => (await find(checkpoint(step))).damage;
    expect(await damage(2)).toBeNull();
    await rm(folderOf('checkpoint-2'), { recursive: true });
    await appendFile(weightsOf('checkpoint-4'), 'x');
    await (await find(checkpoint(6))).noteDamage();
    expect([await damage(2), await damage(4), await damage(6)]).toEqual(['seen', 'seen', 'found']);
    await utimes(weightsOf('checkpoint-6'), new Date(), new Date(Date.now() + 5000));
    expect(await damage(6)).toBeNull();
  });
});

/** A folder for this test. */
function makeScratch(): string {
  const folder = temporaryFolder('svc-adapters');
  return folder;
}

describe('downloading an adapter', () => {
  it('returns a standard tar archive of the two adapter files', async () => {
    const weights = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    await save(2);
    await writeFile(weightsOf('checkpoint-2'), weights);
    const { sha256 } = await describeAdapter(folderOf('checkpoint-2'), 'checkpoint', 2);
    await cloud.db.updateTable('artifacts').set({ sha256 }).where('job_id', '=', id).execute();
    await writeFile(join(folderOf('checkpoint-2'), 'secret.txt'), 'not for you');
    const response = await download('checkpoint-2');
    expect(response.headers.get('content-type')).toBe('application/x-tar');
    const archive = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(archive.length));
    const scratch = makeScratch();
    writeFileSync(join(scratch, 'a.tar'), archive);
    const tar = (...parameters: string[]) =>
      execFileSync('tar', parameters, { cwd: scratch, encoding: 'utf8' });
    const listed = /-rw-r--r-- 0\/0 .* adapter_config\.json\n.* adapter_model\.safetensors\n$/;
    expect(tar('-tvf', 'a.tar')).toMatch(listed);
    tar('-xf', 'a.tar');
    expect(readFileSync(join(scratch, 'adapter_config.json'), 'utf8')).toBe('{}');
    expect(readFileSync(join(scratch, 'adapter_model.safetensors')).equals(weights)).toBe(true);
    expect(Buffer.from(await (await download('checkpoint-2')).arrayBuffer()).equals(archive)).toBe(true);
  });

  it('goes on from a byte if it is still the same adapter', async () => {
    await save(2, 4);
    const whole = await download('checkpoint-2');
    const [etag, archive] = [whole.headers.get('etag')!, Buffer.from(await whole.arrayBuffer())];
    for (const start of [1, 600, archive.length - 1]) {
      const rest = await download('checkpoint-2', { range: `bytes=${start}-`, 'if-range': etag });
      const range = `bytes ${start}-${archive.length - 1}/${archive.length}`;
      expect([rest.status, rest.headers.get('content-range')]).toEqual([206, range]);
      expect(Buffer.from(await rest.arrayBuffer()).equals(archive.subarray(start))).toBe(true);
    }
    const other = await download('checkpoint-4', { range: 'bytes=600-', 'if-range': etag });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, archive.length]);
    const beyond = await download('checkpoint-2', { range: `bytes=${archive.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${archive.length}`]);
  });

  it.each([
    ...['final', 'checkpoint-3', '..%2F..%2Fcloud.db', 'adapters', 'attempt'],
    'checkpoint-2%2F..%2Ffinal',
  ])('rejects a name that is not a saved adapter: %s', async name => {
    await save(2);
    const refusal = notFound(expect.stringContaining('checkpoints at step 2'));
    expect(await refusedDownload(name)).toMatchObject(refusal);
  });

  it.each(['found', 'read', 'opened'])(
    'answers 404 when the job is deleted before its files are %s',
    async moment => {
      await save(2);
      await complete();
      const { sha256 } = (await offered()).find(({ name }) => name === 'final')!;
      const folders = createFolders(cloud.folder);
      const deletion: Promise<unknown>[] = [];
      const remove = () => {
        deletion.push(cloud.db.deleteFrom('jobs').where('id', '=', id).execute());
        rmSync(folders.job(id), { recursive: true });
      };
      const adapter: typeof folders.adapter = (...place) => {
        if (moment === 'found') remove();
        return folders.adapter(...place);
      };
      /** As the process that reads files: one of them is gone. */
      const digestAdapter = async () => {
        remove();
        if (moment === 'opened') return sha256;
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      };
      const isIntact = createAdapterVerifier({ run: digestAdapter } as unknown as FileReader);
      const context = { db: cloud.db, folders: { ...folders, adapter }, isIntact };
      const downloaded = downloadAdapter(
        context,
        { id, org_id: 'org', base_digest: null, origin: null },
        'final',
        new Request('http://cloud'),
      );
      await expect(downloaded).rejects.toMatchObject({ code: 'job_not_found', status: 404 });
      await Promise.all(deletion);
    },
  );

  it('answers 503 when the files differ from what the job saved, and says when they are missing', async () => {
    await save(2);
    expect((await download('checkpoint-2')).status).toBe(200);
    const file = weightsOf('checkpoint-2');
    const bytes = readFileSync(file);
    bytes[0]! ^= 1;
    writeFileSync(file, bytes);
    expect(await refusedDownload('checkpoint-2')).toMatchObject({ status: 503, code: 'adapter_damaged' });
    await rm(folderOf('checkpoint-2'), { recursive: true });
    const refusal = notFound(expect.stringContaining('missing'));
    expect(await refusedDownload('checkpoint-2')).toMatchObject(refusal);
  });

  describe.runIf(process.platform === 'linux')('keeps its files open', () => {
    function openFiles() {
      const scratch = makeScratch();
      const files = ['a', 'b'].map(name => ({ name, path: join(scratch, name) }));
      for (const { path } of files) writeFileSync(path, Buffer.alloc(2_000_000));
      const isOpen = (fd: string) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).includes(scratch);
        } catch {
          return false;
        }
      };
      return { files, count: () => readdirSync('/proc/self/fd').filter(isOpen).length };
    }

    it('until the client disconnects, even if they are deleted meanwhile', async () => {
      const { files, count } = openFiles();
      const { body } = await openArchive(files);
      expect(count()).toBe(2);
      for (const { path } of files) rmSync(path);
      const reader = body.getReader();
      let bytes = 0;
      for (let next = await reader.read(); !next.done && bytes < 3_000_000; next = await reader.read())
        bytes += next.value.length;
      expect(bytes).toBeGreaterThan(2_000_000);
      await reader.cancel();
      expect(count()).toBe(0);
    });

    it('until the client disconnects before the first read, or during one', async () => {
      const { files, count } = openFiles();
      await (await openArchive(files)).body.cancel();
      expect(count()).toBe(0);
      const reader = (await openArchive(files)).body.getReader();
      await reader.read();
      const pending = reader.read();
      await reader.cancel();
      await pending;
      expect(count()).toBe(0);
    });
  });
});
