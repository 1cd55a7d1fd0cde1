// svc import openai, from an account on loopback into a cloud in memory: what is moved, and what is written.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../../lib/console/index.js';
import { accountJob, chatRows, fillAccount, GRADER, sendError, toJsonl } from '../../support/fake-account.js';
import { accountOfEach } from './support.js';

const { project, account, svc, json, read, everything } = accountOfEach();

describe('three jobs, one of each method', () => {
  beforeEach(() => fillAccount(account));

  it('are moved with their data, results and settings, each into a job, and each with a trainer', async () => {
    const { exitCode, stdout } = await svc('import openai');
    expect(exitCode).toBe(0);
    expect(project.cloud.jobs.map(({ job }) => [job.name, job.status, job.origin?.id, job.config])).toEqual([
      [
        'grader',
        'completed',
        'ftjob-reinforced3',
        expect.objectContaining({ model: 'o4-mini-2025-04-16', trainingMethod: 'reinforcement' }),
      ],
      [
        'tone',
        'completed',
        'ftjob-preferred2',
        expect.objectContaining({
          numTrainEpochs: 2,
          batchSize: 2,
          beta: 0.2,
          learning_rate_multiplier: 0.5,
        }),
      ],
      [
        'triage',
        'completed',
        'ftjob-supervised1',
        expect.objectContaining({ numTrainEpochs: 3, batchSize: 1, seed: 7, trainedTokens: 1234 }),
      ],
    ]);
    expect(read('openai/files/file-train-train.jsonl')).toBe(account.files.get('file-train')!.content);
    expect(read('openai/files/file-held-out-held-out.jsonl')).toBe(toJsonl(chatRows(4, 100)));
    expect(JSON.parse(read('openai/jobs/ftjob-reinforced3/grader.json'))).toEqual(GRADER);
    expect(JSON.parse(read('openai/jobs/ftjob-preferred2/job.json'))).toEqual(account.jobs[1]);
    expect(read('openai/jobs/ftjob-supervised1/events.jsonl').split('\n')).toHaveLength(7);
    for (const text of [
      'triage\n',
      'Training    openai/files/file-train-train.jsonl, 8 rows',
      'Validation  openai/files/file-held-out-held-out.jsonl, 4 rows',
      'Steps       4: loss from train_loss, evalLoss from full_valid_loss',
      'n_epochs 3 → epochs 3',
      "learning_rate_multiplier 1.8 → learningRate 0.00036: OpenAI does not say of which rate; here it multiplies svc's default, 0.0002",
      'Grader      openai/jobs/ftjob-reinforced3/grader.json',
      'To train one again, run: svc start src/svc/triage.ts',
      `3 jobs imported from ${account.host}, 0 here before.`,
    ])
      expect(stdout).toContain(text);
  });

  it('leave nothing to ask or to send the second time', async () => {
    await svc('import openai');
    const before = everything().map(path => [path, readFileSync(path, 'utf8')]);
    account.requests.length = 0;
    project.cloud.calls.length = 0;
    const { stdout, exitCode } = await svc('import openai');
    expect(exitCode).toBe(0);
    expect(account.requests.map(({ path }) => path)).toEqual(['/fine_tuning/jobs']);
    expect(project.cloud.calls.filter(call => call.startsWith('POST'))).toEqual([]);
    expect(everything().map(path => [path, readFileSync(path, 'utf8')])).toEqual(before);
    expect(stdout).toContain(`0 jobs imported from ${account.host}, 3 here before.`);
    expect(stdout).toContain('src/svc/triage.ts (here before, left as it is)');
  });

  it('have a line while they are moved that fits the terminal, also with wide letters in their names', async () => {
    Object.assign(account.jobs[0]!, { user_provided_suffix: '翻訳'.repeat(16) });
    const { stdout } = await project.svc('import openai', { env: account.env, isTTY: true, columns: 60 });
    const drawn = stdout.split('\r\u001b[2K').filter(line => line.includes('翻訳') && !line.includes('\n'));
    expect(drawn).not.toEqual([]);
    for (const line of drawn) expect(displayWidth(line)).toBeLessThan(60);
  });

  it('can be chosen by their IDs, and an unknown one is named', async () => {
    const { jobs } = await json('import openai ftjob-preferred2');
    expect(jobs).toMatchObject([{ id: 'ftjob-preferred2', name: 'tone', method: 'dpo', isNew: true }]);
    expect(account.count(/^\/fine_tuning\/jobs$/)).toEqual({});
    const { exitCode, stderr } = await svc('import openai ftjob-nobody');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr:
        'svc: The account has no fine-tuning job ftjob-nobody. To see all, run "svc import openai --list".\n',
    });
  });

  it('can be listed without importing anything', async () => {
    const { stdout } = await svc('import openai --list');
    expect(stdout).toMatch(/Job +Name +Model +Method +Status +Created/);
    expect(stdout).toMatch(/ftjob-preferred2 +tone +gpt-4o-mini-2024-07-18 +dpo +succeeded/);
    expect(existsSync(project.path('openai'))).toBe(false);
    expect(project.cloud.jobs).toEqual([]);
    expect((await json('import openai --list')).jobs.map(({ id }: { id: string }) => id)).toEqual(
      account.jobs.map(({ id }) => id),
    );
  });

  it('go into another folder, from which the trainers read', async () => {
    await svc('import openai ftjob-supervised1 --folder data/old');
    expect(read('src/svc/triage.ts')).toContain("path: 'data/old/files/file-train-train.jsonl'");
  });
});

