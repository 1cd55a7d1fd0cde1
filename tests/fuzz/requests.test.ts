// What the fuzzer sends: repeatable, to every route, and mostly near to what would be taken.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  chatCompletionRequest,
  cloudRoutes,
  edgeRoutes,
  findFault,
  isForm,
  openAiRoutes,
  type RouteTable,
  type Schema,
  studioRoutes,
  toOpenApi,
} from '../../lib/contract/index.js';
import { createDraw } from './draw.js';
import { makeRequests, routesOf, type Surface } from './requests.js';
import { type JsonSchema, type Shapes, sampleSchema } from './sample-schema.js';
import { spoilBytes, spoilValue } from './spoil-json.js';

const surfaceOf = (routes: RouteTable): Surface => ({
  document: toOpenApi(routes, { title: 'x', version: '1' }),
  host: 'localhost:1',
  credentials: [['authorization', 'Bearer t']],
  known: { id: ['known-id'] },
});
const surfaces = [cloudRoutes, openAiRoutes, edgeRoutes, studioRoutes].map(surfaceOf);

function take(seed: number, count: number) {
  const requests = makeRequests(surfaces, seed);
  return Array.from({ length: count }, () => requests.next().value!);
}

describe('the requests of a seed', () => {
  it('are the same each time, and others for another seed', () => {
    // Bodies can have megabytes, which a matcher compares byte by byte in seconds.
    const readable = (seed: number) =>
      take(seed, 300).map(request => ({
        ...request,
        body: createHash('sha256').update(request.body).digest('hex'),
      }));
    expect(readable(7)).toEqual(readable(7));
    expect(readable(8)).not.toEqual(readable(7));
  });

  it('reach every route of every API', () => {
    const all = surfaces.flatMap(surface => routesOf(surface).map(({ operation }) => operation.operationId));
    const names = take(1, all.length).map(({ name }) => name);
    expect(names.sort()).toEqual(all.sort());
    expect(names.length).toBe(
      [cloudRoutes, openAiRoutes, edgeRoutes, studioRoutes].flatMap(routes => Object.keys(routes)).length,
    );
  });

  it('are spoiled in method, address, headers and body, and some are not', () => {
    const isGood = (body: Buffer) => {
      try {
        return (
          findFault((cloudRoutes.createJob as { body: Schema }).body, JSON.parse(String(body)), 'x') === null
        );
      } catch {
        return false;
      }
    };
    type IsIt = (request: ReturnType<typeof take>[number]) => boolean;
    const missing = new Map<string, IsIt>([
      ['method', ({ method }) => method !== 'POST'],
      ['address', ({ target }) => !target.startsWith('/v1/jobs?')],
      ['headers', ({ headers }) => headers.length !== 3],
      ['body', ({ body }) => !isGood(body)],
      ['nothing in the body', ({ body }) => isGood(body)],
    ]);
    let left = 500;
    for (const request of makeRequests(surfaces, 3)) {
      if (request.name !== 'createJob') continue;
      for (const [what, isIt] of missing) if (isIt(request)) missing.delete(what);
      if (missing.size === 0 || --left === 0) break;
    }
    expect([...missing.keys()]).toEqual([]);
  });
});

it('a sample fits the shape that it was made for', () => {
  const draw = createDraw(5);
  for (const [routes, document] of [
    [cloudRoutes, surfaces[0]!.document],
    [studioRoutes, surfaces[2]!.document],
  ] as [RouteTable, Surface['document']][]) {
    const shapes = (document.components as { schemas: Shapes }).schemas;
    for (const { operation } of routesOf({ ...surfaces[0]!, document })) {
      const schema = operation.requestBody?.content['application/json']?.schema as JsonSchema | undefined;
      const body = routes[operation.operationId]?.body;
      if (!schema || !body || body === 'bytes' || isForm(body)) continue;
      const samples = Array.from({ length: 60 }, () => sampleSchema(schema, shapes, draw));
      expect(
        samples.filter(sample => findFault(body, sample, 'x') === null).length,
        operation.operationId,
      ).toBeGreaterThan(0);
    }
  }
});

it('a spoiled value is another value, and spoiled bytes are other bytes', () => {
  const draw = createDraw(9);
  const good = { messages: [{ role: 'user', content: 'hi' }], temperature: 1 };
  const refused = Array.from({ length: 100 }, () =>
    findFault(chatCompletionRequest, spoilValue(good, draw), 'x'),
  );
  expect(refused.filter(fault => fault !== null).length).toBeGreaterThan(50);
  const bytes = Buffer.from(JSON.stringify(good));
  const spoiled = Array.from({ length: 60 }, () => spoilBytes(bytes, draw));
  expect(spoiled.filter(other => other.equals(bytes)).length).toBeLessThan(5);
});
