// svc import openai as a process that is killed on its way, into a real local cloud; the written trainers, trained there; and
// the import of what a cloud of svc trained itself, through its own API.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import {
  chatRows,
  type FakeAccount,
  fillAccount,
  openFakeAccount,
  toJsonl,
} from '../../support/fake-account.js';
import { until } from '../../support/until.js';
import { localCloud } from '../support/local-cloud.js';
import { buildProgram, type Program } from '../support/run-bin.js';

const local = localCloud({ of: 'all' });
let program: Program;
let account: FakeAccount;
let cwd: string;
beforeAll(async () => {
  program = await buildProgram();
  account = await openFakeAccount();
  fillAccount(account);
  cwd = makeProject('app');
  await local.svc(`cloud start --base-weights f32 --base-model ${local.model}`);
}, 60_000);
afterAll(async () => {
  await account.close();
  await program.remove();
});

function makeProject(name: string): string {
  const folder = join(local.home.path, name);
  const svc = join(folder, 'node_modules/svc');
  mkdirSync(svc, { recursive: true });
  writeFileSync(join(svc, 'package.json'), '{ "name": "svc", "type": "module", "exports": "./index.js" }');
  writeFileSync(join(svc, 'index.js'), `export * from '${program.sdk}';`);
  return folder;
}

const start = (line: string, env: Record<string, string> = account.env, folder = cwd) =>
  program.run(line.split(' '), {
    cwd: folder,
    env: { ...(local.home.env as Record<string, string>), ...env },
  });
const run = (...given: Parameters<typeof start>) => start(...given).done;

async function listJobs(folder = cwd): Promise<Job[]> {
  const { stdout } = await run('jobs list --json', {}, folder);
  return (JSON.parse(stdout) as { jobs: Job[] }).jobs;
}

const IMPORT = 'import openai --answers --yes';
const read = (path: string) => readFileSync(join(cwd, path), 'utf8');

