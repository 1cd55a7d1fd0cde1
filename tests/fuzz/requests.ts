// Requests to every route of our APIs, out of their OpenAPI documents: each begins as one that would be taken, and most
// are then spoiled in a place or two. Pure: the same seed makes the same requests.
import { createDraw, type Draw } from './draw.js';
import { type JsonSchema, type Shapes, sampleSchema } from './sample-schema.js';
import { spoilBytes, spoilQuestion, spoilValue } from './spoil-json.js';
import { spoilRequest } from './spoil-request.js';

export interface FuzzRequest {
  /** The operation that it began as. */
  name: string;
  method: string;
  target: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

/** An API that is fuzzed, and what a caller of it knows. */
export interface Surface {
  document: Record<string, unknown>;
  host: string;
  /** What proves who calls. */
  credentials: [name: string, value: string][];
  /** Values of parameters that name something that is there. */
  known: Readonly<Record<string, readonly string[]>>;
  /** In place of a path in the document. */
  prefix?: string;
  leaveOut?: readonly string[];
}

/** Without end. */
export function* makeRequests(
  surfaces: readonly Surface[],
  seed: number,
): Generator<FuzzRequest & { surface: number }> {
  const draw = createDraw(seed);
  const routes = surfaces.flatMap((surface, index) =>
    routesOf(surface).map(route => ({ ...route, surface, index })),
  );
  // Each route in turn, so that none is left to chance.
  for (let i = 0; ; i++) {
    const { surface, index, ...route } = routes[i % routes.length]!;
    yield { ...makeRequest(surface, route, draw), surface: index };
  }
}

interface FoundRoute {
  method: string;
  path: string;
  operation: Operation;
}

export function routesOf({ document, leaveOut = [] }: Surface): FoundRoute[] {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.operationId && !leaveOut.includes(operation.operationId))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function makeRequest(surface: Surface, { method, path, operation }: FoundRoute, draw: Draw): FuzzRequest {
  const { parameters = [], requestBody } = operation;
  const chooseValue = (name: string, schema: JsonSchema) => {
    const known = surface.known[name];
    return known && draw.chance(0.9)
      ? draw.pick(known)
      : String(sampleSchema(schema, shapesOf(surface), draw));
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(chooseValue(name, { type: 'string' })),
  );
  const query = new URLSearchParams(
    parameters
      .filter(parameter => parameter.in === 'query' && (parameter.required || draw.chance(0.3)))
      .map(({ name, schema }): [string, string] => [name, chooseValue(name, schema)]),
  );
  const content = makeBody(surface, requestBody, draw);
  const request: FuzzRequest = {
    name: operation.operationId,
    method,
    target: `${surface.prefix ?? ''}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: [['host', surface.host], ...surface.credentials, ...content.headers],
    body: content.body,
  };
  return draw.chance(0.6) ? spoilRequest(request, draw) : request;
}

function makeBody(surface: Surface, requestBody: Operation['requestBody'], draw: Draw) {
  const [found] = Object.entries(requestBody?.content ?? {});
  if (!found) return { headers: [], body: Buffer.alloc(0) };
  const [type, { schema }] = found;
  const headers: [string, string][] = [['content-type', type]];
  if (type === 'multipart/form-data') return makeForm(sampleSchema(schema, shapesOf(surface), draw), draw);
  if (type !== 'application/json') return { headers, body: makeRows(draw) };
  const given = withLimits(sampleSchema(schema, shapesOf(surface), draw));
  const sample = isQuestion(given) && draw.chance(0.3) ? spoilQuestion(given, draw) : given;
  const body = Buffer.from(JSON.stringify(draw.chance(0.4) ? spoilValue(sample, draw) : sample));
  return { headers, body: draw.chance(0.15) ? spoilBytes(body, draw) : body };
}

function makeRows(draw: Draw): Buffer {
  return Buffer.from('{"text":"a row"}\n'.repeat(draw.below(50)));
}

const BOUNDARY = 'fuzz-boundary';

/** Fields in any order, the one that holds rows as a file. */
function makeForm(sample: unknown, draw: Draw): { headers: [string, string][]; body: Buffer } {
  const fields = Object.entries({ ...(sample as object), file: String(makeRows(draw)) });
  const parts = (draw.chance(0.5) ? fields : fields.reverse()).map(([name, text]) => {
    const file = name === 'file' ? '; filename="rows.jsonl"' : '';
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  const body = Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
  return {
    headers: [['content-type', `multipart/form-data; boundary=${BOUNDARY}`]],
    body: draw.chance(0.3) ? spoilBytes(body, draw) : body,
  };
}

/** Chats that are generated are short: the answer is looked at, not the model. */
function withLimits(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('messages' in body)) return body;
  return {
    ...body,
    ...('baseModel' in body || 'adapter' in body ? { maxTokens: 2 } : { max_tokens: 2, n: 1 }),
  };
}

function isQuestion(body: unknown): body is object {
  const fields = typeof body === 'object' && body !== null ? body : {};
  return 'messages' in fields || 'input' in fields || 'prompt' in fields;
}

function shapesOf({ document }: Surface): Shapes {
  return (document.components as { schemas: Shapes }).schemas;
}
