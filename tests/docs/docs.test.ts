// The references in `docs` are what the code says: `npx vitest run tests/docs -u` writes them anew.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { commands } from '../../cli/commands/index.js';
import { RESERVED_SLUGS } from '../../lib/cloud/deployments/store-deployment.js';
import {
  OWN_ENGINE_CHOICES,
  STUDIO_TOKEN_HEADER,
  studioRoutes,
  toOpenApi,
} from '../../lib/contract/index.js';
import { ARCHITECTURES } from '../../lib/engine/model/index.js';
import { renderTable, withTable } from '../clients/client.js';
import { CLIENTS } from '../clients/clients.js';
import { versionOf } from '../clients/packages.js';
import { JOURNEY_TIMEOUT_MS } from '../support/patience.js';
import { type OpenApi, renderApiReference } from './api-reference.js';
import { renderCliReference } from './cli-reference.js';
import { renderSdkReference } from './sdk-reference.js';

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const API_HEAD = `# The loopback API

What \`svc dev\` serves at localhost and 127.0.0.1, to both of its faces and to scripts. Address and token are in \`.svc/studio.json\`
while it runs; the token goes into the header \`${STUDIO_TOKEN_HEADER}\`. \`svc api METHOD PATH\` and \`connectStudio()\` do both. Every
error is an [Error](#error). The same, for machines: \`svc api GET /api/openapi.json\`.
`;

const SDK_HEAD = `# The SDK

What \`import … from 'svc'\` gives.
`;

it('docs/cli.md has every command', async () => {
  await expect(renderCliReference(commands)).toMatchFileSnapshot(at('docs/cli.md'));
});

it('docs/loopback-api.md has every route', { timeout: JOURNEY_TIMEOUT_MS }, async () => {
  const document = toOpenApi(studioRoutes, { title: 'svc', version: '0' }) as unknown as OpenApi;
  await expect(renderApiReference(API_HEAD, document)).toMatchFileSnapshot(at('docs/loopback-api.md'));
});

// It reads every type of the package.
it('docs/sdk.md has everything that the package exports', { timeout: 3 * JOURNEY_TIMEOUT_MS }, async () => {
  const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, at('.'));
  const text = renderSdkReference(SDK_HEAD, at('lib/index.ts'), options);
  await expect(text).toMatchFileSnapshot(at('docs/sdk.md'));
});

it('docs/openai.md has the slugs that are reserved', async () => {
  const [, list = ''] = (await readFile(at('docs/openai.md'), 'utf8')).split('for the service itself:');
  const names = list.split('.')[0]!.matchAll(/`(\w+)`/g);
  expect([...names].map(([, name]) => name)).toEqual([...RESERVED_SLUGS]);
});

it('docs/pytorch.md has what PyTorch does not have', async () => {
  const marks = /(?<=<!-- not in torch -->\n).*(?= {2}<!-- \/not in torch -->)/s;
  const items = OWN_ENGINE_CHOICES.map(({ name, reason }) => `  - ${name}: ${reason}\n`);
  const text = await readFile(at('docs/pytorch.md'), 'utf8');
  expect(text).toMatch(marks);
  await expect(text.replace(marks, items.join(''))).toMatchFileSnapshot(at('docs/pytorch.md'));
});

it('docs/openai.md lists the calls of clients that `npm run clients` makes', async () => {
  const text = await readFile(at('docs/openai.md'), 'utf8');
  expect(withTable(text, renderTable(CLIENTS, versionOf))).toBe(text);
});

it('docs/models.md has every architecture, by the names in configs and in GGUF files', async () => {
  const text = await readFile(at('docs/models.md'), 'utf8');
  const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const rows = [...text.matchAll(/^\| (`.+?`) \|.*\| yes \|$/gm)].map(([, cell]) => namesIn(cell!));
  const all = Object.entries(ARCHITECTURES);
  expect(rows).toEqual(all.map(([type, { inside }]) => (inside ? [type, inside] : [type])));
  const [, inFiles] = /^\| architectures \| (.+) \|$/m.exec(text)!;
  expect(namesIn(inFiles!)).toEqual([...new Set(all.map(([, { llamaCpp }]) => llamaCpp.name))]);
});

it('docs/architecture.md names files and folders that exist', async () => {
  const text = await readFile(at('docs/architecture.md'), 'utf8');
  const named = [...text.matchAll(/`((?:bundled-model|cli|lib|ray|studio-web|tests)\/[\w./-]+)`/g)].map(
    ([, path]) => path!,
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(path => !existsSync(at(path)))).toEqual([]);
});
