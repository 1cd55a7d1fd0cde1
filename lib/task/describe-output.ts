// What kind of answer a JSON Schema describes: one of several labels, an object with fields, or a text.
import { OptionError, type TaskDescription } from '../contract/index.js';
import { resolve } from './client/fits.js';
import type { JsonSchema } from './task-schema.js';

type Described = Pick<TaskDescription, 'kind' | 'labels' | 'fields'>;
type Field = NonNullable<TaskDescription['fields']>[number];

/** Throws an `OptionError` if it is none of these. */
export function describeOutput(output: JsonSchema): Described {
  const schema = dereference(output, output);
  const labels = labelsOf(schema, output);
  if (labels) return { kind: 'labels', labels: checkLabels(labels) };
  if (schema.type === 'string') return { kind: 'text' };
  const fields = fieldsOf(schema, output);
  if (fields) return { kind: 'fields', fields };
  throw new OptionError(
    'defineTask: `output` must be an object with fields, an enum of texts or a text: `z.object({ … })`, `z.enum([…])` or `z.string()`.',
  );
}

function dereference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...rest } = schema;
  const found = resolve(root, $ref as string);
  return typeof found === 'object' && found !== schema ? { ...found, ...rest } : rest;
}

function branchesOf(schema: JsonSchema): JsonSchema[] | undefined {
  const branches = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (branches || !Array.isArray(schema.type)) return branches;
  return schema.type.map(type => ({ ...schema, type }));
}

/** The texts of an enum, a literal, or a union of them; null if others fit, too. */
function labelsOf(schema: JsonSchema, root: JsonSchema): string[] | null {
  if (typeof schema.const === 'string') return [schema.const];
  if (Array.isArray(schema.enum))
    return schema.enum.every(value => typeof value === 'string') ? [...new Set<string>(schema.enum)] : null;
  const branches = branchesOf(schema)?.map(branch => labelsOf(dereference(branch, root), root));
  if (!branches?.length || branches.some(labels => labels === null)) return null;
  return [...new Set(branches.flatMap(labels => labels!))];
}

/** An answer is a label as it stands. */
function checkLabels(labels: string[]): string[] {
  const odd = labels.find(label => label === '' || label !== label.trim());
  if (odd === undefined) return labels;
  throw new OptionError(
    `defineTask: the label ${JSON.stringify(odd)} of \`output\` must not be empty, nor start or end with white space.`,
  );
}

/** Those of all objects of a union: optional if one of them has no such field. */
function fieldsOf(schema: JsonSchema, root: JsonSchema): Field[] | null {
  const branches = branchesOf(schema)?.map(branch => fieldsOf(dereference(branch, root), root));
  if (branches?.length) return branches.some(one => one === null) ? null : mergeFields(branches as Field[][]);
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map(part => fieldsOf(dereference(part as JsonSchema, root), root));
    return parts.some(one => one === null) ? null : (parts as Field[][]).flat();
  }
  if (schema.type !== 'object') return null;
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  const fields = Object.entries(properties).map(([name, part]) => ({
    name,
    ...typeOf(part as JsonSchema, root),
    ...(!required.includes(name) && { optional: true }),
  }));
  return fields.length > 0 ? fields : null;
}

function mergeFields(branches: readonly Field[][]): Field[] {
  const names = [...new Set(branches.flat().map(({ name }) => name))];
  return names.map(name => {
    const all = branches.flatMap(fields => fields.find(field => field.name === name) ?? []);
    const types = new Set(all.map(({ type }) => type));
    const labels = [...new Set(all.flatMap(field => field.labels ?? []))];
    const isOptional = all.length < branches.length || all.some(({ optional }) => optional);
    return {
      name,
      type: types.size === 1 ? all[0]!.type : 'any',
      ...(types.size === 1 && labels.length > 0 && { labels }),
      ...(isOptional && { optional: true }),
      ...(all.some(({ nullable }) => nullable) && { nullable: true }),
    };
  });
}

const TYPES: Readonly<Record<string, Field['type']>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
};

function typeOf(given: JsonSchema, root: JsonSchema): Pick<Field, 'type' | 'labels' | 'nullable'> {
  const schema = dereference(given, root);
  if (Array.isArray(schema.enum) && schema.enum.includes(null))
    return { ...typeOf({ enum: schema.enum.filter(value => value !== null) }, root), nullable: true };
  const branches = branchesOf(schema);
  const others = branches?.filter(({ type }) => type !== 'null');
  if (branches && others && others.length < branches.length) {
    const [only] = others;
    const type = others.length === 1 ? typeOf(only!, root) : typeOf({ anyOf: others }, root);
    return { ...type, nullable: true };
  }
  const labels = labelsOf(schema, root);
  if (labels) return { type: 'label', labels };
  if (others) {
    const types = new Set(others.map(branch => typeOf(branch, root).type));
    return { type: types.size === 1 ? [...types][0]! : 'any' };
  }
  return { type: Object.hasOwn(TYPES, String(schema.type)) ? TYPES[String(schema.type)]! : 'any' };
}
