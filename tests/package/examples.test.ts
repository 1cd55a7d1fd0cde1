// Every example runs as it is, from an empty home, on less data and for a few steps.
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_MODEL_NAME } from '../../lib/base-model/index.js';
import { cloudFile, type Deployment, type IssuedKey } from '../../lib/contract/index.js';
import { askProgram, type ProgramOptions, runProgram, startProgram } from '../support/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'dist', 'cli', 'bin.js');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const run = promisify(execFile);

let home: string;
const env = () => ({
  PATH: process.env.PATH!,
  SVC_HOME: join(home, '.svc'),
  SVC: `${process.execPath} ${bin}`,
});

/** A copy of an example beside an installed svc; of its data only the first rows. */
async function copyExample(name: string): Promise<ProgramOptions> {
  const cwd = join(home, 'projects', name);
  await cp(join(root, 'examples', name), cwd, { recursive: true, filter: path => !path.endsWith('.svc') });
  for (const [file, rows] of [
    ['train.jsonl', 40],
    ['held-out.jsonl', 6],
  ] as const) {
    const path = join(cwd, 'data', file);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) await writeFile(path, text.split('\n').slice(0, rows).join('\n'));
  }
  return { cwd, env: env() };
}

/** The entry as it stands, but for how long it trains. */
async function shorten({ cwd }: ProgramOptions): Promise<void> {
  const path = join(cwd, 'src', 'svc', 'index.ts');
  const entry = await readFile(path, 'utf8');
  expect(entry).toMatch(/epochs: \d+,/);
  await writeFile(path, entry.replace(/epochs: \d+,/, 'maxSteps: 3,'));
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-examples-'));
  await mkdir(join(home, 'projects', 'node_modules'), { recursive: true });
  await writeFile(join(home, 'projects', 'package.json'), '{ "type": "module" }');
  await symlink(root, join(home, 'projects', 'node_modules', 'svc'));
  await symlink(join(root, 'node_modules', 'openai'), join(home, 'projects', 'node_modules', 'openai'));
});

afterAll(async () => {
  await startProgram(['cloud', 'stop'], { cwd: home, env: env() }).ended;
  await rm(home, { recursive: true, force: true });
});

describe('the examples', () => {
  it.each(['support-triage', 'redaction', 'translate'])(
    '%s trains, and says how many held-out answers are right',
    async name => {
      const place = await copyExample(name);
      await shorten(place);
      const { stdout } = await runProgram(['start'], place);
      expect(stdout).toMatch(/^[0-6] of 6 held-out answers are right to the letter\.$/m);
    },
  );

  it('tone learns from pairs, and says how many held-out answers are kind', async () => {
    const place = await copyExample('tone');
    await shorten(place);
    const { stdout } = await runProgram(['start'], place);
    expect(stdout).toMatch(/^step 3: prefers the kind answer of \d+% of pairs$/m);
    expect(stdout).toMatch(/^[0-6] of 6 held-out answers are kind\.$/m);
  });

  it('programmatic trains, asks its checkpoints, publishes one, and calls it', async () => {
    const { cwd } = await copyExample('programmatic');
    const { stdout } = await run(process.execPath, ['--import', tsx, 'train.ts'], {
      cwd,
      env: { ...env(), HOME: cwd, STEPS: '4' },
    });
    expect(stdout).toMatch(/^step \d+: [0-6] of 6 right$/m);
    expect(stdout).toMatch(/^the training is (completed|cancelled)$/m);
    expect(stdout).toMatch(/^http:\/\/words-[0-9a-f]{8}\.localhost:\d+ says: ./m);
  });

  it('scripting talks to a Studio that runs, from Node and from a shell', async ({ skip }) => {
    const place = await copyExample('redaction');
    await shorten(place);
    await cp(join(root, 'examples', 'scripting'), place.cwd, { recursive: true });
    const studio = startProgram(['dev', '--no-tui', '--port', '0'], place);
    try {
      await new Promise<void>((resolve, reject) => {
        studio.onLine(line => /http:\/\/localhost:\d+|http:\/\/127\.0\.0\.1:\d+/.test(line) && resolve());
        void studio.ended.then(({ stderr }) => reject(new Error(stderr)));
      });
      const { stdout } = await run(process.execPath, ['studio.mjs'], { cwd: place.cwd, env: env() });
      expect(stdout).toMatch(/^anonymous on /);
      expect(stdout).toMatch(/^step 3: \d/m);
      expect(stdout).toMatch(/^it completed$/m);
      skip(!has('jq'), 'there is no jq for the shell');
      const shell = await run('sh', ['studio.sh'], { cwd: place.cwd, env: env() });
      expect(shell.stdout).toMatch(/^completed\tredaction\t/m);
      expect(shell.stdout.trim().split('\n').at(-1)).toMatch(/\w/);
    } finally {
      studio.child.kill('SIGTERM');
      await studio.ended;
    }
  });

  it('scripting prints a table of losses with jq', async ({ skip }) => {
    skip(!has('jq'), 'there is no jq');
    const place = await copyExample('translate');
    await shorten(place);
    await cp(join(root, 'examples', 'scripting'), place.cwd, { recursive: true });
    const { stdout } = await run('sh', ['train-and-wait.sh'], { cwd: place.cwd, env: env() });
    expect(stdout).toMatch(/^3\t\d+\.\d+$/m);
    expect(stdout).toMatch(/^translate: completed, adapters: [1-9]/m);
  });

  it('openai-clients call an endpoint, at once and in a stream', async () => {
    const { cwd } = await copyExample('openai-clients');
    const place = await copyExample('translate');
    const { deployment } = await askProgram<{ deployment: Deployment }>(
      ['endpoints', 'create', 'tiny', '--base-model', BASE_MODEL_NAME],
      place,
    );
    const { key } = await askProgram<{ key: IssuedKey }>(['keys', 'issue', 'tiny', '--label', 'test'], place);
    const settings = { ...env(), BASE_URL: `${deployment.pathUrl}/v1`, API_KEY: key.plaintext };
    const { stdout } = await run(process.execPath, ['chat.mjs', 'What are you?'], { cwd, env: settings });
    const [whole, streamed] = stdout.trim().split('\n');
    expect(whole).toMatch(/\w/);
    expect(streamed).toBe(whole);
    const curl = await run('sh', ['chat.sh'], { cwd, env: settings });
    expect(JSON.parse(curl.stdout).choices[0].message.content).toBe(whole);
    if (has('python3')) await run('python3', ['-m', 'py_compile', 'chat.py'], { cwd });
  });

  it("openai-finetune trains by OpenAI's client, and asks the model", async () => {
    await copyExample('support-triage');
    const { cwd } = await copyExample('openai-finetune');
    const place = await copyExample('translate');
    await runProgram(['cloud', 'start'], place);
    const { key } = await askProgram<{ key: IssuedKey }>(
      ['keys', 'issue', '--project', '--label', 'test'],
      place,
    );
    const { url } = cloudFile.parse(
      JSON.parse(await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8')),
    );
    const settings = { BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY: key.plaintext, EPOCHS: '1' };
    const { stdout } = await run(process.execPath, ['finetune.mjs'], {
      cwd,
      env: { ...env(), ...settings },
    });
    expect(stdout).toMatch(/^5,\d\.\d+,\d\.\d+,\d[\d.e-]+,1$/m);
    expect(stdout).toMatch(/^ft:svc\/tiny-instruct:.+:triage:[\da-f-]{36} says: ./m);
  });
});

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
