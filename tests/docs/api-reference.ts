// The reference of an API, out of its OpenAPI document, with its shapes written like TypeScript's.

interface SchemaNode {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, SchemaNode>;
  required?: string[];
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  additionalProperties?: boolean | SchemaNode;
}

type Content = Record<string, { schema?: SchemaNode }>;

interface Operation {
  summary: string;
  parameters?: { name: string; in: string; description?: string; schema: SchemaNode }[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, SchemaNode> };
}

/** Headers that a page of the docs explains. */
const ELSEWHERE = new Map([['Idempotency-Key', 'See [safe retries](safe-retries.md).']]);

export function renderApiReference(head: string, { paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  );
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `### ${name}\n\n${block(toText(schema))}`,
  );
  return [head, ...operations, '## Shapes\n', ...shapes].join('\n');
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const { summary, parameters = [], requestBody, responses } = operation;
  const of = (place: string) => parameters.filter(parameter => parameter.in === place);
  const [status] = Object.keys(responses);
  return [
    `## ${method.toUpperCase()} ${path}\n\n${summary}\n`,
    ...of('query').map(({ name, schema }) => `Query: \`${name}\`, ${toText(schema)}.\n`),
    ...of('header').map(
      ({ name, description = '' }) => `Header: \`${name}\`. ${ELSEWHERE.get(name) ?? description}\n`,
    ),
    ...(requestBody ? renderContent('Takes', requestBody.content) : []),
    ...renderContent(`Answers ${status} with`, responses[status!]!.content),
  ].join('\n');
}

function renderContent(verb: string, content: Content): string[] {
  return Object.entries(content).map(([mediaType, { schema }]) => {
    const what = mediaType === 'application/json' ? 'JSON' : `\`${mediaType}\``;
    if (!schema || schema.type === 'string') return `${verb} ${what}.\n`;
    return schema.$ref
      ? `${verb} ${what}: ${link(schema.$ref)}.\n`
      : `${verb} ${what}:\n\n${block(toText(schema))}`;
  });
}

const nameOf = (ref: string) => ref.split('/').at(-1)!;
const link = (ref: string) => `[${nameOf(ref)}](#${nameOf(ref).toLowerCase()})`;
const block = (code: string) => `\`\`\`ts\n${code}\n\`\`\`\n`;

function toText(schema: SchemaNode, indent = ''): string {
  const { $ref, type, enum: values, properties, items, anyOf, oneOf } = schema;
  if ($ref) return nameOf($ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (values) return values.map(value => JSON.stringify(value)).join(' | ');
  const either = anyOf ?? oneOf;
  if (either) return either.map(one => toText(one, indent)).join(' | ');
  if (items) return `${parenthesize(toText(items, indent))}[]`;
  if (properties) return toObject(schema, indent);
  if (type === 'object') return 'object';
  return [type ?? 'unknown'].flat().join(' | ');
}

function toObject({ properties = {}, required = [] }: SchemaNode, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${toText(schema, inner)};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

const parenthesize = (text: string) => (text.includes(' | ') && !text.startsWith('{') ? `(${text})` : text);
