// Clients for projects without svc: TypeScript takes them under `--strict`, whatever names a task has, and they ask as
// `connectTask` does.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { toSafeText } from '../../lib/console/index.js';
import { defineTask, type TaskPrompt } from '../../lib/index.js';
import { writeClient } from '../../lib/task/index.js';
import { toType } from '../../lib/task/schema-types.js';
import { scriptedEndpoint } from './scripted-endpoint.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const strict: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, verbatimModuleSyntax: true },
  ...{ lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [] },
  // TypeScript's own declarations would take it most of the time.
  skipDefaultLibCheck: true,
};

let count = 0;
const compiled: string[] = [];

/** A program that uses a client, for TypeScript to check with all others: to start it takes seconds. */
async function add(client: string, program: string): Promise<void> {
  const own = `${count++}`;
  const file = (name: string) => join(folder, `${own}-${name}.mts`);
  await writeFile(file('client'), client);
  await writeFile(file('program'), program.replaceAll('./client', `./${own}-client.mjs`));
  compiled.push(file('client'), file('program'));
}

const url = 'http://localhost:4100/d/triage';
const clientOf = (input: z.ZodType, output: z.ZodType, prompt?: TaskPrompt<never>, name = 'triage') => {
  const { description } = defineTask({ name, input, output, ...(prompt && { prompt: prompt as never }) });
  return writeClient({ slug: 'triage', url, task: description, folder: 'lib/task/client' });
};

/** Runs a client, and returns its exports. */
async function load(client: string): Promise<{ connect(options: object): Ask }> {
  const path = join(folder, `${count++}.mjs`);
  await writeFile(path, (await transform(client, { loader: 'ts', format: 'esm' })).code);
  return import(pathToFileURL(path).href);
}

interface Ask {
  (input: unknown): Promise<unknown>;
  withProbabilities(input: unknown): Promise<{ probabilities: Record<string, number> }>;
}

const HOSTILE = [
  'class',
  'await',
  '__proto__',
  'constructor',
  'a"b',
  "it's",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as hostile as names can be
  '`${x}`',
  '*/',
  '\u2028',
  '質問',
  '',
  '1a',
  '\\',
];
const hostile = z.object(Object.fromEntries(HOSTILE.map(name => [name, z.enum([`${name}"`, '*/ // `${'])])));

