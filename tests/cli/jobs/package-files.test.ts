// The files of an adapter's npm package: what npm, people and programs read of it.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type PackageFacts,
  packageFiles,
  requirePackageName,
} from '../../../cli/commands/jobs/download/package-files.js';
import { defineTask, type PackagedAdapter, type TaskPrompt } from '../../../lib/index.js';
import { sampleKeptEvaluation } from '../../support/sample-evaluation.js';

const facts = (more: Partial<PackageFacts> = {}): PackageFacts => ({
  name: '@me/triage',
  artifact: { sha256: 'a'.repeat(64), kind: 'final', step: 40 },
  job: { id: '1a2b3c4d-0000-4000-8000-000000000001', name: 'triage' },
  task: null,
  baseModel: { name: 'svc/tiny', digest: 'b'.repeat(64), license: 'mit' },
  evaluations: [],
  enableThinking: undefined,
  svcVersion: '0.1.0',
  ...more,
});

const taskOf = (input: z.ZodType, output: z.ZodType, prompt?: TaskPrompt<never>) =>
  defineTask({ name: 'triage', input, output, ...(prompt && { prompt: prompt as never }) }).description;

/** What index.js exports, with what it hands to svc. */
async function load(given: PackageFacts) {
  const source = packageFiles(given)['index.js']!;
  const svc = toModule(
    'export const connectAdapter = (adapter, options) => ({ adapter, options }); export class TaskError {}',
  );
  const url = toModule(
    source
      .replaceAll("'svc'", JSON.stringify(svc))
      .replaceAll('import.meta.url', '"file:///package/index.js"'),
  );
  return (await import(url)) as {
    ask?: { adapter: PackagedAdapter };
    connect(options?: object): { adapter: PackagedAdapter; options: object };
  };
}

const toModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

describe('the package of an adapter', () => {
  it('has a package.json with its digest, base model and scores, and every file that it exports', () => {
    const { evaluation } = sampleKeptEvaluation();
    const files = packageFiles(facts({ evaluations: [evaluation] }));
    const { createdAt, data, scores } = evaluation;
    const content = JSON.parse(files['package.json']!);
    expect(content).toMatchObject({
      name: '@me/triage',
      license: 'SEE LICENSE IN LICENSE.md',
      peerDependencies: { svc: '>=0.1.0' },
      peerDependenciesMeta: { svc: { optional: true } },
      adapter: {
        sha256: 'a'.repeat(64),
        baseModel: 'svc/tiny',
        baseModelDigest: 'b'.repeat(64),
        baseModelLicense: 'mit',
        evaluations: [{ createdAt, data, scores }],
      },
    });
    const { types, default: main } = content.exports['.'];
    for (const path of [types, main]) expect(files).toHaveProperty([path.replace('./', '')]);
    expect(content.files).toEqual(['index.js', 'index.d.ts', 'adapter']);
  });

  it('says its scores and the license of its base model to people', () => {
    const { evaluation } = sampleKeptEvaluation();
    const files = packageFiles(facts({ evaluations: [evaluation] }));
    expect(files['README.md']).toContain('On held-out.jsonl, 40 rows, 2026-03-01:');
    expect(files['README.md']).toContain('| Accuracy | 85.0 % | 70.9 to 92.9 % | 40 |');
    expect(files['LICENSE.md']).toContain('It has the license mit, as its files say.');
    const unknown = packageFiles(facts({ baseModel: { name: 'a/b', digest: null, license: null } }));
    expect(unknown['LICENSE.md']).toContain('Its license is not known here.');
    expect(unknown['README.md']).not.toContain('## Scores');
  });

  it('asks texts without a task', async () => {
    const { ask } = await load(facts());
    expect(ask!.adapter).toEqual({
      name: '@me/triage',
      sha256: 'a'.repeat(64),
      baseModel: 'svc/tiny',
      baseModelDigest: 'b'.repeat(64),
      folder: new URL('file:///package/adapter/'),
    });
    const types = packageFiles(facts())['index.d.ts'];
    expect(types).toContain('export type Input = PlainQuestion;\n\nexport type Output = string;');
  });

  it('has the types of its task, whatever its names are', async () => {
    const labels = ['*/', "it's", 'a\u2028b', '`', '"'] as const;
    const task = taskOf(z.object({ __proto__: z.string(), 'a"b': z.string() }), z.enum(labels));
    const { ask, connect } = await load(facts({ task }));
    expect(ask!.adapter.task).toEqual(task);
    expect(connect({ temperature: 1 }).options).toEqual({ temperature: 1 });
    expect(packageFiles(facts({ task }))['index.d.ts']).toContain(
      `export type Output = ${['"*/"', '"it\'s"', '"a\\u2028b"', '"`"', '"\\""'].join(' | ')};`,
    );
  });

  it('says how its adapter was trained to think', async () => {
    const { ask } = await load(facts({ enableThinking: false }));
    expect(ask!.adapter.enableThinking).toBe(false);
    expect('enableThinking' in (await load(facts())).ask!.adapter).toBe(false);
  });

  it('takes a prompt that the description does not have', async () => {
    const task = taskOf(z.object({ a: z.string() }), z.string(), ({ a }: { a: string }) =>
      a.length > 3 ? 'long' : 'short',
    );
    expect(task.prompt).toBeUndefined();
    const { ask, connect } = await load(facts({ task }));
    expect(ask).toBeUndefined();
    const prompt = () => [];
    expect(connect({ prompt }).options).toEqual({ prompt });
    const files = packageFiles(facts({ task }));
    expect(files['index.d.ts']).toMatch(/connect\(options: .*Required<.*'prompt'>>\)/);
    expect(files['README.md']).toContain("import { connect } from '@me/triage';");
  });
});

describe('the name of a package', () => {
  const check = (name?: string) => requirePackageName({ values: { name } });

  it.each(['triage', '@me/triage', 'a.b_c-d', '@a-b/c', undefined])('may be %s', name => {
    expect(() => check(name)).not.toThrow();
  });

  it.each([
    '',
    'Triage',
    '@me',
    '@me/',
    'a b',
    '.a',
    '_a',
    '../a',
    'a/b',
    'svc',
    'node_modules',
    'a'.repeat(215),
  ])('may not be %j', name => {
    expect(() => check(name)).toThrow('must be the name of an npm package');
  });
});
