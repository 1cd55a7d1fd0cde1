// Every example runs as it is, from an empty home, on less data and for a few steps.
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_MODEL_NAME } from '../../lib/base-model/index.js';
import { cloudFile, type Deployment, type IssuedKey } from '../../lib/contract/index.js';
import { openFakeTeacher } from '../support/fake-teacher.js';
import { askProgram, type ProgramOptions, runProgram, startProgram } from '../support/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'dist', 'cli', 'bin.js');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

const home = temporaryFolder('svc-examples');
const env = {
  PATH: process.env.PATH!,
  SVC_HOME: join(home, '.svc'),
  SVC: `${process.execPath} ${bin}`,
};

/** What a program of an example prints. */
async function run(program: 'node' | 'sh', args: string[], cwd: string, more = {}): Promise<string> {
  const path = program === 'node' ? process.execPath : program;
  return (await promisify(execFile)(path, args, { cwd, env: { ...env, ...more } })).stdout;
}

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

const placeOf = (name: string): ProgramOptions => ({ cwd: join(home, 'projects', name), env });

/** Only the first rows of its data. */
async function cutData(cwd: string): Promise<void> {
  for (const [file, rows] of Object.entries({ 'train.jsonl': 40, 'held-out.jsonl': 6 })) {
    const path = join(cwd, 'data', file);
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) await writeFile(path, text.split('\n').slice(0, rows).join('\n'));
  }
}

/** A copy of an example beside an installed svc. */
async function copyExample(name: string): Promise<ProgramOptions> {
  const { cwd } = placeOf(name);
  await cp(join(root, 'examples', name), cwd, {
    recursive: true,
    filter: path => !/\.(svc|gguf)$/.test(path),
  });
  await cutData(cwd!);
  return placeOf(name);
}

/** Its entry as it stands, but for how long it trains. */
async function copyShortened(name: string): Promise<ProgramOptions> {
  const place = await copyExample(name);
  const path = join(place.cwd, 'src', 'svc', 'index.ts');
  const entry = await readFile(path, 'utf8');
  expect(entry).toMatch(/epochs: \d+,/);
  await writeFile(path, entry.replace(/epochs: \d+,/, 'maxSteps: 3,'));
  return place;
}

const issueKey = async (of: string, place: ProgramOptions) =>
  (await askProgram<{ key: IssuedKey }>(['keys', 'issue', of, '--label', 'test'], place)).key.plaintext;

beforeAll(async () => {
  await mkdir(join(home, 'projects', 'node_modules'), { recursive: true });
  await writeFile(join(home, 'projects', 'package.json'), '{ "type": "module" }');
  await symlink(root, join(home, 'projects', 'node_modules', 'svc'));
  for (const name of ['openai', 'zod', 'vitest'])
    await symlink(join(root, 'node_modules', name), join(home, 'projects', 'node_modules', name));
});

afterAll(() => startProgram(['cloud', 'stop'], { cwd: home, env }).ended);