describe('the written trainer', () => {
  beforeEach(() => fillAccount(account));

  it('has the data and the settings, and says how each was mapped', async () => {
    await svc('import openai');
    expect(read('src/svc/triage.ts')).toMatchInlineSnapshot(`
      "// OpenAI fine-tuning job ftjob-supervised1 (supervised, succeeded) of gpt-4o-mini-2024-07-18, which made ft:gpt-4o-mini-2024-07-18:acme:triage:A1.
      // Written once by svc import openai, which never changes it again: edit it as you like.
      //
      // How its settings were mapped:
      // - model gpt-4o-mini-2024-07-18 → not mapped: svc trains the base model of its cloud
      // - n_epochs 3 → epochs 3
      // - batch_size 1 → batchSize 1
      // - learning_rate_multiplier 1.8 → learningRate 0.00036: OpenAI does not say of which rate; here it multiplies svc's default, 0.0002
      // - seed 7 → seed 7: another program draws other numbers from it
      // - training_file file-train → dataset openai/files/file-train-train.jsonl
      // - validation_file file-held-out → evalDataset openai/files/file-held-out-held-out.jsonl
      import { createService, createTrainer } from 'svc';

      const trainer = createTrainer({
        name: 'triage',
        dataset: { type: 'file', path: 'openai/files/file-train-train.jsonl' },
        evalDataset: { type: 'file', path: 'openai/files/file-held-out-held-out.jsonl' },
        epochs: 3,
        batchSize: 1,
        learningRate: 0.00036,
        seed: 7,
      });

      export const service = createService({ trainer });
      "
    `);
    expect(read('src/svc/tone.ts')).toMatchInlineSnapshot(`
      "// OpenAI fine-tuning job ftjob-preferred2 (dpo, succeeded) of gpt-4o-mini-2024-07-18, which made ft:gpt-4o-mini-2024-07-18:acme:tone:B2.
      // Written once by svc import openai, which never changes it again: edit it as you like.
      //
      // How its settings were mapped:
      // - model gpt-4o-mini-2024-07-18 → not mapped: svc trains the base model of its cloud
      // - n_epochs 2 → epochs 2
      // - batch_size 2 → batchSize 2
      // - learning_rate_multiplier 0.5 → learningRate 0.0001: OpenAI does not say of which rate; here it multiplies svc's default, 0.0002
      // - beta 0.2 → method.beta 0.2
      // - seed 7 → seed 7: another program draws other numbers from it
      // - training_file file-pairs → dataset openai/files/file-pairs-pairs.jsonl
      import { createService, createTrainer } from 'svc';

      const trainer = createTrainer({
        name: 'tone',
        method: { type: 'dpo', beta: 0.2 },
        dataset: { type: 'file', path: 'openai/files/file-pairs-pairs.jsonl' },
        epochs: 2,
        batchSize: 2,
        learningRate: 0.0001,
        seed: 7,
      });

      export const service = createService({ trainer });
      "
    `);
    expect(read('src/svc/grader.ts')).toMatchInlineSnapshot(`
      "// OpenAI fine-tuning job ftjob-reinforced3 (reinforcement, succeeded) of o4-mini-2025-04-16, which made ft:o4-mini-2025-04-16:acme:grader:C3.
      // Written once by svc import openai, which never changes it again: edit it as you like.
      //
      // How its settings were mapped:
      // - model o4-mini-2025-04-16 → not mapped: svc trains the base model of its cloud
      // - n_epochs 1 → epochs 1
      // - batch_size 4 → batchSize 4
      // - compute_multiplier 1 → method.group 8
      // - reasoning_effort medium → not mapped: models of svc have none
      // - seed 7 → seed 7: another program draws other numbers from it
      // - training_file file-prompts → dataset openai/files/file-prompts-prompts.jsonl
      // - validation_file file-prompts-held-out → evalDataset openai/files/file-prompts-held-out-prompts-held-out.jsonl
      import { readFileSync } from 'node:fs';
      import { createService, createTrainer } from 'svc';

      const trainer = createTrainer({
        name: 'grader',
        method: { type: 'grpo', group: 8, reward: JSON.parse(readFileSync('openai/jobs/ftjob-reinforced3/grader.json', 'utf8')) },
        dataset: { type: 'file', path: 'openai/files/file-prompts-prompts.jsonl' },
        evalDataset: { type: 'file', path: 'openai/files/file-prompts-held-out-prompts-held-out.jsonl' },
        epochs: 1,
        batchSize: 4,
        seed: 7,
      });

      export const service = createService({ trainer });
      "
    `);
  });

  it('of a job whose grader svc does not have says so, and what was kept', async () => {
    const python = { type: 'python', name: 'p', source: 'def grade(sample, item): return 1' };
    Object.assign(account.jobs[0]!, { method: { type: 'reinforcement', reinforcement: { grader: python } } });
    await svc('import openai ftjob-reinforced3');
    const source = read('src/svc/grader.ts');
    expect(source).toContain('// There is no trainer here: svc cannot train with its grader: ');
    expect(source).toContain('// - grader: openai/jobs/ftjob-reinforced3/grader.json\n');
    expect(source).toMatch(/\nthrow new Error\(.*svc cannot train with its grader.*\);\n$/);
    expect(JSON.parse(read('openai/jobs/ftjob-reinforced3/grader.json'))).toEqual(python);
  });

  it('never takes the place of a file that is there', async () => {
    await project.write('src/svc/triage.ts', 'mine');
    await svc('import openai ftjob-supervised1');
    expect(read('src/svc/triage.ts')).toBe('mine');
    expect(read('src/svc/triage-supervised1.ts')).toContain("name: 'triage'");
    writeFileSync(project.path('src/svc/triage-supervised1.ts'), 'mine, too');
    const { stdout } = await svc('import openai ftjob-supervised1');
    expect(stdout).toContain('not written: src/svc/triage-supervised1.ts and its like are other files');
    expect(read('src/svc/triage-supervised1.ts')).toBe('mine, too');
  });

  it('is not written for a failed job unless that is named', async () => {
    account.jobs[2] = accountJob({
      status: 'failed',
      fine_tuned_model: null,
      error: { code: 'x', message: 'bad row' },
    });
    await svc('import openai');
    expect(existsSync(project.path('src/svc/triage.ts'))).toBe(false);
    expect(project.cloud.jobs.find(({ job }) => job.origin?.id === 'ftjob-supervised1')?.job.status).toBe(
      'failed',
    );
    await svc('import openai ftjob-supervised1');
    expect(existsSync(project.path('src/svc/triage.ts'))).toBe(true);
  });
});

