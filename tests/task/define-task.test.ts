// What a task is, from the program's own schemas: of zod 4 in its kinds, or of another library.
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod/v3';
import { defineTask, type SchemaInput, type SchemaOutput, type TaskError } from '../../lib/index.js';

const labels = z.enum(['bug', 'wish']);
const invoice = z.object({
  total: z.number().min(0),
  currency: z.enum(['EUR', 'USD']),
  note: z.string().optional(),
  paid: z.boolean().nullable(),
  lines: z.array(z.object({ name: z.string(), count: z.int() })),
  buyer: z.object({ name: z.string() }),
});

const taskOf = (output: z.ZodType) => defineTask({ name: 'sample', input: z.string(), output });
const described = (output: z.ZodType) => {
  const { kind, labels: found, fields } = taskOf(output).description;
  return { kind, ...(found && { labels: found }), ...(fields && { fields }) };
};

describe('the answers of a task', () => {
  it('are labels', () => {
    expect(described(labels)).toEqual({ kind: 'labels', labels: ['bug', 'wish'] });
    expect(described(z.literal('only'))).toEqual({ kind: 'labels', labels: ['only'] });
    const union = z.union([z.literal('質問'), z.enum(['app', 'apple'])]);
    expect(described(union)).toEqual({ kind: 'labels', labels: ['質問', 'app', 'apple'] });
  });

  it('are texts', () => {
    expect(described(z.string().max(9))).toEqual({ kind: 'text' });
  });

  it('are objects with fields, each of a type', () => {
    expect(described(invoice).fields).toEqual([
      { name: 'total', type: 'number' },
      { name: 'currency', type: 'label', labels: ['EUR', 'USD'] },
      { name: 'note', type: 'text', optional: true },
      { name: 'paid', type: 'boolean', nullable: true },
      { name: 'lines', type: 'list' },
      { name: 'buyer', type: 'object' },
    ]);
  });

  it('are objects of several kinds, whose fields are those of all', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('order'), id: z.int() }),
      z.object({ kind: z.literal('other'), id: z.string(), text: z.string() }),
    ]);
    expect(described(union).fields).toEqual([
      { name: 'kind', type: 'label', labels: ['order', 'other'] },
      { name: 'id', type: 'any' },
      { name: 'text', type: 'text', optional: true },
    ]);
  });

  it('have no fields but their own', () => {
    const { output } = taskOf(invoice).description;
    expect(output).toMatchObject({
      additionalProperties: false,
      properties: { buyer: { additionalProperties: false } },
    });
    expect(taskOf(z.looseObject({ a: z.string() })).description.output.additionalProperties).toEqual({});
  });
});

describe('schemas', () => {
  it('may be of zod/mini, or of a version without converters of its own', () => {
    const output = mini.object({ kind: mini.enum(['a', 'b']) });
    const { description } = defineTask({ name: 'm', input: mini.string(), output });
    expect(description.fields).toEqual([{ name: 'kind', type: 'label', labels: ['a', 'b'] }]);
  });

  it('may be of any library of the Standard Schema that writes JSON Schema', async () => {
    const given = {
      '~standard': {
        version: 1 as const,
        vendor: 'mine',
        types: undefined as { input: string; output: number } | undefined,
        validate: (value: unknown) => ({ value: String(value).length }),
        jsonSchema: { input: () => ({ type: 'string' }) },
      },
    };
    const task = defineTask({ name: 'm', input: given, output: labels, prompt: length => `${length + 1}` });
    expect(await task.toMessages('four')).toEqual([{ role: 'user', content: '5' }]);
  });

  it.each<[string, () => unknown]>([
    ['`input` must be a schema, such as `z.object({ … })` of zod 4.', () => ({ input: undefined })],
    ['`output` must be a schema', () => ({ output: { type: 'string' } })],
    ['`output` is a schema of zod 3', () => ({ output: z3.object({ a: z3.string() }) })],
    ['`output` cannot be written as JSON Schema: Date', () => ({ output: z.object({ at: z.date() }) })],
    ['`input` cannot be written as JSON Schema: BigInt', () => ({ input: z.bigint() })],
    ['`output` must be an object with fields, an enum of texts or a text', () => ({ output: z.number() })],
    ['`output` must be an object', () => ({ output: z.array(z.string()) })],
    ['`output` must be an object', () => ({ output: z.literal([1, 2]) })],
    ['the label " a" of `output`', () => ({ output: z.enum([' a', 'b']) })],
    ['the label "" of `output`', () => ({ output: z.enum(['', 'b']) })],
    ['`name` must have at least 1 character', () => ({ name: '' })],
    ['`labels` must have at most 1000 entries', () => ({ output: z.enum(many(1001)) })],
    ['unknown option `prompts`', () => ({ prompts: () => '' })],
    ['`prompt` must be a function', () => ({ prompt: 'Say it' })],
  ])('are refused: %s', (message, options) => {
    const given = { name: 'sample', input: z.string(), output: labels, ...(options() as object) };
    expect(() => defineTask(given as never)).toThrow(message);
    expect(() => defineTask(given as never)).toThrow(/^defineTask: /);
  });

  it('may have a thousand labels', () => {
    expect(taskOf(z.enum(many(1000))).description.labels).toHaveLength(1000);
  });
});

