// The whole wire in one file: a change of any shape, path, code or key format is a diff that a reader sees.
import { expect, it } from 'vitest';
import * as contract from '../../lib/contract/index.js';

const writer = contract.createSchemaWriter('#/$defs/');
const info = { title: 'svc', version: '1' };

it('the wire is what the snapshot says', async () => {
  const documents = {
    studio: contract.toOpenApi(contract.studioRoutes, {
      ...info,
      security: { header: contract.STUDIO_TOKEN_HEADER },
    }),
    cloud: contract.toOpenApi(contract.cloudRoutes, { ...info, security: 'bearer' }),
    project: contract.toOpenApi(contract.openAiRoutes, { ...info, security: 'bearer' }),
    edge: contract.toOpenApi(contract.edgeRoutes, { ...info, security: 'bearer' }),
  };
  const wire = {
    paths: Object.fromEntries(Object.entries(documents).map(([name, { paths }]) => [name, paths])),
    schemas: Object.assign(
      {},
      ...Object.values(documents).map(({ components }) => (components as { schemas: object }).schemas),
    ),
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
  for (const routes of [
    contract.studioRoutes,
    contract.cloudRoutes,
    contract.openAiRoutes,
    contract.edgeRoutes,
  ]) {
    const seen = Object.values(routes as contract.RouteTable).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(seen).size).toBe(seen.length);
  }
});

it('no answer can carry a plaintext key but the one that issues it', () => {
  const carriers = [contract.studioRoutes, contract.cloudRoutes].flatMap(routes =>
    Object.entries(routes as contract.RouteTable)
      .filter(
        ([, { answer }]) =>
          'schema' in answer && hasProperty(writer.write(answer.schema, 'output'), 'plaintext'),
      )
      .map(([name]) => name),
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