describe('the examples', () => {
  it.each([
    ['support-triage', 'right to the letter'],
    ['redaction', 'right to the letter'],
    ['translate', 'right to the letter'],
    ['tone', 'kind'],
    ['rewards', 'right'],
  ])('%s trains, and says how many held-out answers are %s', async (name, good) => {
    const { stdout } = await runProgram(['start'], await copyShortened(name));
    expect(stdout).toMatch(new RegExp(`^[0-6] of 6 held-out answers are ${good}\\.$`, 'm'));
    if (name === 'tone') expect(stdout).toMatch(/^step 3: prefers the kind answer of \d+% of pairs$/m);
  });

  it('distil asks its teacher, leaves out what is not well-formed, and learns from the rest', async () => {
    const teacher = Object.assign(await openFakeTeacher(), { model: 'triage' });
    const wellFormed = '{"desk":"coin","heat":1,"ref":"-","who":"-"}';
    teacher.answer = () => (teacher.requests.length === 1 ? 'I do not know.' : wellFormed);
    const place = await copyShortened('distil');
    const { stdout } = await runProgram(['start'], { ...place, env: { ...env, TEACHER_URL: teacher.url } });
    await teacher.close();
    expect(stdout).toMatch(/^Left out: 1 by `keep`\.$/m);
    expect(stdout).toMatch(/^[0-6] of 6 held-out answers are right to the letter\.$/m);
  });

  it('triage-task trains, with a score of its task', async () => {
    const place = await copyShortened('triage-task');
    const { stdout } = await runProgram(['start'], place);
    expect(stdout).toMatch(/exact/);
  });

  it('triage-task is tested, and shipped if it is not worse', async () => {
    const place = placeOf('triage-task');
    const tests = await startProgram(['test', '--json'], place).ended;
    expect(JSON.parse(tests.stdout)).toMatchObject({ numTotalTests: 3 });
    const workflow = await readFile(join(place.cwd, '.github', 'workflows', 'weights.yml'), 'utf8');
    const [, step] = /^ +run: npx svc (ship .*) >> "\$GITHUB_STEP_SUMMARY"$/m.exec(workflow)!;
    const ship = async (event: string) => {
      const option = event === 'pull_request' ? '--dry-run' : '';
      const words = step!.replace(/\$\{\{.*\}\}/, option).split(/ +/);
      const { exitCode, stdout } = await startProgram([...words, '--no-tests'], place).ended;
      return { exitCode, said: stdout.split('\n')[2] };
    };
    const who = /Final adapter \(job [0-9a-f]{8}\)/;
    const trial = await ship('pull_request');
    expect(trial.exitCode).toBe(0);
    expect(trial.said).toMatch(
      new RegExp(`^\\*\\*Passed: triage may serve ${who.source}\\. Nothing was changed\\.`),
    );
    const shipped = await ship('push');
    expect(shipped.exitCode).toBe(0);
    const { deployments } = await askProgram<{ deployments: object[] }>(['endpoints', 'list'], place);
    expect(deployments).toMatchObject([{ slug: 'triage', target: { kind: 'adapter' } }]);
  });

  it('triage-task has a typed client for another project', async () => {
    const place = placeOf('triage-task');
    const client = join(place.cwd, 'client');
    const written = await runProgram(['endpoints', 'client', 'triage'], place);
    await writeFile(join(client, 'triage.ts'), written.stdout);
    await symlink(join(root, 'node_modules'), join(client, 'node_modules'));
    await run('node', [join(root, 'node_modules', '.bin', 'tsc')], client);
    const key = await issueKey('triage', place);
    const said = await run('node', ['main.js', 'My parcel is lost.'], client, { TRIAGE_KEY: key });
    expect(said).toMatch(/^(coin|haul|mend|door|exit), urgency [1-3], order .*, from .*$/m);
  });

  it('reviews trains, and says how many held-out reviews are judged right before and after', async () => {
    const place = await copyShortened('reviews');
    await mkdir(join(place.cwd!, 'data'), { recursive: true });
    const rows = ['positive', 'negative'].map(sentiment => ({
      messages: [
        { role: 'system', content: 'Is this review of a film positive or negative?' },
        { role: 'user', content: `I found it ${sentiment === 'positive' ? 'wonderful' : 'tedious'}.` },
        { role: 'assistant', content: sentiment },
      ],
    }));
    const text = rows.map(row => `${JSON.stringify(row)}\n`).join('');
    for (const file of ['train', 'held-out'])
      await writeFile(join(place.cwd!, 'data', `${file}.jsonl`), text);
    const { stdout } = await runProgram(['start'], place);
    expect(stdout).toMatch(/^[0-2] of 2 held-out reviews were judged right before, [0-2] after\.$/m);
  });

  it('functions makes its rows and trains, with a score of its calls', async () => {
    const place = await copyShortened('functions');
    const cwd = place.cwd!;
    expect(await run('node', ['rows.mjs'], cwd)).toBe(
      'data/train.jsonl: 590 rows\ndata/held-out.jsonl: 195 rows\n',
    );
    await cutData(cwd);
    const { stdout } = await runProgram(['start'], place);
    expect(stdout).toMatch(/right calls/);
  });

  it('programmatic trains, asks its checkpoints, publishes one, and calls it', async () => {
    const { cwd } = await copyExample('programmatic');
    const printed = await run('node', ['--import', tsx, 'train.ts'], cwd, { HOME: cwd, STEPS: '4' });
    expect(printed).toMatch(/^step \d+: [0-6] of 6 right$/m);
    expect(printed).toMatch(/^the training is (completed|cancelled)$/m);
    expect(printed).toMatch(/^http:\/\/words-[0-9a-f]{8}\.localhost:\d+ says: ./m);
  });

  it('scripting talks to a Studio that runs, from Node and from a shell', async ({ skip }) => {
    const place = await copyShortened('redaction');
    await cp(join(root, 'examples', 'scripting'), place.cwd, { recursive: true });
    const studio = startProgram(['dev', '--no-tui', '--port', '0'], place);
    try {
      await new Promise<void>((resolve, reject) => {
        studio.onLine(line => /http:\/\/localhost:\d+|http:\/\/127\.0\.0\.1:\d+/.test(line) && resolve());
        void studio.ended.then(({ stderr }) => reject(new Error(stderr)));
      });
      const printed = await run('node', ['studio.mjs'], place.cwd);
      expect(printed).toMatch(/^anonymous on /);
      expect(printed).toMatch(/^step 3: \d/m);
      expect(printed).toMatch(/^it completed$/m);
      skip(!has('jq'), 'there is no jq for the shell');
      const shell = await run('sh', ['studio.sh'], place.cwd);
      expect(shell).toMatch(/^completed\tredaction\t/m);
      expect(shell.trim().split('\n').at(-1)).toMatch(/\w/);
    } finally {
      studio.child.kill('SIGTERM');
      await studio.ended;
    }
  });

  it('scripting prints a table of losses with jq', async ({ skip }) => {
    skip(!has('jq'), 'there is no jq');
    const { cwd } = await copyShortened('translate');
    await cp(join(root, 'examples', 'scripting'), cwd, { recursive: true });
    const printed = await run('sh', ['train-and-wait.sh'], cwd);
    expect(printed).toMatch(/^3\t\d+\.\d+$/m);
    expect(printed).toMatch(/^translate: completed, adapters: [1-9]/m);
  });

  it('openai-clients call an endpoint, at once and in a stream', async () => {
    const { cwd } = await copyExample('openai-clients');
    const place = await copyExample('translate');
    const create = ['endpoints', 'create', 'tiny', '--base-model', BASE_MODEL_NAME];
    const { deployment } = await askProgram<{ deployment: Deployment }>(create, place);
    const settings = { BASE_URL: `${deployment.pathUrl}/v1`, API_KEY: await issueKey('tiny', place) };
    const printed = await run('node', ['chat.mjs', 'What are you?'], cwd, settings);
    const [whole, streamed] = printed.trim().split('\n');
    expect(whole).toMatch(/\w/);
    expect(streamed).toBe(whole);
    const answer = await run('sh', ['chat.sh'], cwd, settings);
    expect(JSON.parse(answer).choices[0].message.content).toBe(whole);
    if (has('python3')) await run('sh', ['-c', 'python3 -m py_compile chat.py'], cwd);
  });

  it("openai-finetune trains by OpenAI's client, and asks the model", async () => {
    await copyExample('support-triage');
    const { cwd } = await copyExample('openai-finetune');
    const place = await copyExample('translate');
    await runProgram(['cloud', 'start'], place);
    const file = await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8');
    const { url } = cloudFile.parse(JSON.parse(file));
    const OPENAI_API_KEY = await issueKey('--project', place);
    const settings = { BASE_URL: `${url}/openai/v1`, OPENAI_API_KEY, EPOCHS: '1' };
    const printed = await run('node', ['finetune.mjs'], cwd, settings);
    expect(printed).toMatch(/^40,\d\.\d+,\d\.\d+,\d[\d.e-]+,1$/m);
    expect(printed).toMatch(/^ft:svc\/tiny-instruct:.+:triage:[\da-f-]{36} says: ./m);
  });
});