// In this order: each goes on with the jobs that the ones before it made.
describe('an import', { shuffle: false }, () => {
  describe('killed three times: within a file, within events, and among answers', () => {
    const part = () => join(cwd, 'openai/files/.file-train.part');
    const CUT = 200;

    async function runAndKill(
      reaches: (path: string) => boolean,
      before: (send: () => void) => Promise<unknown> = async () => {},
    ): Promise<void> {
      const running = start(IMPORT);
      await new Promise<void>((resolve, reject) => {
        void running.done.then(ended => reject(new Error(JSON.stringify(ended))), reject);
        account.intercept = ({ path }, response) => {
          if (!reaches(path)) return false;
          const content = Buffer.from(account.files.get('file-train')!.content);
          const send = () => {
            response.writeHead(200, { 'content-length': content.length });
            response.write(content.subarray(0, CUT));
          };
          void before(send).then(() => {
            running.child.kill('SIGKILL');
            resolve();
          }, reject);
          return true;
        };
      });
      account.intercept = () => false;
      await running.done.catch(() => {});
    }

    it('does what is left, and nothing twice', async () => {
      await runAndKill(
        path => path === '/files/file-train/content',
        async send => {
          send();
          await until(() => existsSync(part()) && statSync(part()).size).toBe(CUT);
        },
      );
      await runAndKill(path => path === '/fine_tuning/jobs/ftjob-preferred2/events');
      let asked = 0;
      await runAndKill(path => path.endsWith('/completions') && ++asked > 2);
      const { exitCode, stdout } = await run(IMPORT);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('3 here before.');

      const of = (path: string) => account.requests.filter(request => request.path === path);
      expect(of('/files/file-train/content').map(({ headers }) => headers.range)).toEqual([
        undefined,
        `bytes=${CUT}-`,
      ]);
      expect(read('openai/files/file-train-train.jsonl')).toBe(account.files.get('file-train')!.content);
      const others = ['file-held-out', 'file-results', 'file-pairs', 'file-prompts', 'file-prompts-held-out'];
      for (const id of others) expect(of(`/files/${id}/content`)).toHaveLength(1);
      const events = account.count(/events$/);
      expect(events).toEqual({
        '/fine_tuning/jobs/ftjob-supervised1/events': 1,
        '/fine_tuning/jobs/ftjob-preferred2/events': 2,
        '/fine_tuning/jobs/ftjob-reinforced3/events': 1,
      });

      const jobs = await listJobs();
      expect(jobs.map(({ name, status, origin }) => [name, status, origin?.id]).sort()).toEqual([
        ['grader', 'completed', 'ftjob-reinforced3'],
        ['tone', 'completed', 'ftjob-preferred2'],
        ['triage', 'completed', 'ftjob-supervised1'],
      ]);
      expect(readdirSync(join(cwd, 'src/svc')).sort()).toEqual(['grader.ts', 'tone.ts', 'triage.ts']);

      const answers = ['supervised1', 'reinforced3'].flatMap(id =>
        read(`openai/jobs/ftjob-${id}/answers.jsonl`)
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line)),
      );
      expect(answers.map(({ model, row }) => `${model} ${row}`).sort()).toEqual([
        ...[1, 2, 3, 4].map(row => `ft:gpt-4o-mini-2024-07-18:acme:triage:A1 ${row}`),
        ...[1, 2, 3].map(row => `ft:o4-mini-2025-04-16:acme:grader:C3 ${row}`),
      ]);
      // Only those whose answers the kill kept from being written were asked again.
      expect(of('/chat/completions').length).toBeLessThanOrEqual(answers.length + 4);

      account.requests.length = 0;
      expect((await run(IMPORT)).exitCode).toBe(0);
      expect(account.requests.map(({ path }) => path)).toEqual(['/fine_tuning/jobs']);
    }, 120_000);

    it('leaves jobs that say where their weights are, and can be compared with svc’s own', async () => {
      const [job] = (await listJobs()).filter(({ name }) => name === 'triage');
      const shown = (await run(`jobs show ${job!.id}`)).stdout;
      expect(shown).toMatch(/Origin +OpenAI gpt-4o-mini-2024-07-18\n/);
      expect(shown).toMatch(/Adapter +stays at OpenAI\n/);
      expect(shown).toMatch(/Final eval loss +0\.625 at step 4\n/);
      for (const line of [
        `jobs download ${job!.id}`,
        `chat --job ${job!.id} hi`,
        `endpoints create old --job ${job!.id}`,
      ]) {
        const { exitCode, stderr } = await run(line);
        expect({ line, exitCode, stderr }).toEqual({
          line,
          exitCode: 1,
          stderr: expect.stringMatching(/was imported from OpenAI: its weights stay there/i),
        });
      }
    }, 60_000);
  });

  describe('the written trainers', () => {
    it.each(['triage', 'tone'])(
      'of the job %s trains as it stands, beside the imported one',
      async name => {
        const { exitCode, stderr, stdout } = await run(`start src/svc/${name}.ts`);
        expect({ exitCode, stderr, stdout }).toMatchObject({ exitCode: 0 });
        const [own, imported] = (await listJobs()).filter(job => job.name === name);
        expect(own).toMatchObject({ status: 'completed', origin: null, artifactCount: expect.any(Number) });
        expect(own!.artifactCount).toBeGreaterThan(0);
        const compared = (await run(`jobs compare ${own!.id} ${imported!.id}`)).stdout;
        expect(compared).toMatch(/^Best loss .*@.*@/m);
        expect(compared).toMatch(/model/);
      },
      120_000,
    );

    it('of the job for reinforcement trains as it stands, with its grader', async () => {
      const { exitCode, stderr, stdout } = await run('start src/svc/grader.ts');
      expect({ exitCode, stderr, stdout }).toMatchObject({ exitCode: 0 });
      const [own] = (await listJobs()).filter(job => job.name === 'grader' && job.origin === null);
      expect(own).toMatchObject({ status: 'completed' });
    }, 120_000);
  });

  describe('an account that is a cloud of svc', () => {
    it('is imported into another project through /openai/v1, with its losses', async () => {
      const { plaintext } = JSON.parse(
        (await run('keys issue --project --label import --json', {})).stdout,
      ).key;
      const { url } = await local.home.readFile();
      const baseURL = `${url}/openai/v1`;
      const client = new OpenAI({ apiKey: plaintext, baseURL });
      const file = await client.files.create({
        file: new File([toJsonl(chatRows(4))], 'own rows.jsonl'),
        purpose: 'fine-tune',
      });
      const [base] = (await client.models.list()).data;
      const hyperparameters = { n_epochs: 2, batch_size: 2, learning_rate_multiplier: 2 };
      const method = { type: 'supervised', supervised: { hyperparameters } } as const;
      const made = await client.fineTuning.jobs.create({
        model: base!.id,
        training_file: file.id,
        suffix: 'again',
        method,
      });
      await until(async () => (await client.fineTuning.jobs.retrieve(made.id)).status).toBe('succeeded');
      const other = makeProject('other');
      const env = { OPENAI_API_KEY: plaintext };
      const line = `import openai ${made.id} --base-url ${baseURL} --json`;
      const { stdout, exitCode } = await run(line, env, other);
      expect(exitCode).toBe(0);
      const { jobs } = JSON.parse(stdout);
      expect(jobs).toMatchObject([
        { id: made.id, method: 'supervised', steps: 4, sources: { loss: 'train_loss' } },
      ]);
      const [imported] = await listJobs(other);
      const own = (await listJobs()).find(({ id }) => made.id.endsWith(id))!;
      expect(imported!.loss).toBeCloseTo(own.loss!, 6);
      expect(imported!.origin).toMatchObject({ provider: 'openai', id: made.id, model: base!.id });
      expect(readFileSync(join(other, 'openai/files', `${file.id}-own-rows.jsonl`), 'utf8')).toBe(
        toJsonl(chatRows(4)),
      );
      const [trainer] = readdirSync(join(other, 'src/svc'));
      expect((await run(`start src/svc/${trainer}`, {}, other)).exitCode).toBe(0);
    }, 120_000);
  });
});
