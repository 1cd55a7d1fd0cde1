// svc import openai with accounts, keys and names of all kinds, and the answers of old models.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { transform } from 'esbuild';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACCOUNT_KEY,
  accountJob,
  chatRows,
  fillAccount,
  metricEvent,
  openFakeAccount,
  sendError,
  toJsonl,
} from '../../support/fake-account.js';
import { accountOfEach, filesIn } from './support.js';

const { project, account, svc, json, read, everything } = accountOfEach();

describe('an account', () => {
  it('without jobs is said to have none', async () => {
    expect(await svc('import openai')).toMatchObject({
      exitCode: 0,
      stdout: `No fine-tuning jobs to import on ${account.host}.\n`,
    });
    expect((await svc('import openai --list')).stdout).toBe(`No fine-tuning jobs on ${account.host}.\n`);
  });

  it('with many jobs is read in pages, oldest first', async () => {
    const count = 101;
    account.jobs.push(
      ...Array.from({ length: count }, (_, index) =>
        accountJob({
          id: `ftjob-${count - index}`,
          training_file: null,
          user_provided_suffix: null,
          fine_tuned_model: null,
          status: 'cancelled',
        }),
      ),
    );
    const { jobs } = await json('import openai');
    expect(account.requests.filter(({ path }) => path === '/fine_tuning/jobs')).toHaveLength(2);
    expect(jobs.map(({ id }: { id: string }) => id)).toEqual(account.jobs.map(({ id }) => id).reverse());
    expect(project.cloud.jobs).toHaveLength(count);
  });

  it('with a long list of events keeps all of them, in pages', async () => {
    fillAccount(account);
    const many = Array.from({ length: 5050 }, (_, index) =>
      metricEvent(`e${5050 - index}`, 5050 - index, { train_loss: 1 }),
    );
    account.events.set('ftjob-supervised1', many);
    const { jobs } = await json('import openai ftjob-supervised1');
    expect(jobs[0]).toMatchObject({ events: 5050, steps: 5050, thinnedFrom: null });
    expect(account.count(/events$/)).toEqual({ '/fine_tuning/jobs/ftjob-supervised1/events': 51 });
  });

  it('has jobs that still run: they are said and left for later', async () => {
    account.jobs.push(accountJob({ status: 'running', finished_at: null, fine_tuned_model: null }));
    const { stdout, stderr } = await svc('import openai');
    expect(stderr).toContain('ftjob-supervised1 is running; import it when it has ended.');
    expect(stdout).toBe(`No fine-tuning jobs to import on ${account.host}.\n`);
  });

  it('is imported by one process at a time', async () => {
    fillAccount(account);
    const both = await Promise.all([svc('import openai'), svc('import openai')]);
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const waited = both.filter(({ stderr }) => stderr.includes('Another import writes to'));
    expect(waited).toHaveLength(1);
    expect(account.count(/content$/)).toEqual(
      Object.fromEntries(Object.keys(account.count(/content$/)).map(path => [path, 1])),
    );
    expect(everything().filter(file => /\.(part|lock)$/.test(file))).toEqual([]);
  });

  it('sends one odd job: the others are imported, and the command fails with its name', async () => {
    fillAccount(account);
    account.intercept = ({ path }, response) => {
      if (path !== '/fine_tuning/jobs/ftjob-preferred2/events') return false;
      response.writeHead(200).end('<html>');
      return true;
    };
    const { exitCode, stderr } = await svc('import openai');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('1 job could not be imported:\nftjob-preferred2: The answer to');
    expect(project.cloud.jobs).toHaveLength(2);
  });
});

