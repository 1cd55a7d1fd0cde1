// Generates an OpenAPI 3.1 document from route tables. A snapshot of that document for every table shows wire changes
// in a diff.
import * as z from 'zod/mini';
import { CLOUD_SECRET_HEADER } from '../addresses.js';
import { type FormBody, isForm, type Route, type RouteTable, type Schema } from '../route.js';
import { createSchemaWriter, type Json, type SchemaWriter } from './json-schema.js';
import { toErrorComponents, toResponses } from './openapi-responses.js';

interface OpenApiInfo {
  title: string;
  version: string;
  description?: string;
  /** The API's base URL. */
  server?: string | undefined;
  /** How callers authenticate: a custom header or a bearer token. */
  security?: { header: string } | 'bearer';
  /** More routes at another address in the same document; a `{…}` in that address is a variable with this default. */
  elsewhere?: { routes: RouteTable; server: string; variables: Readonly<Record<string, string>> };
}

export function toOpenApi(routes: RouteTable, info: OpenApiInfo): Json {
  const { title, version, description, server, security, elsewhere } = info;
  const writer = createSchemaWriter('#/components/schemas/');
  const error = writer.write(errorEnvelope, 'output');
  const paths = toPaths(routes, writer);
  if (elsewhere) {
    const servers = [{ url: elsewhere.server, variables: toVariables(elsewhere.variables) }];
    for (const [path, item] of Object.entries(toPaths(elsewhere.routes, writer)))
      paths[path] = { servers, ...(item as Json) };
  }
  const tags = [...new Set(Object.values(paths).flatMap(toTags))].sort();
  return {
    openapi: '3.1.0',
    info: { title, version, ...(description && { description }) },
    ...(server && { servers: [{ url: server }] }),
    ...(security && { security: [{ caller: [] }] }),
    tags: tags.map(name => ({ name })),
    paths,
    components: {
      schemas: { ...writer.named(), Error: error },
      ...toErrorComponents(),
      ...(security && { securitySchemes: toSecuritySchemes(security, routes) }),
    },
  };
}

/** @internal */
export const errorEnvelope = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    code: z.string(),
    param: z.nullable(z.string()),
  }),
});

function toPaths(routes: RouteTable, writer: SchemaWriter): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(operationId, route, writer) };
  }
  return paths;
}

function toOperation(operationId: string, route: Route, writer: SchemaWriter): Json {
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route.query, writer),
    ...headerParameters(route),
    ...(route.idempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId,
    summary: route.summary,
    tags: [tagOf(route)],
    ...(route.callers && { security: CALLERS[route.callers] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: { required: true, content: toContent(route.body, writer) } }),
    responses: toResponses(route, writer),
  };
}

const CALLERS: Readonly<Record<NonNullable<Route['callers']>, Json[]>> = {
  anyone: [{}],
  secret: [{ secret: [] }],
  anyone_or_secret: [{}, { secret: [] }],
};

/** Keyed by the first word of the path that names a topic. */
const TAGS: Readonly<Record<string, string>> = {
  auth: 'Identity',
  me: 'Identity',
  credentials: 'Identity',
  projects: 'Projects',
  manifest: 'Projects',
  datasets: 'Data sets',
  uploads: 'Data sets',
  jobs: 'Jobs',
  adapters: 'Jobs',
  train: 'Training',
  inference: 'Chat',
  chat: 'Chat',
  responses: 'Chat',
  completions: 'Chat',
  embeddings: 'Chat',
  messages: 'Chat',
  endpoints: 'Endpoints',
  deployments: 'Endpoints',
  models: 'Endpoints',
  task: 'Endpoints',
  'project-keys': 'Keys',
  openai: 'OpenAI clients',
};

function tagOf({ path }: Route): string {
  return path.split('/').flatMap(word => TAGS[word] ?? [])[0] ?? 'About';
}

function toTags(item: Json): string[] {
  return Object.values(item).flatMap(operation => (operation as { tags?: string[] }).tags ?? []);
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: Schema | undefined, writer: SchemaWriter): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = writer.write(query, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...((schema as Json).type === 'object' && { style: 'deepObject', explode: true }),
    schema,
  }));
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Visible ASCII characters, such as a random UUID. Retrying with the same key within 24 hours creates nothing twice. Anonymous sign-up takes keys of at least 32 characters.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};
function headerParameters({ response, tagged, changes, headers = {} }: Route): Json[] {
  const all = {
    ...headers,
    ...(tagged && {
      'If-None-Match':
        'The `ETag` of your copy of the list. While it is current, the answer is 304, without a body.',
    }),
    ...(changes && {
      'A-IM':
        '`jobs`: changes are enough. The answer is 226 with what has changed since the version of `If-None-Match`, or 200 with the list where that is not known.',
    }),
    ...(response.kind === 'events' && {
      'Last-Event-ID': 'The number of the last event received. The stream goes on after it.',
    }),
  };
  return Object.entries(all).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
}

function toContent(body: NonNullable<Route['body']>, writer: SchemaWriter): Json {
  if (body === 'bytes') return { 'application/octet-stream': { schema: BINARY } };
  if (isForm(body)) return { 'multipart/form-data': { schema: toForm(body, writer) } };
  return { 'application/json': { schema: writer.write(body, 'input') } };
}

const BINARY: Json = { type: 'string', format: 'binary' };

function toForm({ file, fields }: FormBody, writer: SchemaWriter): Json {
  const { properties, required = [], ...rest } = writer.write(fields, 'input');
  return {
    ...rest,
    properties: { [file]: BINARY, ...(properties as Json) },
    required: [file, ...(required as string[])],
  };
}

function toVariables(variables: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, { default: value }]));
}

function toSecuritySchemes(security: { header: string } | 'bearer', routes: RouteTable): Json {
  const caller =
    security === 'bearer'
      ? { type: 'http', scheme: 'bearer' }
      : { type: 'apiKey', in: 'header', name: security.header };
  const takesSecret = Object.values(routes).some(({ callers }) => callers?.includes('secret'));
  return {
    caller,
    ...(takesSecret && { secret: { type: 'apiKey', in: 'header', name: CLOUD_SECRET_HEADER } }),
  };
}
