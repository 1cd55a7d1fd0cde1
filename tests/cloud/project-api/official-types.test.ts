// What a project's address answers, held against the clients' own types: for Node.js, `answers.snapshot.ts` has every answer and
// its type, and does not compile if one does not fit; for Python, pydantic reads them strictly, where a Python has the clients.
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AskKind, Piece, TokenLogprob } from '../../../lib/engine/index.js';
import { findPython } from '../../support/python.js';
import { end, scriptedBackend, text } from '../backends/scripted-backend.js';
import { CALLS, type OfficialCall } from './official-calls.js';
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
const echoed = { text: 'hi', tokenIds: [1], logprobs: [{ ...H, logprob: null }], isPrompt: true };

/** Answers each kind of question in its form. */
const backend = {
  ...scriptedBackend(() => ({}) as never),
  async *ask(kind: AskKind, task: object): AsyncGenerator<never> {
    const { tools, echo, stop } = task as { tools?: object; echo?: boolean; stop?: string[] };
    const ending = stop ? { ...end(5, 2), stopSequence: stop[0] } : end(5, 2, 'length');
    const said = tools ? calling : [...(echo ? [echoed] : []), first, text('i', [H]), ending];
    const values = { embed: [{ values: Float32Array.of(0.6, 0.8), promptTokens: 1 }], encode: [[1, 2, 3]] };
    yield* (values[kind as keyof typeof values] ?? said) as never[];
  },
};

let cloud: ProjectCloud;
let ids: Record<string, string>;
const answers = new Map<OfficialCall, unknown[]>();
beforeAll(async () => {
  cloud = await openProjectCloud({ backend });
  cloud.clock.at = Date.UTC(2026, 0, 1);
  const { id, training_file } = await createTuning(cloud, { suffix: 'sample', metadata: { a: 'b' } });
  await completeTuning(cloud, id);
  const line = { custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: 'test/model' } };
  const batch = new File([JSON.stringify(line)], 'requests.jsonl');
  const requests = await cloud.openai.files.create({ file: batch, purpose: 'batch' });
  ids = { job: id, file: training_file, requests: requests.id };
  for (const one of CALLS) {
    const values = await capture(one);
    answers.set(one, values);
    ids[one.name] ??= (values[0] as { id?: string }).id ?? '';
  }
});
afterAll(() => cloud.close());

/** An answer's body, the items of a list, or the data of a stream's events. */
async function capture({ path, body, headers, form }: OfficialCall): Promise<unknown[]> {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  const json = { 'content-type': 'application/json' };
  const post = body && { method: 'POST', body: fill(JSON.stringify(body)) };
  const response = await cloud.send(fill(path), { ...post, headers: { ...(body && json), ...headers } });
  const read = form === 'events' ? readEvents(await response.text()) : await response.json();
  return form === undefined
    ? [read]
    : form === 'page'
      ? (read as { data: unknown[] }).data
      : (read as unknown[]);
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

declare function accept<T>(answers: readonly Wire<T>[]): void;

`;

/** IDs are drawn, and trainers have the time of day. */
function write(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/(?<=_|-)[0-9a-f]{32}/g, '0'.repeat(32))
    .replace(/anon-\w{6}/g, 'anon-000000')
    .replace(/(?<=_at": )\d+/g, '1767225600');
}

it('has the types of the clients for Node.js', async () => {
  const written = [...answers].map(
    ([{ name, node }, values]) => `const ${name} = ${write(values)} as const;\naccept<${node}>(${name});\n`,
  );
  await expect(`${HEAD}${written.join('\n')}`).toMatchFileSnapshot('./answers.snapshot.ts');
  expect([...answers.values()].every(values => values.length > 0)).toBe(true);
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
  const given = [...answers].flatMap(([{ name, python: type }, values]) =>
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