const many = (count: number) => Array.from({ length: count }, (_, index) => `label ${index}`);

describe('what a task asks', () => {
  const input = z.object({ subject: z.string(), urgent: z.boolean().default(false) });

  it('is the input, unless it has a prompt', async () => {
    expect(await taskOf(labels).toMessages('Hi')).toEqual([{ role: 'user', content: 'Hi' }]);
    const task = defineTask({ name: 't', input, output: labels });
    expect(await task.toMessages({ subject: 'Hi' })).toEqual([
      { role: 'user', content: '{"subject":"Hi","urgent":false}' },
    ]);
  });

  it('is what the prompt writes of a checked input', async () => {
    const prompt = ({ subject, urgent }: { subject: string; urgent: boolean }) => [
      { role: 'system' as const, content: 'Triage.' },
      { role: 'user' as const, content: `${urgent ? '! ' : ''}${subject}` },
    ];
    const task = defineTask({ name: 't', input, output: labels, prompt });
    expect(await task.toMessages({ subject: 'Hi', urgent: true })).toEqual(
      prompt({ subject: 'Hi', urgent: true }),
    );
    const fault = await task.toMessages({ subject: 7 } as never).catch((error: TaskError) => error);
    expect(fault).toMatchObject({ name: 'TaskError', code: 'input_invalid' });
    expect((fault as TaskError).message).toContain('`input.subject`: ');
  });

  it('must be a text or messages', async () => {
    const task = defineTask({ name: 't', input, output: labels, prompt: () => 7 as never });
    await expect(task.toMessages({ subject: 'x' })).rejects.toThrow('The `prompt` of the task t must return');
  });
});

describe('what a model should answer', () => {
  it('is a label or a text as it is', async () => {
    expect(await taskOf(labels).toAnswer('bug')).toBe('bug');
    expect(await taskOf(z.string()).toAnswer('"a"\n')).toBe('"a"\n');
    await expect(taskOf(labels).toAnswer('bugs')).rejects.toThrow('`output`: ');
  });

  it('is JSON with the fields in the order of the schema, and no others', async () => {
    const output = z.object({ b: z.string(), a: z.array(z.object({ y: z.int(), x: z.int().optional() })) });
    const value = { a: [{ x: 1, y: 2, z: 3 }, { y: 4 }], c: 1, b: 'é' };
    expect(await taskOf(output).toAnswer(value)).toBe('{"b":"é","a":[{"y":2,"x":1},{"y":4}]}');
  });

  it('is JSON of the part of a union that it fits', async () => {
    const output = z.union([
      z.object({ kind: z.literal('a'), x: z.int() }),
      z.object({ x: z.int(), kind: z.literal('b') }),
    ]);
    expect(await taskOf(output).toAnswer({ kind: 'b', x: 1 })).toBe('{"x":1,"kind":"b"}');
    expect(await taskOf(output).toAnswer({ x: 1, kind: 'a' })).toBe('{"kind":"a","x":1}');
  });

  it('is read back, or said not to fit', async () => {
    expect(await taskOf(labels).readAnswer(' wish\n')).toBe('wish');
    const task = taskOf(z.object({ at: z.string().transform(text => text.length) }));
    expect(await task.readAnswer('{"at": "four"}')).toEqual({ at: 4 });
    await expect(taskOf(labels).readAnswer('bug!')).rejects.toThrow('"bug!" is not one of its 2 labels.');
    await expect(task.readAnswer('{"at"')).rejects.toThrow('"{\\"at\\"" is not JSON.');
    await expect(task.readAnswer('{"at": 1}')).rejects.toThrow('`at`: ');
  });
});

it('types follow the schemas', () => {
  const input = z.object({ n: z.string().transform(Number), tags: z.array(z.string()).default([]) });
  const task = defineTask({
    name: 't',
    input,
    output: labels,
    prompt(given) {
      expectTypeOf(given).toEqualTypeOf<{ n: number; tags: string[] }>();
      return String(given.n);
    },
  });
  expectTypeOf(task.toMessages).parameter(0).toEqualTypeOf<{ n: string; tags?: string[] | undefined }>();
  expectTypeOf(task.readAnswer).returns.resolves.toEqualTypeOf<'bug' | 'wish'>();
  expectTypeOf<SchemaOutput<typeof invoice>['paid']>().toEqualTypeOf<boolean | null>();
  expectTypeOf<SchemaInput<typeof labels>>().toEqualTypeOf<'bug' | 'wish'>();
  // @ts-expect-error: a label that is not there
  void task.toAnswer('bugs').catch(() => {});
});
