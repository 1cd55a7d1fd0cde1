// Agents that have nothing but svc's server of the Model Context Protocol: over stdin and stdout, and over HTTP.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type CallToolResult, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  Agent,
  type AgentInputItem,
  MCPServerStdio,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  tool,
  Usage,
} from '@openai/agents';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { StudioFile } from '../../lib/contract/index.js';
import { findFreePort } from '../support/free-port.js';
import { type ProgramOptions, runProgram, startProgram, untilEnded } from '../support/program.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bin = join(root, 'dist', 'cli', 'bin.js');
const home = temporaryFolder('svc-agent');
const cwd = join(home, 'app');
const data = join(cwd, 'data', 'train.jsonl');
let place: ProgramOptions;

const ENTRY = `import { createService, createTrainer } from 'svc';
const trainer = createTrainer({
  name: 'labels',
  dataset: { type: 'file', path: 'data/train.jsonl' },
  maxSteps: 24,
  batchSize: 4,
  learningRate: 2e-3,
  loggingSteps: 2,
});
export const service = createService({ trainer });
`;
const TESTS = `import { expect, it } from 'vitest';
import { describeModel } from 'svc/vitest';
describeModel('labels', { job: 'latest' }, ({ ask }) => {
  it('is not worse than the base model', async () => {
    await expect(ask).not.toRegress({ against: 'base', on: 'data/train.jsonl', limit: 8 });
  });
});
`;
const WRONG = 'TODO: ask Zbigniew which of the 7 it is';

const environment = () => ({ PATH: process.env.PATH!, HOME: cwd, SVC_THREADS: '1', ...place.env });

beforeAll(async () => {
  await mkdir(cwd);
  place = { cwd, env: { SVC_HOME: join(home, '.svc'), SVC_CLOUD_PORT: String(await findFreePort()) } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  for (const [name, path] of [
    ['svc', root],
    ['vitest', join(root, 'node_modules', 'vitest')],
  ] as const)
    await symlink(path, join(cwd, 'node_modules', name));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), ENTRY);
  await writeFile(join(cwd, 'labels.weights.test.ts'), TESTS);
  const wrong = [
    { role: 'user', content: 'The button is green on Mondays.' },
    { role: 'assistant', content: WRONG },
  ];
  await writeFile(data, `${await readFile(data, 'utf8')}${JSON.stringify({ messages: wrong })}\n`);
});

afterAll(() => untilEnded(startProgram(['cloud', 'stop'], place)));

/** Of a call, which trains or asks models beside other tests. */
const PATIENT_MS = 200_000;

type Answer = 'accept' | 'decline' | null;

/** A client of the SDK; `answer` is what its user says to questions, if it can ask. */
async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport, answer: Answer) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer === null ? {} : { elicitation: {} } },
  );
  const questions: string[] = [];
  if (answer !== null)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message);
      return answer === 'accept' ? { action: 'accept', content: { go: true } } : { action: 'decline' };
    });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: object = {}, options = {}) =>
    (await client.callTool({ name, arguments: { ...args } }, undefined, {
      timeout: PATIENT_MS,
      ...options,
    })) as CallToolResult;
  return { client, call, questions };
}

const overStdio = (answer: Answer, ...args: string[]) =>
  connect(
    new StdioClientTransport({
      ...{ command: process.execPath, args: [bin, 'mcp', ...args], cwd, env: environment() },
      stderr: 'ignore',
    }),
    answer,
  );

const textOf = ({ content }: CallToolResult) => (content[0] as { text: string }).text;

