// The schemas of a task are the program's own: zod 4 or another library of the Standard Schema, of any version. What a schema
// says is read from the schema itself, so this package's zod and the program's may differ.
import * as z from 'zod/mini';
import { OptionError } from '../contract/index.js';

/** Standard Schema, as far as tasks need it: https://standardschema.dev. */
export interface TaskSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Checked<Output> | Promise<Checked<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type Checked<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What callers pass. */
export type SchemaInput<Schema extends TaskSchema> = NonNullable<Schema['~standard']['types']>['input'];

/** What comes out of the schema. */
export type SchemaOutput<Schema extends TaskSchema> = NonNullable<Schema['~standard']['types']>['output'];

export type JsonSchema = Record<string, unknown>;

const TARGET = 'draft-2020-12';

/** The JSON Schema of what may be passed to a schema. Throws an `OptionError` that says why there is none. */
export function toJsonSchema(schema: unknown, option: string): JsonSchema {
  const fail = (what: string, cause?: unknown): never => {
    throw new OptionError(`defineTask: \`${option}\` ${what}`, { cause });
  };
  if (!isSchema(schema)) {
    if (isZod3(schema)) fail(OLD_ZOD);
    return fail('must be a schema, such as `z.object({ … })` of zod 4.');
  }
  if (isZod3(schema)) fail(OLD_ZOD);
  try {
    const { $schema: _, '~standard': __, ...written } = convert(schema);
    return structuredClone(closeObjects(written)) as JsonSchema;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return fail(`cannot be written as JSON Schema: ${reason.replace(/\.$/, '')}.`, cause);
  }
}

const OLD_ZOD =
  'is a schema of zod 3, which cannot be written as JSON Schema. Install zod 4: npm install zod@4';

function isSchema(value: unknown): value is TaskSchema {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as Partial<TaskSchema>)['~standard']?.validate === 'function'
  );
}

function isZod3(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '_def' in value && !('_zod' in value);
}

interface Convertible {
  '~standard': { jsonSchema?: { input(options: { target: string }): JsonSchema } };
}

/** By the schema's own converter, which zod has since 4.2. Older versions and zod/mini are read with this package's zod. */
function convert(schema: TaskSchema): JsonSchema {
  const own = (schema as unknown as Convertible)['~standard'].jsonSchema;
  if (own) return own.input({ target: TARGET });
  if ('_zod' in schema) return z.toJSONSchema(schema as never, { io: 'input', target: TARGET }) as JsonSchema;
  throw new Error(`${schema['~standard'].vendor} does not offer one`);
}

/** Objects have no fields but their own, unless they say otherwise: constrained answers should not invent any. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) => {
      if (KEPT.has(keyword)) return [keyword, part];
      if (NAMED.has(keyword))
        return [
          keyword,
          Object.fromEntries(Object.entries(part).map(([name, one]) => [name, closeObjects(one)])),
        ];
      return [keyword, closeObjects(part)];
    }),
  ) as JsonSchema;
  if (closed.properties && closed.additionalProperties === undefined) closed.additionalProperties = false;
  return closed;
}

/** Values, and parts of one object, which do not know each other's fields. */
const KEPT: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'allOf', 'required']);
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'patternProperties']);

/** The checked value, or what is wrong with it: a path, and a message. */
export async function checkValue<Output>(
  schema: TaskSchema<unknown, Output>,
  value: unknown,
): Promise<{ value: Output } | { fault: { path: string; message: string } }> {
  const checked = await schema['~standard'].validate(value);
  if (!checked.issues) return { value: checked.value };
  const [issue] = checked.issues;
  return { fault: { path: writePath(issue?.path ?? []), message: issue?.message ?? 'is not valid' } };
}

function writePath(path: NonNullable<Issue['path']>): string {
  return path
    .map(part => (typeof part === 'object' ? part.key : part))
    .reduce<string>(
      (text, key) =>
        typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key),
      '',
    );
}
