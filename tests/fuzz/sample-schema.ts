// A value that fits a JSON Schema, as the documents of our APIs have them.
import type { Draw } from './draw.js';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  /** The first ones, each of its own shape; `items` is false if there are no others. */
  prefixItems?: JsonSchema[];
  items?: JsonSchema | false;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  format?: string;
  pattern?: string;
}

export type Shapes = Readonly<Record<string, JsonSchema>>;

const WORDS = ['a', 'b-1', 'support-triage', 'grüß dich', '日本', '👋', 'two words', '0', 'train.jsonl'];

/** `shapes` is what references point to. */
export function sampleSchema(schema: JsonSchema, shapes: Shapes, draw: Draw): unknown {
  const sample = (inner: JsonSchema) => sampleSchema(inner, shapes, draw);
  if (schema.$ref) return sample(shapes[schema.$ref.split('/').at(-1)!] ?? {});
  if ('const' in schema) return schema.const;
  if (schema.enum) return draw.pick(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return sample(draw.pick(choices));
  // For a text, they are the patterns that it has to match.
  if (schema.allOf && schema.type !== 'string')
    return Object.assign({}, ...schema.allOf.map(part => sample(part)));
  switch (Array.isArray(schema.type) ? draw.pick(schema.type) : schema.type) {
    case 'object':
      return sampleObject(schema, sample, draw);
    case 'array': {
      const { prefixItems = [], items = {}, minItems = 0, maxItems = minItems + 2 } = schema;
      if (items === false) return prefixItems.map(sample);
      const length = minItems + draw.below(Math.min(maxItems, minItems + 2) - minItems + 1);
      return Array.from({ length }, () => sample(items));
    }
    case 'string':
      return sampleText(schema, draw);
    case 'integer':
    case 'number':
      return sampleNumber(schema, draw);
    case 'boolean':
      return draw.chance(0.5);
    case 'null':
      return null;
    default:
      return draw.pick<unknown>([{}, 'x', 1, null]);
  }
}

function sampleObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  sample: (s: JsonSchema) => unknown,
  draw: Draw,
) {
  if (typeof additionalProperties === 'object' && Object.keys(properties).length === 0)
    return { [draw.pick(WORDS)]: sample(additionalProperties) };
  const names = Object.keys(properties).filter(name => required.includes(name) || draw.chance(0.3));
  return Object.fromEntries(names.map(name => [name, sample(properties[name]!)]));
}

function sampleText({ format, pattern, minLength = 0 }: JsonSchema, draw: Draw): string {
  if (pattern === '^[0-9a-f]{64}$') return 'a1'.repeat(32);
  if (format === 'uuid' || format === 'guid') return '1a2b3c4d-0000-4000-8000-000000000001';
  if (format === 'uri' || format === 'url') return 'http://localhost:1/rows.jsonl';
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  return draw.pick(WORDS).padEnd(minLength, 'x');
}

function sampleNumber(schema: JsonSchema, draw: Draw): number {
  const { type, exclusiveMinimum = 0, exclusiveMaximum, minimum = 0, maximum = minimum + 4 } = schema;
  // Only shares have such a bound.
  if (exclusiveMaximum !== undefined) return (exclusiveMinimum + exclusiveMaximum) / 2;
  const value = minimum + draw.below(Math.min(4, maximum - minimum) + 1);
  return type === 'integer' ? Math.ceil(value) : value;
}