describe('files', () => {
  beforeEach(() => fillAccount(account));

  it('that the account no longer has, or does not give out, are said', async () => {
    account.files.delete('file-train');
    account.intercept = ({ path }, response) => {
      if (path !== '/files/file-held-out/content') return false;
      sendError(response, 400, null, 'Not allowed to download files of purpose: fine-tune');
      return true;
    };
    const { stdout, exitCode } = await svc('import openai ftjob-supervised1');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Training    file-train: deleted from the account');
    expect(stdout).toContain('Validation  file-held-out: the account does not give it out. 127.0.0.1');
    const source = read('src/svc/triage.ts');
    expect(source).toContain('// Its training data is no longer in the account: put your copy here.');
    expect(source).toContain("path: 'openai/files/file-train.jsonl'");
    expect(source).not.toContain('evalDataset:');
  });

  it('that never were files of the account are not called deleted', async () => {
    const job = account.jobs.find(({ id }) => id === 'ftjob-supervised1')!;
    job.training_file = 'upload:4006b3e2';
    const { stdout } = await svc('import openai ftjob-supervised1');
    expect(stdout).toContain('Training    upload:4006b3e2: not a file of the account');
    const source = read('src/svc/triage.ts');
    expect(source).toContain('// Its training data is not a file of the account: put your copy here.');
    expect(source).toContain('training_file upload:4006b3e2 → not mapped: not a file of the account');
    expect(account.requests.map(({ path }) => path).filter(path => path.includes('upload'))).toEqual([]);
  });

  it('with the same bytes are kept once', async () => {
    account.files.set('file-held-out', {
      filename: 'copy.jsonl',
      content: account.files.get('file-train')!.content,
    });
    await svc('import openai ftjob-supervised1');
    expect(readdirSync(project.path('openai/files')).filter(name => name.endsWith('.jsonl'))).toEqual([
      'file-train-train.jsonl',
    ]);
    expect(read('src/svc/triage.ts')).toContain(
      "evalDataset: { type: 'file', path: 'openai/files/file-train-train.jsonl' }",
    );
  });

  it('that someone changed are left alone and said, and one that is gone is downloaded again', async () => {
    await svc('import openai ftjob-supervised1');
    await project.write('openai/files/file-train-train.jsonl', 'mine\n');
    rmSync(project.path('openai/files/file-held-out-held-out.jsonl'));
    account.requests.length = 0;
    const { stdout } = await svc('import openai ftjob-supervised1');
    expect(stdout).toContain('changed since it was downloaded, and left so. Delete it to download it again.');
    expect(read('openai/files/file-train-train.jsonl')).toBe('mine\n');
    expect(account.count(/content/)).toEqual({ '/files/file-held-out/content': 1 });
    expect(read('openai/files/file-held-out-held-out.jsonl')).toBe(toJsonl(chatRows(4, 100)));
  });
});
