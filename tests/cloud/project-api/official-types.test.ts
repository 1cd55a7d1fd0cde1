// What a project's address answers, held against the clients' own types: for Node.js, `answers.snapshot.ts` has every answer and
// its type, and does not compile if one does not fit; the AI SDK reads them with its own schemas; and for Python, pydantic reads
// them strictly, where a Python has the clients.
import { execFile } from 'node:child_process';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AskKind, EngineError, type Piece, type TokenLogprob } from '../../../lib/engine/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { findPython } from '../../support/python.js';
import { until } from '../../support/until.js';
import { end, scriptedBackend, text, untilAborted } from '../backends/scripted-backend.js';
import type { OfficialCall } from './official-call.js';
import { CALLS } from './official-calls.js';
import { openProjectCloud, type ProjectCloud } from './project-cloud.js';
import { completeTuning, createTuning } from './tuning-jobs.js';

const scored = { id: 1, logprob: -0.5, bytes: Uint8Array.of(0x48) };
const H: TokenLogprob = { ...scored, top: [scored] };
const first = { ...text('H', [H]), promptUsage: { promptTokens: 5, cachedTokens: 0 } };
const call = { index: 0, name: 'look' };
const calling: Piece[] = [
  { text: '', tokenIds: [], call, arguments: '{"at":' },
  { text: '', tokenIds: [], call, arguments: '"x"}' },
  { ...end(5, 3), finishReason: 'tool_calls' },
];
const thinking: Piece[] = [
  { text: '', tokenIds: [], thought: 'Let me ', promptUsage: { promptTokens: 5, cachedTokens: 0 } },
  { text: '', tokenIds: [], thought: 'see.' },
];
const echoed = { text: 'hi', tokenIds: [1], logprobs: [{ ...H, logprob: null }], isPrompt: true };

const MISHAPS: Record<string, () => void> = {
  busy: () => raise(new EngineError('engine_busy', 'Too many requests are waiting.')),
  restart: () => raise(new EngineError('engine_unavailable', 'The engine is starting again.')),
  break: () => raise(new Error('Broken.')),
  tomorrow() {
    cloud.clock.at += 24 * 3600 * 1000;
    raise(new EngineError('invalid_value', 'Too late.'));
  },
};
const LATE_MISHAPS: Record<string, (signal: AbortSignal) => Promise<never> | never> = {
  wait: untilAborted,
  fail: () => raise(new Error('Broken.')),
};

function raise(error: Error): never {
  throw error;
}

interface Asked {
  messages?: { content: string }[];
  tools?: object;
  echo?: boolean;
  stop?: string[];
}

/** Answers each kind of question in its form. The last message may ask for a mishap. */
const backend = {
  ...scriptedBackend(() => ({}) as never),
  async *ask(kind: AskKind, task: object, signal: AbortSignal): AsyncGenerator<never> {
    const { messages, tools, echo, stop } = task as Asked;
    const word = messages?.at(-1)?.content ?? '';
    MISHAPS[word]?.();
    if (LATE_MISHAPS[word]) {
      yield first as never;
      await LATE_MISHAPS[word](signal);
    }
    const ending = stop
      ? { ...end(5, 2), stopSequence: stop[0] }
      : end(5, 2, word === 'cut' ? 'length' : 'stop');
    const usage = { ...ending.usage, thoughtTokens: 4, completionTokens: 6 };
    const plain = [...(echo ? [echoed] : []), first, text('i', [H]), ending];
    const thought = [...thinking, text('Hi'), { ...ending, usage }];
    const cutThought = [...thinking, { ...ending, finishReason: 'length' as const, usage }];
    const scripts = { think: thought, thinkLong: cutThought };
    const said = tools ? calling : (scripts[word as keyof typeof scripts] ?? plain);
    const values = { embed: [{ values: Float32Array.of(0.6, 0.8), promptTokens: 1 }], encode: [[1, 2, 3]] };
    yield* (values[kind as keyof typeof values] ?? said) as never[];
  },
};

interface Captured {
  status: number;
  headers: Headers;
  text: string;
  /** The body, the items of a list, or the data of a stream's events. */
  values: unknown[];
}