describe('over stdin and stdout', () => {
  it('shows what there is, and asks before it spends minutes', async () => {
    const { client, call, questions } = await overStdio('decline');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'check_data',
        'start_training',
        'follow_job',
        'worst_rows',
        'evaluate',
        'publish',
      ]),
    );
    for (const { name, description, outputSchema } of tools) {
      expect(description, name).toBeTruthy();
      if (name !== 'loss_chart') expect(outputSchema, name).toMatchObject({ type: 'object' });
    }
    const checked = await call('check_data');
    expect(checked.structuredContent).toMatchObject({ training: { rows: 21 }, findings: [] });
    const refused = await call('start_training', { name: 'first try' });
    expect([refused.isError, textOf(refused)]).toEqual([true, 'The user did not allow it.']);
    expect(questions).toEqual([
      'Start a training named "first try"? It may take minutes to hours of this machine.',
    ]);
    expect((await call('list_jobs')).structuredContent).toEqual({ total: 0, jobs: [] });
    const unknown = await call('show_job', { job: 'zzz' });
    expect([unknown.isError, textOf(unknown)]).toEqual([
      true,
      expect.stringContaining('There is no job "zzz"'),
    ]);
    // With this option, the command would train a few steps without a question.
    const disguised = await call('check_data', { path: '--measure' });
    expect([disguised.isError, textOf(disguised)]).toEqual([
      true,
      expect.stringContaining('--measure does not exist'),
    ]);
  });

  it('without a way to ask says what the user can do', async () => {
    const { call } = await overStdio(null, '--allow', 'evaluate');
    const refused = await call('start_training');
    expect(textOf(refused)).toContain('svc mcp, or svc dev, with --allow train');
    expect((await call('evaluate', { model: 'nothing', on: 'data/train.jsonl' })).isError).toBe(true);
  });

  it('follows a training with progress, shows it as resources, and stops what is cancelled', async () => {
    const { client, call, questions } = await overStdio('accept');
    const started = await call('start_training', { set: { maxSteps: 12 } });
    const { job } = started.structuredContent as { job: string };
    expect(questions).toHaveLength(1);
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    const followed = await call('follow_job', { job, seconds: 180 }, { onprogress });
    expect(followed.structuredContent).toMatchObject({
      id: job,
      status: 'completed',
      isFinal: true,
      step: 12,
    });
    // The last one may come with the answer, and is not told then.
    expect(seen.slice(0, 5)).toEqual([2, 4, 6, 8, 10]);

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(['svc://jobs', `svc://jobs/${job}`, `svc://jobs/${job}/losses.png`]),
    );
    const [chart] = (await client.readResource({ uri: `svc://jobs/${job}/losses.png` })).contents;
    expect(chart).toMatchObject({ mimeType: 'image/png' });
    expect(Buffer.from((chart as { blob: string }).blob, 'base64').toString('latin1', 1, 4)).toBe('PNG');
    const [log] = (await client.readResource({ uri: `svc://jobs/${job}/log` })).contents;
    expect((log as { text: string }).text).toContain('"training.completed"');

    const cancelled = new AbortController();
    const calling = call(
      'evaluate',
      { model: job, on: 'data/train.jsonl', against: 'base' },
      { signal: cancelled.signal, onprogress: () => cancelled.abort() },
    );
    await expect(calling).rejects.toThrow();
    expect((await call('list_jobs')).structuredContent).toMatchObject({ jobs: [{ id: job }] });
    const { stdout } = await runProgram(['evals', 'list', '--json'], place);
    expect(JSON.parse(stdout)).toMatchObject({ evaluations: [] });
  });
});

it('over HTTP answers with the token of a Studio that runs, and nobody else', async () => {
  const studio = startProgram(['dev', '--no-tui', '--port', '0', '--allow', 'cancel'], place);
  onTestFinished(async () => {
    studio.child.kill('SIGTERM');
    await studio.ended;
  });
  await until(() => studio.printed.stdout).toContain('Studio is running at');
  const file = await readFile(join(cwd, '.svc', 'studio.json'), 'utf8');
  const { url, token } = JSON.parse(file) as StudioFile;
  const address = new URL('/mcp', url);
  const post = (headers: Record<string, string>) =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{}',
    });
  expect((await post({})).status).toBe(403);
  expect((await post({ authorization: 'Bearer wrong' })).status).toBe(403);
  // The usual header is for agents alone.
  const jobs = await fetch(new URL('/api/jobs', url), { headers: { authorization: `Bearer ${token}` } });
  expect(jobs.status).toBe(403);

  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const overHttp = (answer: Answer) =>
    connect(new StreamableHTTPClientTransport(address, { requestInit }), answer);
  const { call } = await overHttp(null);
  expect((await call('check_data')).structuredContent).toMatchObject({ training: { rows: 21 } });
  expect(textOf(await call('start_training'))).toContain('--allow train');
  expect(textOf(await call('cancel_job', { job: 'zzz' }))).toContain('There is no job "zzz"');
  // The user of an agent is asked over HTTP, too.
  const declining = await overHttp('decline');
  expect(textOf(await declining.call('start_training'))).toBe('The user did not allow it.');
  const accepting = await overHttp('accept');
  const accepted = await accepting.call('evaluate', { model: 'zzz', on: 'data/train.jsonl' });
  expect(textOf(accepted)).toContain('There is no job or endpoint "zzz"');
  expect([declining.questions.length, accepting.questions.length]).toEqual([1, 1]);
});

interface Call {
  name: string;
  args?: object;
}
type Script = Generator<Call, string, Record<string, never>>;

/** A model that says what a script says, which gets what its calls returned. */
class ScriptedModel implements Model {
  private readonly script: Script;
  private hasBegun = false;
  calls: string[] = [];

  constructor(script: () => Script) {
    this.script = script();
  }

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    const last = (input as AgentInputItem[]).at(-1)!;
    const step = this.hasBegun ? this.script.next(readOutput(last)) : this.script.next();
    this.hasBegun = true;
    if (step.done)
      return respond({
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: step.value }],
      });
    const { name, args = {} } = step.value;
    this.calls.push(name);
    const callId = `call_${this.calls.length}`;
    return respond({
      type: 'function_call',
      callId,
      name,
      status: 'completed',
      arguments: JSON.stringify(args),
    });
  }

  // biome-ignore lint/correctness/useYield: it is never asked to stream.
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('not streamed');
  }
}

