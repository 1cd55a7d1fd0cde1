// The wire, and the OpenAPI documents: valid, and such that a client made from them knows what it gets.
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeEach, describe, expect, it } from 'vitest';
import * as contract from '../../lib/contract/index.js';

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  responses: Record<string, OperationResponse>;
}

interface OperationResponse {
  $ref?: string;
  headers?: object;
  content?: Record<string, { schema: object }>;
}

const info = { title: 'svc', version: '1' };
const BY_TOKEN = { header: contract.STUDIO_TOKEN_HEADER };
const ELSEWHERE = 'http://{slug}.localhost:4100';
const describeCloud = () =>
  contract.toOpenApi(contract.cloudRoutes, {
    ...info,
    server: 'http://localhost:4100',
    security: 'bearer',
    elsewhere: { routes: contract.edgeRoutes, server: ELSEWHERE, variables: { slug: 'my-endpoint' } },
  });
const server = 'http://localhost:4000';
const describeStudio = () =>
  contract.toOpenApi(contract.studioRoutes, { ...info, server, security: BY_TOKEN });

const operationsOf = (document: contract.Json): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap(item =>
    Object.values(item).filter(operation => operation.operationId),
  );

describe.each([
  ['cloud', describeCloud],
  ['Studio', describeStudio],
])('the document of the %s', (_, describeApi) => {
  let document: contract.Json;
  beforeEach(() => {
    document = describeApi();
  });

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
      const [[, success]] = Object.entries(responses) as [[string, OperationResponse]];
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
    const [busy, unavailable] = wait.map(name => ({ $ref: `#/components/responses/${name}` }));
    const chat = operationsOf(document).find(({ operationId }) => operationId === 'chat')!;
    expect(chat.responses).toMatchObject({ 429: busy, 503: unavailable });
  });
});

it('the cloud describes its endpoints too, at their own addresses', () => {
  const cloud = describeCloud();
  const paths = cloud.paths as Record<string, { servers?: { url: string }[] }>;
  expect(paths['/v1/chat/completions']?.servers?.[0]?.url).toBe(ELSEWHERE);
  expect(cloud.servers).toEqual([{ url: 'http://localhost:4100' }]);
});

const writer = contract.createSchemaWriter('#/$defs/');

const schemasOf = ({ components }: contract.Json) => (components as { schemas: object }).schemas;

it('the wire is what the snapshot says, any shape, path, code and key format', async () => {
  const documents = {
    studio: contract.toOpenApi(contract.studioRoutes, { ...info, security: BY_TOKEN }),
    cloud: contract.toOpenApi(contract.cloudRoutes, { ...info, security: 'bearer' }),
    project: contract.toOpenApi(contract.openAiRoutes, { ...info, security: 'bearer' }),
    edge: contract.toOpenApi(contract.edgeRoutes, { ...info, security: 'bearer' }),
  };
  const wire = {
    paths: Object.fromEntries(Object.entries(documents).map(([name, { paths }]) => [name, paths])),
    schemas: Object.assign({}, ...Object.values(documents).map(schemasOf)),
    errors: contract.ERROR_STATUS,
    files: {
      'credentials.json': writer.write(contract.credentialsFile, 'output'),
      'state.json': writer.write(contract.stateFile, 'output'),
      'studio.json': writer.write(contract.studioFile, 'output'),
      'cloud.json': writer.write(contract.cloudFile, 'output'),
    },
  };
  await expect(`${JSON.stringify(wire, null, 1)}\n`).toMatchFileSnapshot('wire.snapshot.json');
});

it('every route table names each method and path once', () => {
  const { studioRoutes, cloudRoutes, openAiRoutes, edgeRoutes } = contract;
  for (const routes of [studioRoutes, cloudRoutes, openAiRoutes, edgeRoutes]) {
    const seen = Object.values(routes as contract.RouteTable).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(seen).size).toBe(seen.length);
  }
});

it('no answer can carry a plaintext key but the one that issues it', () => {
  const carriers = [contract.studioRoutes, contract.cloudRoutes].flatMap(routes =>
    Object.entries(routes as contract.RouteTable).flatMap(([name, { response }]) =>
      'schema' in response && hasProperty(writer.write(response.schema, 'output'), 'plaintext') ? [name] : [],
    ),
  );
  expect(carriers).toEqual(['issueDeploymentKey', 'issueDeploymentKey', 'issueProjectKey']);
});

function hasProperty(schema: unknown, name: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const properties = (schema as { properties?: object }).properties;
  return (
    (properties !== undefined && name in properties) ||
    Object.values(schema).some(part => hasProperty(part, name))
  );
}