describe('the key', () => {
  it('is missing: the variable is named', async () => {
    const { exitCode, stderr } = await svc('import openai', { OPENAI_API_KEY: ' ' });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Set the environment variable OPENAI_API_KEY to a key of the account.');
    expect(account.requests).toEqual([]);
  });

  it('is wrong: what the server says is told, but never the key, though the server quotes it', async () => {
    const { exitCode, stdout, stderr } = await svc('import openai', { OPENAI_API_KEY: 'sk-wrong-secret' });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      `svc: ${account.host} does not accept this key. Incorrect API key provided: (your key).\n`,
    );
    expect(stdout + stderr).not.toContain('sk-wrong-secret');
  });

  it('cannot be sent in a header, or goes over the network in plain text: nothing is sent, and it is not shown', async () => {
    for (const [env, text] of [
      [{ OPENAI_API_KEY: 'sk-a\nb' }, 'The key has characters'],
      [{ OPENAI_BASE_URL: 'http://example.com/v1' }, 'The base URL must start with https://'],
      [{ OPENAI_BASE_URL: 'https://me:pass@example.com' }, 'must not contain a user name'],
      [{ OPENAI_ORG_ID: 'org 1' }, 'The organization has characters'],
    ] as const) {
      const { exitCode, stderr } = await svc('import openai', env);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(text) });
      expect(stderr).not.toMatch(/sk-|me:pass/);
    }
    expect(account.requests).toEqual([]);
  });

  it('goes to the address alone, with the organization and project, and is nowhere on the disk', async () => {
    fillAccount(account);
    const other = await openFakeAccount();
    account.intercept = ({ path }, response) => {
      if (!path.startsWith('/files/file-pairs')) return false;
      response.writeHead(302, { location: `${other.url}${path}` }).end();
      return true;
    };
    const { stderr, stdout } = await svc('import openai', {
      OPENAI_ORG_ID: 'org-1',
      OPENAI_PROJECT_ID: 'proj_1',
    });
    await other.close();
    expect(stderr).toContain('redirects to another address');
    expect(other.requests).toEqual([]);
    for (const { headers } of account.requests)
      expect(headers).toMatchObject({
        authorization: `Bearer ${ACCOUNT_KEY}`,
        'openai-organization': 'org-1',
        'openai-project': 'proj_1',
      });
    const texts = [...everything(), ...filesIn(project.home)].map(path => readFileSync(path, 'utf8'));
    const sent = project.cloud.requests.map(request => JSON.stringify(request));
    expect([...texts, ...sent, stdout, stderr].filter(text => text.includes(ACCOUNT_KEY))).toEqual([]);
  });
});