// The one that compiles them all comes after those that make them.
describe('the client of an endpoint', { timeout: 120_000, shuffle: false }, () => {
  it('has the types of its task', async () => {
    const input = z.object({ subject: z.string(), tags: z.array(z.string()).optional() });
    const client = await clientOf(input, z.enum(['bug', 'wish']));
    const program = `
      import { connect, TaskError, type Output } from './client';
      const triage = connect({ apiKey: 'k', fetch });
      const label: 'bug' | 'wish' = await triage({ subject: 'x' }, { signal: new AbortController().signal });
      const all: Output[] = [label, 'bug'];
      const { output, probabilities } = await triage.withProbabilities({ subject: 'x', tags: ['a'] });
      const p: number | undefined = probabilities[output];
      export default [all, p, TaskError];
      // @ts-expect-error
      await triage({ subjct: 'x' });
      // @ts-expect-error
      const wrong: 'other' = await triage({ subject: 'x' });
      export { wrong };`;
    await add(client, program);
  });

  it('takes names that are no identifiers, or mean something in source text', async () => {
    // zod drops the field __proto__, so the prompt has the others.
    const names = HOSTILE.filter(name => name !== '__proto__');
    const prompt = (input: Record<string, string>) => names.map(name => input[name]).join('\n');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as hostile as names can be
    const client = await clientOf(hostile, hostile, prompt as TaskPrompt<never>, 'a */ `${b}` "c"');
    const program = `
      import { connect, type Input } from './client';
      const ask = connect();
      declare const input: Input;
      const output = await ask(input);
      export const values: string[] = [output.class, output['constructor'], output['a"b'], output['質問'], output['']];`;
    await add(client, program);
    const { connect } = await load(client);
    const value = Object.fromEntries(HOSTILE.map(name => [name, `${name}"`]));
    const fetch = async () =>
      Response.json({ choices: [{ message: { content: JSON.stringify(value) }, finish_reason: 'stop' }] });
    expect(JSON.stringify(await connect({ fetch })(value))).toBe(JSON.stringify(value));
    await expect(connect({ fetch })({ ...value, more: 1 })).rejects.toThrow('must not have "more"');
  });

  it('is the same after it was printed, whatever invisible characters a task has', async () => {
    const invisible = '\u00ad\u061c\u200b\u200e\u2028\u2060\u206f\ufeff\ufff9\u{e0041}';
    const labels = [`a${invisible}`, 'a'];
    const prompt = ((text: string) => `\u0085${invisible}> ${text}`) as TaskPrompt<never>;
    const client = await clientOf(z.string(), z.enum(labels), prompt, 'tri\u00adage');
    expect(toSafeText(client)).toBe(client);
    const endpoint = scriptedEndpoint([
      [[labels[0]!], 0.75],
      [['a'], 0.25],
    ]);
    const ask = (await load(client)).connect({ fetch: endpoint.fetch });
    expect(Object.keys((await ask.withProbabilities('x')).probabilities)).toEqual(labels);
    expect(endpoint.requests[0]!.messages).toEqual([{ role: 'user', content: `\u0085${invisible}> x` }]);
  });

  it('asks where the endpoint was, unless it is told another place', async () => {
    const client = await clientOf(z.string(), z.string(), ((text: string) => text) as TaskPrompt<never>);
    await add(
      client,
      `import { connect } from './client'; connect({ baseURL: undefined as string | undefined });`,
    );
    const { connect } = await load(client);
    const asked: string[] = [];
    const fetch = async (address: string | URL | Request) => {
      asked.push(String(address));
      return Response.json({ choices: [{ message: { content: '"x"' }, finish_reason: 'stop' }] });
    };
    await connect({ fetch, baseURL: undefined })('x');
    await connect({ fetch, baseURL: 'http://localhost:1/v1' })('x');
    expect(asked.map(address => new URL(address).port)).toEqual(['4100', '1']);
  });

  it('takes more than the fields that an open object names', async () => {
    const input = z.looseObject({ a: z.number().optional() });
    const client = await clientOf(
      input,
      z.string(),
      (({ a }: { a: string }) => `> ${a}`) as TaskPrompt<never>,
    );
    const program = `
      import { connect } from './client';
      await connect()({ a: 1, more: 'x' });
      // @ts-expect-error
      await connect()({ a: 'x' });`;
    await add(client, program);
  });

  it('needs the prompt where that does more than putting values into texts', async () => {
    const client = await clientOf(z.string(), z.string(), ((text: string) => text.toUpperCase()) as never);
    const program = `
      import { connect } from './client';
      export const ask = connect({ prompt: input => [{ role: 'user', content: input.toUpperCase() }] });
      // @ts-expect-error
      connect();`;
    await add(client, program);
  });

  it('asks what the task asks, and reads answers as it does', async () => {
    const prompt = (({ a, by }: { a: string; by: string }) => [
      { role: 'system', content: `Sort by ${by}.` },
      { role: 'user', content: `> ${a}` },
    ]) as TaskPrompt<never>;
    const input = z.object({ a: z.string(), by: z.string().default('kind') });
    const client = await clientOf(input, z.enum(['bug', 'bugs', 'wish']), prompt);
    const endpoint = scriptedEndpoint([
      [['bug'], 0.5],
      [['bug', 's'], 0.2],
      [['wish'], 0.3],
    ]);
    const triage = (await load(client)).connect({ fetch: endpoint.fetch });
    const { probabilities } = await triage.withProbabilities({ a: '"x"' });
    expect(probabilities.bugs).toBeCloseTo(0.2, 6);
    expect(await triage({ a: '"x"' })).toBe('bug');
    expect(endpoint.requests[0]!.messages).toEqual([
      { role: 'system', content: 'Sort by kind.' },
      { role: 'user', content: '> "x"' },
    ]);
    await expect(triage({ a: 1 })).rejects.toThrow('a must be string, not number');
  });

  it('is strict TypeScript, also for all of these', () => {
    const complaints = ts
      .getPreEmitDiagnostics(ts.createProgram(compiled, strict))
      .map(
        ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
      );
    expect(compiled).toHaveLength(10);
    expect(complaints).toEqual([]);
  });

  it('names the endpoint, and imports nothing', async () => {
    const client = await clientOf(z.string(), z.string());
    expect(client).toContain('http://localhost:4100/d/triage/v1');
    expect(client).not.toMatch(/^import |^export .* from /m);
  });
});

describe('the type of a schema', () => {
  it.each<[z.ZodType, string]>([
    [z.union([z.string(), z.number()]), 'string | number'],
    [z.array(z.union([z.string(), z.null()])), '(string | null)[]'],
    [z.tuple([z.string(), z.int()]), '[string, number]'],
    [z.record(z.string(), z.boolean()), 'Record<string, boolean>'],
    [
      z.object({ a: z.string().nullable(), b: z.literal(1).optional() }),
      '{\n  a: string | null;\n  b?: 1 | undefined;\n}',
    ],
    [z.object({ a: z.string() }), '{\n  a: string;\n}'],
    [z.strictObject({ a: z.string() }), '{\n  a: string;\n}'],
    [z.looseObject({ a: z.string() }), '{\n  a: string;\n  [name: string]: unknown;\n}'],
    [z.object({ a: z.string() }).catchall(z.number()), '{\n  a: string;\n  [name: string]: unknown;\n}'],
    [z.any(), 'unknown'],
    [z.literal(['\u2028', 'x']), '"\\u2028" | "x"'],
  ])('%#', (schema, type) => {
    expect(toType(z.toJSONSchema(schema, { io: 'input' }))).toBe(type);
  });

  it('ends where it contains itself', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const type = '{\n  name: string;\n  children: unknown[];\n}';
    expect(toType(z.toJSONSchema(tree))).toBe(type);
    expect(toType(z.toJSONSchema(z.array(tree)))).toBe(`${type}[]`);
    const call: z.ZodType = z.lazy(() => z.object({ a: call.optional(), b: call.optional(), c: call }));
    expect(toType(z.toJSONSchema(call)).length).toBeLessThan(100);
  });
});