let cloud: ProjectCloud;
let ids: Record<string, string>;
const answers = new Map<OfficialCall, Captured>();
beforeAll(async () => {
  cloud = await openProjectCloud({ backend });
  cloud.clock.at = Date.UTC(2026, 0, 1);
  ids = await runJobs();
  for (const one of CALLS) {
    const captured = await capture(one);
    answers.set(one, captured);
    ids[one.name] ??= idOf(captured.values[0]);
  }
}, JOURNEY_TIMEOUT_MS);
afterAll(() => cloud.close());

/** A job that succeeds, one that fails, and one that runs. */
async function runJobs() {
  const { id: job, training_file } = await createTuning(cloud, { suffix: 'sample', metadata: { a: 'b' } });
  await completeTuning(cloud, job);
  const { fine_tuned_model, result_files } = await cloud.openai.fineTuning.jobs.retrieve(job);
  const { id: failedJob } = await createTuning(cloud);
  (await cloud.runner.next()).fail('The loss is not a number.');
  const { id: runningJob } = await createTuning(cloud);
  (await cloud.runner.next()).started();
  const statusOf = async (id: string) => (await cloud.openai.fineTuning.jobs.retrieve(id)).status;
  await until(() => statusOf(failedJob)).toBe('failed');
  await until(() => statusOf(runningJob)).toBe('running');
  return {
    job,
    file: training_file,
    results: result_files[0]!,
    tuned: fine_tuned_model!,
    failedJob,
    runningJob,
  };
}

/** A stream's first event has it within. */
function idOf(value: unknown): string {
  const { id, response } = (value ?? {}) as { id?: string; response?: { id: string } };
  return id ?? response?.id ?? '';
}

async function capture(call: OfficialCall): Promise<Captured> {
  let captured = await ask(call);
  if (call.until !== undefined)
    await until(async () => {
      captured = await ask(call);
      return (captured.values[0] as { status: string }).status;
    }).toBe(call.until);
  return captured;
}

async function ask({ method, path, body, fields, file, headers, form }: OfficialCall): Promise<Captured> {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? raise(new Error(name)));
  const response = await cloud.send(fill(path), {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    body: file ? toForm(file, fields!) : body && fill(JSON.stringify(body)),
  } as RequestInit);
  const [{ status }, text] = [response, await response.text()];
  return { status, headers: response.headers, text, values: readValues(text, form) };
}

function readValues(text: string, form: OfficialCall['form']): unknown[] {
  if (form === 'events') return readEvents(text);
  const read = JSON.parse(text) as { data: unknown[]; error: unknown };
  if (form === 'page') return read.data;
  return [form === 'error' ? read.error : read];
}

function toForm(
  [field, content]: readonly [string, string],
  fields: { readonly [name: string]: string },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(field, new File([content], 'a.jsonl'));
  return form;
}

