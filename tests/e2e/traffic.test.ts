// From traffic to rows: an endpoint keeps what the official client asks, also when the cloud is killed; answers are marked
// and corrected, written as rows, and trained on.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE_MODEL_NAME } from '../../lib/base-model/index.js';
import type { Deployment, KeptRequests } from '../../lib/contract/index.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { askProgram, type ProgramOptions, runProgram, startProgram, untilEnded } from '../support/program.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'from traffic',
  dataset: { type: 'file', path: 'kept.jsonl' },
  maxSteps: 2,
  batchSize: 2,
});
export const service = createService({ trainer });
`;

let home: string;
let place: ProgramOptions;
let deployment: Deployment;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-traffic-'));
  const cwd = join(home, 'app');
  await mkdir(cwd);
  place = { cwd, env: { SVC_HOME: join(home, '.svc') } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
  const argv = [
    'endpoints',
    'create',
    'desk',
    '--base-model',
    BASE_MODEL_NAME,
    '--auth',
    'none',
    '--keep-requests',
  ];
  ({ deployment } = await askProgram<{ deployment: Deployment }>(argv, place));
});

afterAll(async () => {
  await untilEnded(startProgram(['cloud', 'stop'], place));
  await rm(home, { recursive: true, force: true });
});

const ask = (content: string, max_tokens: number, more: { response_format?: typeof LONG } = {}) =>
  new OpenAI({ apiKey: 'none', baseURL: `${deployment.pathUrl}/v1`, maxRetries: 0 }).chat.completions.create({
    model: 'any',
    messages: [{ role: 'user', content }],
    stream: true,
    temperature: 0,
    max_tokens,
    ...more,
  });

/** A shape that no short answer has, so that the cloud is in the middle of it when it is killed. */
const LONG = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'numbers',
    schema: { type: 'array', items: { type: 'string', minLength: 8 }, minItems: 900, maxItems: 900 },
  },
};

const list = (...argv: string[]) =>
  askProgram<KeptRequests>(['endpoints', 'requests', 'desk', ...argv], place);

it('what was asked becomes rows, and the rows are trained on', {
  timeout: 2 * JOURNEY_TIMEOUT_MS,
}, async () => {
  for (const content of ['Say yes.', 'Say no.']) for await (const _ of await ask(content, 200));
  const before = await list();
  expect(before.requests.map(({ messages }) => messages[0]!.content)).toEqual(['Say no.', 'Say yes.']);

  const cloud = JSON.parse(await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8'));
  const killed = (async () => {
    for await (const chunk of await ask('Count to a thousand.', 900, { response_format: LONG }))
      if (chunk.choices[0]?.delta.content) process.kill(cloud.pid, 'SIGKILL');
  })();
  await expect(killed).rejects.toThrow();

  expect(await list()).toMatchObject({ requests: before.requests, counts: { all: 2 } });
  const [no, yes] = before.requests;
  await runProgram(['endpoints', 'requests', 'desk', no!.id, '--correct', 'No.'], place);
  await runProgram(['endpoints', 'requests', 'desk', yes!.id, '--correct', 'Yes.'], place);
  expect(await list('--mark', 'corrected')).toMatchObject({ counts: { all: 2, corrected: 2 } });

  await runProgram(['data', 'from-requests', 'desk', '--out', 'kept.jsonl'], place);
  const rows = (await readFile(join(place.cwd!, 'kept.jsonl'), 'utf8')).trim().split('\n');
  expect(rows.map(row => JSON.parse(row))).toEqual(
    [
      ['Say yes.', 'Yes.'],
      ['Say no.', 'No.'],
    ].map(([content, answer]) => ({
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: answer },
      ],
    })),
  );
  expect((await untilEnded(startProgram(['start', '--json'], place))).stdout).toContain('training.completed');

  await runProgram(['endpoints', 'update', 'desk', '--no-keep-requests', '--yes'], place);
  expect(await list()).toMatchObject({ requests: [], counts: { all: 0 } });
});
