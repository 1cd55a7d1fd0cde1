// The OpenAPI documents: valid, and such that a client made from them knows what it gets.
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as contract from '../../lib/contract/index.js';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security?: object[];
  parameters?: { name: string; in: string }[];
  responses: Record<
    string,
    { $ref?: string; headers?: object; content?: Record<string, { schema: object }> }
  >;
}

const cloud = contract.toOpenApi(contract.cloudRoutes, {
  title: 'svc cloud',
  version: '1',
  server: 'http://localhost:4100',
  security: 'bearer',
  elsewhere: {
    routes: contract.edgeRoutes,
    server: 'http://{slug}.localhost:4100',
    variables: { slug: 'my-endpoint' },
  },
});
const studio = contract.toOpenApi(contract.studioRoutes, {
  title: 'svc Studio',
  version: '1',
  server: 'http://localhost:4000',
  security: { header: contract.STUDIO_TOKEN_HEADER },
});

const operationsOf = (document: contract.Json): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(item =>
    Object.values(item).filter(operation => operation.operationId),
  );
const find = (document: contract.Json, id: string) =>
  operationsOf(document).find(({ operationId }) => operationId === id)!;

describe.each([
  ['cloud', cloud],
  ['Studio', studio],
])('the document of the %s', (_, document) => {
  it('is valid OpenAPI 3.1, and refers to nothing that is not there', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g);
    for (const [, path] of references) expect(document.components).toHaveProperty(path!.split('/'));
  });

  it('names each operation once, says what it does, and under which heading', () => {
    const operations = operationsOf(document);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const headings = (document.tags as { name: string }[]).map(({ name }) => name);
    for (const { summary, tags } of operations) {
      expect(summary).not.toBe('');
      expect(headings).toEqual(expect.arrayContaining(tags));
    }
  });

  it('says what every answer carries, and how each is refused', () => {
    for (const { responses } of operationsOf(document)) {
      const [[, success]] = Object.entries(responses) as [[string, Operation['responses'][string]]];
      expect(success.headers).toHaveProperty('x-request-id');
      for (const { schema } of Object.values(success.content!)) expect(Object.keys(schema)).not.toEqual([]);
      expect(responses).toHaveProperty('403');
      expect(responses).toHaveProperty('default');
    }
  });

  it('says how long to wait where trying again helps', () => {
    const { responses } = document.components as { responses: Record<string, { headers: object }> };
    const wait = Object.keys(responses).filter(name => 'Retry-After' in responses[name]!.headers);
    expect(wait).toEqual(['Busy', 'Unavailable']);
    expect(find(document, 'chat').responses).toMatchObject({
      429: { $ref: '#/components/responses/Busy' },
      503: { $ref: '#/components/responses/Unavailable' },
    });
  });

  it('types events and chats, and knows of lists that did not change', () => {
    const events = find(document, 'streamJobEvents');
    expect(events.responses['200']!.content).toEqual({
      'text/event-stream': { schema: { $ref: '#/components/schemas/JobEvent' } },
    });
    expect(events.responses).toHaveProperty('204');
    expect(events.parameters).toContainEqual(
      expect.objectContaining({ name: 'Last-Event-ID', in: 'header' }),
    );
    expect(find(document, 'chat').responses['200']!.content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/ChatCompletion' } },
      'text/event-stream': { schema: { $ref: '#/components/schemas/ChatCompletionChunk' } },
    });
    const list = find(document, 'listJobs');
    expect(list.responses['200']!.headers).toHaveProperty('ETag');
    expect(list.responses).toHaveProperty('304');
  });
});

it('the cloud describes its endpoints too, at their own addresses', () => {
  const paths = cloud.paths as Record<string, { servers?: { url: string }[] }>;
  expect(paths['/v1/chat/completions']?.servers?.[0]?.url).toBe('http://{slug}.localhost:4100');
  expect(cloud.servers).toEqual([{ url: 'http://localhost:4100' }]);
});

it('says which calls need no identity', () => {
  const { getCloud, collectGarbage } = Object.fromEntries(
    operationsOf(cloud).map(({ operationId, security }) => [operationId, security]),
  );
  expect(getCloud).toEqual([{}]);
  expect(collectGarbage).toEqual([{ secret: [] }]);
});