/** Clients read neither the mark at the end nor Anthropic's pings. */
function readEvents(stream: string): unknown[] {
  const data = stream.split('\n').flatMap(line => /^data: (\{.*)/.exec(line)?.[1] ?? []);
  return data.map(line => JSON.parse(line)).filter(({ type }) => type !== 'ping');
}

const HEAD = `// Answers as a cloud gave them, written by official-types.test.ts. Compiles only if the clients' own types accept each of them.
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';

/** Without what the client adds. More fields than the types have are fine: they do not know all of the API's. */
type Wire<T> = T extends readonly (infer Item)[]
  ? readonly Wire<Item>[]
  : T extends object
    ? { readonly [Name in keyof T as Name extends 'output_text' ? never : Name]: Wire<T[Name]> }
    : T;

/** The API sends null before the end, which the types do not know. */
type TextChunk = Omit<OpenAI.Completion, 'usage' | 'choices'> & {
  usage: OpenAI.CompletionUsage | null;
  choices: (Omit<OpenAI.CompletionChoice, 'finish_reason'> & {
    finish_reason: OpenAI.CompletionChoice['finish_reason'] | null;
  })[];
};

/** The first token of a text has no probability, which the types do not know. */
type EchoedText = Omit<OpenAI.Completion, 'choices'> & {
  choices: (Omit<OpenAI.CompletionChoice, 'logprobs'> & {
    logprobs: Omit<OpenAI.CompletionChoice.Logprobs, 'token_logprobs' | 'top_logprobs'> & {
      token_logprobs: (number | null)[];
      top_logprobs: (Record<string, number> | null)[];
    };
  })[];
};

/** The messages that a chat completion answers are those of a user, too. */
type StoredMessage = Pick<OpenAI.ChatCompletionStoreMessage, 'id' | 'content' | 'content_parts'> & { role: string };

/** A purpose that the API takes, and its type does not know. */
type EvalFile = Omit<OpenAI.FileObject, 'purpose'> & { purpose: OpenAI.FilePurpose };

declare function accept<T>(answers: readonly Wire<T>[]): void;

`;

/**
 * A line for each. IDs are drawn, trainers and graders have the time, files have messages in them, and a batch that was just
 * cancelled counts its running request or not yet.
 */
function write(values: readonly unknown[]): string {
  const lines = values.map(value => `  ${JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ')},\n`);
  return `[\n${lines.join('')}]`
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/(?<=_|-)[0-9a-f]{32}/g, '0'.repeat(32))
    .replace(/anon-\w{6}/g, 'anon-000000')
    .replace(/(?<=_at": )\d+/g, '1767225600')
    .replace(/(?<="bytes": )\d+/g, '100')
    .replace(/(?<="execution_time": )[\d.e-]+/g, '0')
    .replace(/(?<="cancelling".*"failed": )\d/g, '0');
}

it('has the types of the clients for Node.js', async () => {
  const written = [...answers].map(
    ([{ name, node }, { values }]) =>
      `const ${name} = ${write(values)} as const;\naccept<${node}>(${name});\n`,
  );
  await expect(`${HEAD}${written.join('\n')}`).toMatchFileSnapshot('./answers.snapshot.ts');
});

it('has answers to look at, with the status that each should have', () => {
  const found = [...answers].map(([{ name }, { status, values }]) => [name, status, values.length > 0]);
  expect(found).toEqual([...answers.keys()].map(({ name, status = 200 }) => [name, status, true]));
});

it('has errors that the clients understand', () => {
  for (const [{ form, name, status = 200 }, { headers, values }] of answers) {
    if (status < 400) continue;
    const [said] = values as [
      { message: string; code: string } & { error: { message: string; type: string } },
    ];
    if (form === 'error') {
      const error = OpenAI.APIError.generate(status, { error: said }, undefined, headers);
      expect(error, name).toMatchObject({ ...said, status, message: `${status} ${said.message}` });
      expect(error.requestID, name).toEqual(expect.any(String));
    } else {
      const error = Anthropic.APIError.generate(status, said, undefined, headers);
      expect(error, name).toMatchObject({ status, type: said.error.type });
      expect(error.requestID, name).toEqual(expect.any(String));
    }
  }
});

const MODELS: Record<string, 'chat' | 'completion' | 'responses'> = {
  '/chat/completions': 'chat',
  '/completions': 'completion',
  '/responses': 'responses',
};

it('is read by the AI SDK, whose own schemas check each answer and event', async () => {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }];
  for (const [{ name, path, body, form, status, node }, { text }] of answers) {
    const kind = MODELS[path];
    // It does not know the missing probability of a text's first token either.
    if (!kind || !body || status !== undefined || node === 'EchoedText') continue;
    const headers = { 'content-type': form === 'events' ? 'text/event-stream' : 'application/json' };
    const model = createOpenAI({ apiKey: 'x', fetch: async () => new Response(text, { headers }) })[kind](
      'x',
    );
    if (form !== 'events') expect(await model.doGenerate({ prompt }), name).toBeDefined();
    else {
      const types: string[] = [];
      for await (const { type } of (await model.doStream({ prompt })).stream) types.push(type);
      expect([name, types.includes('error')]).toEqual([name, /failing/i.test(name)]);
    }
  }
});

const SCRIPT = `
import importlib, json, sys
from pydantic import TypeAdapter
for type_name, name, values in json.load(sys.stdin):
    module, _, attribute = type_name.rpartition(".")
    adapter = TypeAdapter(getattr(importlib.import_module(module), attribute))
    for value in values:
        try:
            adapter.validate_json(json.dumps(value), strict=True)
        except ValueError as error:
            print(name, type_name, str(error)[:1000], json.dumps(value)[:1000])
`;

const python = await findPython('openai', 'anthropic');

it.skipIf(python === null)('has the types of the clients for Python', { timeout: 60_000 }, async () => {
  const given = [...answers].flatMap(([{ name, python: type }, { values }]) =>
    type ? [[type, name, values]] : [],
  );
  const problems = await new Promise<string>((resolve, reject) => {
    const child = execFile(python!, ['-c', SCRIPT], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin!.end(JSON.stringify(given));
  });
  expect(problems).toBe('');
});
