// Draws an OpenAPI 3.1 document from a table of routes. The same document, for every table, is the snapshot that
// shows a change of the wire in a diff.
import { errorEnvelope } from './error-envelope.js';
import { createSchemaWriter, type Json, type SchemaWriter } from './json-schema.js';
import type { Answer, Route, RouteTable, Schema } from './route.js';

export interface OpenApiInfo {
  title: string;
  version: string;
  /** How a caller proves who it is: a header of one's own, or a bearer token. */
  security?: { header: string } | 'bearer';
}

/** The OpenAPI document of a table of routes. */
export function toOpenApi(routes: RouteTable, { title, version, security }: OpenApiInfo): Json {
  const writer = createSchemaWriter('#/components/schemas/');
  const error = writer.write(errorEnvelope, 'output');
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(operationId, route, writer) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    ...(security && { security: [{ caller: [] }] }),
    paths,
    components: {
      schemas: { ...writer.named(), Error: error },
      ...(security && { securitySchemes: { caller: toSecurityScheme(security) } }),
    },
  };
}

function toOperation(operationId: string, route: Route, writer: SchemaWriter): Json {
  const parameters = [
    ...pathParameters(route.path),
    ...queryParameters(route.query, writer),
    ...(route.idempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId,
    summary: route.summary,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: { required: true, content: toContent(route.body, writer) } }),
    responses: {
      [route.answer.kind === 'json' ? route.answer.status : 200]: toResponse(route.answer, writer),
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
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
    schema,
  }));
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text of your choice. Sent again with the same key within 24 hours, the request creates nothing twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function toContent(body: Schema | 'bytes', writer: SchemaWriter): Json {
  if (body === 'bytes') return { 'application/octet-stream': {} };
  return { 'application/json': { schema: writer.write(body, 'input') } };
}

function toResponse(answer: Answer, writer: SchemaWriter): Json {
  switch (answer.kind) {
    case 'json':
      return respond({ 'application/json': { schema: writer.write(answer.schema, 'output') } });
    case 'completion':
      return respond({
        'application/json': { schema: writer.write(answer.schema, 'output') },
        'text/event-stream': { schema: writer.write(answer.chunk, 'output') },
      });
    case 'events':
      return respond({ 'text/event-stream': { schema: writer.write(answer.schema, 'output') } });
    case 'text':
      return respond({ 'text/plain': { schema: { type: 'string' } } });
    case 'bytes':
      return respond({ [answer.mediaType]: {} });
  }
}

function respond(content: Json): Json {
  return { description: 'What was asked for', content };
}

function toSecurityScheme(security: { header: string } | 'bearer'): Json {
  if (security === 'bearer') return { type: 'http', scheme: 'bearer' };
  return { type: 'apiKey', in: 'header', name: security.header };
}