describe('names that try to be something else', () => {
  const hostile = {
    id: '../../ftjob-x',
    suffix: `\${process.exit(9)}\`;*/\n"\u2028../../evil\u001b[31m`,
    filename: '../../../etc/pass\u001b[2Jwd',
  };

  it('stay in the folder, on one line, and in strings', async () => {
    account.jobs.push(
      accountJob({
        id: hostile.id,
        model: 'gpt-`$'.concat('{x}`\n// evil'),
        user_provided_suffix: hostile.suffix,
        training_file: '../file',
        hyperparameters: { n_epochs: '3;\nprocess.exit()', batch_size: -1, learning_rate_multiplier: null },
        method: null,
      }),
    );
    account.files.set('../file', { filename: hostile.filename, content: toJsonl(chatRows(2)) });
    const { exitCode, stdout } = await svc('import openai');
    expect(exitCode).toBe(0);
    for (const odd of ['\u001b', '\u2028']) expect(stdout).not.toContain(odd);
    const written = everything().map(path => path.slice(project.cwd.length + 1));
    expect(written.filter(path => !path.startsWith('openai/') && !path.startsWith('.svc/')).sort()).toEqual([
      expect.stringMatching(/^src\/svc\/[a-z0-9-]+\.ts$/),
    ]);
    const source = read(written.find(path => path.startsWith('src/'))!);
    expect(
      source
        .split('\n')
        .filter(line => line.includes('evil'))
        .every(line => /^\/\/|^ {2}name: "/.test(line)),
    ).toBe(true);
    const { code } = await transform(source, { loader: 'ts', minifyWhitespace: true });
    expect(code).toMatch(
      /^import\{createService,createTrainer\}from"svc";const trainer=createTrainer\(\{name:/,
    );
    expect(code).not.toMatch(/^.*\bprocess\.exit\(\)/m);
    const options = /createTrainer\((\{.*\})\);export const service/s.exec(code)![1]!;
    expect(new Function(`return ${options}`)()).toMatchObject({ dataset: { type: 'file' }, seed: 7 });
  });
});

describe('with --answers', () => {
  beforeEach(() => fillAccount(account));

  it('asks first, and says how many rows and tokens that is', async () => {
    const running = project.start('import openai ftjob-supervised1 --answers', {
      isTTY: true,
      columns: 120,
      env: account.env,
    });
    await running.shown('Ask for these answers? [y/N]');
    expect(running.stderr).toMatch(
      /4 rows for 1 model on .*: about \d+ tokens to read and \d+ to write, at 4 characters a token\. The account pays for them\./,
    );
    expect(account.count(/completions/)).toEqual({});
    running.type('n\r');
    const { exitCode, stderr } = await running.done;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('No answers were asked for.');
    expect(existsSync(project.path('openai/jobs/ftjob-supervised1/answers.jsonl'))).toBe(false);
  });

  it('refuses where nobody can be asked, before anything is done', async () => {
    for (const line of ['import openai --answers', 'import openai --answers --json']) {
      const { exitCode, stderr } = await svc(line);
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('add "--yes"') });
    }
    expect(account.requests).toEqual([]);
  });

  it('keeps each row with its answer, and asks for none twice', async () => {
    account.intercept = ({ path, body }, response) => {
      if (path !== '/chat/completions' || !JSON.stringify(body).includes('hello 102')) return false;
      sendError(response, 400, 'content_filter', 'This row is refused.');
      return true;
    };
    const { answers } = await json('import openai ftjob-supervised1 --answers --yes');
    const path = 'openai/jobs/ftjob-supervised1/answers.jsonl';
    const model = 'ft:gpt-4o-mini-2024-07-18:acme:triage:A1';
    expect(answers).toEqual([{ id: 'ftjob-supervised1', model, path, rows: 4, asked: 4, skipped: 0 }]);
    const lines = read(path)
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
      .sort((a, b) => a.row - b.row);
    const [row] = chatRows(1, 100);
    expect(lines[0]).toEqual({
      row: 1,
      sha256: createHash('sha256').update(JSON.stringify(row)).digest('hex'),
      model,
      input: { messages: row!.messages.slice(0, 1) },
      expected: 'world',
      answer: 'answer to [{"role":"user","content":"hello 100"}]',
      finishReason: 'stop',
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
    expect(lines[2]).toMatchObject({
      row: 3,
      answer: null,
      error: expect.stringContaining('This row is refused.'),
    });
    expect(account.requests.find(({ body }) => body)?.body).toMatchObject({ model, temperature: 0 });
    const [rows] = everything().filter(file => file.endsWith('held-out.jsonl'));
    const { evaluation } = await json(`eval base --on ${rows} --against ${path}`);
    expect(evaluation.comparison).toMatchObject({
      against: { target: { kind: 'answers', file: 'answers.jsonl', model } },
      cost: { latencyMs: null, promptTokens: 15, completionTokens: 9 },
    });
    account.requests.length = 0;
    const again = await json('import openai ftjob-supervised1 --answers --yes');
    expect(again.answers).toMatchObject([{ rows: 4, asked: 0 }]);
    expect(account.count(/completions/)).toEqual({});
  });

  it('asks models that reason without a temperature, and says which jobs have nothing to ask with', async () => {
    const { stderr } = await svc('import openai --answers --yes');
    const asked = account.requests
      .filter(({ path }) => path === '/chat/completions')
      .map(({ body }) => body!);
    expect(asked.filter(({ model }) => String(model).includes('o4-mini'))).toHaveLength(3);
    expect(asked.map(body => [String(body.model).includes('o4-mini'), 'temperature' in body])).toEqual(
      expect.not.arrayContaining([
        [true, true],
        [false, false],
      ]),
    );
    expect(stderr).toContain('ftjob-preferred2 has no validation rows to ask with.');
  });

  it('goes on when a model is gone, and says so at the end', async () => {
    account.intercept = ({ path, body }, response) => {
      if (path !== '/chat/completions' || !String(body?.model).includes('o4-mini')) return false;
      sendError(response, 404, 'model_not_found', 'The model does not exist.');
      return true;
    };
    const { exitCode, stdout, stderr } = await svc('import openai --answers --yes --json');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/1 model could not be asked:\nftjob-\S+: The model does not exist\./);
    const { answers, failed } = JSON.parse(stdout);
    expect(answers).toHaveLength(1);
    expect(failed).toMatchObject([{ error: 'The model does not exist.' }]);
  });

  it('stops at an empty account', async () => {
    account.intercept = ({ path }, response) => {
      if (path !== '/chat/completions') return false;
      sendError(response, 429, 'insufficient_quota', 'You exceeded your current quota.');
      return true;
    };
    const { exitCode, stderr } = await svc('import openai ftjob-supervised1 --answers --yes');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('The account has no quota left. You exceeded your current quota.');
    expect(account.count(/completions/)['/chat/completions']).toBeLessThanOrEqual(4);
  });
});