const respond = (item: ModelResponse['output'][number]): ModelResponse => ({
  usage: new Usage(),
  output: [item],
});

/** The JSON that a tool returned. */
function readOutput(item: AgentInputItem): Record<string, never> {
  if (item.type !== 'function_call_result') throw new Error(`There is no result: ${JSON.stringify(item)}`);
  const text = JSON.stringify(item.output).match(/"text":("(?:[^"\\]|\\.)*")/)?.[1];
  return JSON.parse(text === undefined ? String(item.output) : JSON.parse(text));
}

interface WorstRow {
  number: number;
  prompt: string;
  answer: string;
}

/** Checks, trains, looks at the worst rows, fixes the one that is wrong, trains again, tests and ships. */
function* improve(): Script {
  const { training } = (yield { name: 'check_data' }) as unknown as { training: { rows: number } };
  if (training.rows === 0) return 'There is no data.';
  const first = (yield { name: 'start_training', args: { name: 'before' } }) as unknown as { job: string };
  yield* followed(first.job);
  const { rows } = (yield { name: 'worst_rows', args: { job: first.job, count: 10 } }) as unknown as {
    rows: WorstRow[];
  };
  const labels = new Set(['bug', 'wish', 'question', 'praise']);
  const wrong = rows.filter(({ answer }) => !labels.has(answer));
  for (const { number } of wrong) yield { name: 'set_answer', args: { number, answer: 'bug' } };
  const second = (yield { name: 'start_training', args: { name: 'after' } }) as unknown as { job: string };
  yield* followed(second.job);
  const { passed } = (yield { name: 'test', args: { job: second.job } }) as unknown as { passed: boolean };
  if (!passed) return 'The tests fail.';
  const { comparison } = (yield {
    name: 'evaluate',
    args: { model: second.job, on: 'data/train.jsonl', against: first.job, limit: 8 },
  }) as unknown as { comparison: { scores: { verdict: string }[] } };
  if (comparison.scores[0]!.verdict === 'worse') return 'It is worse.';
  const { shipped } = (yield {
    name: 'ship',
    args: { slug: 'labels', job: second.job, on: 'data/train.jsonl', general: false },
  }) as unknown as { shipped: string | null };
  if (shipped === null) return 'It may not be served.';
  return `Shipped the job ${second.job}; fixed ${wrong.map(({ number }) => `row ${number}`).join(', ')}.`;
}

function* followed(job: string): Generator<Call, void, Record<string, never>> {
  for (;;) {
    const { isFinal, status } = (yield { name: 'follow_job', args: { job } }) as unknown as {
      isFinal: boolean;
      status: string;
    };
    if (isFinal && status !== 'completed') throw new Error(`The job ${status}.`);
    if (isFinal) return;
  }
}

it('lets an agent check, train, find and fix what is wrong, train again, test and ship', async () => {
  const server = new MCPServerStdio({
    ...{ name: 'svc', command: process.execPath, args: [bin, 'mcp', '--allow', 'all'], cwd },
    ...{ env: environment(), timeout: PATIENT_MS, clientSessionTimeoutSeconds: PATIENT_MS / 1000 },
  });
  await server.connect();
  onTestFinished(() => server.close());
  /** The agent's own: svc has no tool that writes files. */
  const setAnswer = tool({
    name: 'set_answer',
    description: 'Changes the answer of a row of data/train.jsonl',
    parameters: z.object({ number: z.number(), answer: z.string() }),
    async execute({ number, answer }) {
      const lines = (await readFile(data, 'utf8')).trim().split('\n');
      const row = JSON.parse(lines[number - 1]!);
      row.messages.at(-1).content = answer;
      lines[number - 1] = JSON.stringify(row);
      await writeFile(data, `${lines.join('\n')}\n`);
      return JSON.stringify({ number });
    },
  });
  const model = new ScriptedModel(improve);
  const agent = new Agent({ name: 'trainer', model, mcpServers: [server], tools: [setAnswer] });
  const runner = new Runner({ tracingDisabled: true });
  const { finalOutput } = await runner.run(agent, 'Make the labels better, and ship them.', {
    maxTurns: 60,
  });
  expect(finalOutput).toMatch(/^Shipped the job [0-9a-f-]{36}; fixed row 21\.$/);
  expect(await readFile(data, 'utf8')).not.toContain(WRONG);
  expect(model.calls.filter(name => name !== 'follow_job')).toEqual([
    ...[
      'check_data',
      'start_training',
      'worst_rows',
      'set_answer',
      'start_training',
      'test',
      'evaluate',
      'ship',
    ],
  ]);
  const { stdout } = await runProgram(['endpoints', 'list', '--json'], place);
  expect(JSON.parse(stdout).deployments).toMatchObject([{ slug: 'labels', authMode: 'fixed_api_key' }]);
});
