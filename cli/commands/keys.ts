// svc keys: lists, issues and revokes the keys of an endpoint or of the project.

import type { CloudClient } from '../../lib/client/index.js';
import { curlCall, enabledLabel, libraryBaseUrl, shortId } from '../../lib/console/index.js';
import { type Key, keyInput, OPENAI_PATH } from '../../lib/contract/index.js';
import { UsageError } from '../command.js';
import type { Screen } from '../screen.js';
import { toSafeLine } from '../style.js';
import { findDeployment, pickById } from './project/find.js';
import { assertFits, textOption } from './project/option-values.js';
import { requireProjectClient } from './project/project-client.js';
import { type SessionContext, sessionCommand } from './project/session-command.js';
import { agree } from './terminal/ask.js';
import { ageText, type Column, renderTable, timeText } from './terminal/table.js';

/** Including revoked ones. */
export const listKeys = sessionCommand(async input => {
  const { screen, svc, answer } = input;
  const owner = await findKeyOwner(input);
  const { keys } = await owner.list();
  answer({ keys }, () =>
    keys.length === 0
      ? `No keys yet. To issue one, run "${svc} keys issue ${toSafeLine(owner.argument)} --label TEXT".\n`
      : renderTable(columnsFor(screen), keys, screen),
  );
});

function columnsFor(screen: Screen): Column<Key>[] {
  const { green, dim } = screen.style;
  return [
    { title: 'Label', text: ({ label }) => label, least: 12 },
    { title: 'Prefix', text: ({ prefix }) => prefix },
    {
      title: 'State',
      text: key => (key.enabled ? enabledLabel(key) : 'revoked'),
      paint: (text, { enabled }) => (enabled ? green(text) : dim(text)),
    },
    {
      title: 'Last used',
      text: ({ lastUsedAt }) => timeText(lastUsedAt, screen),
      short: ({ lastUsedAt }) => ageText(lastUsedAt),
      spare: true,
    },
    {
      title: 'Created',
      text: ({ createdAt }) => timeText(createdAt, screen),
      short: ({ createdAt }) => ageText(createdAt),
      spare: true,
    },
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: dim },
  ];
}

/** Only the plaintext goes to stdout, so that it can be piped. */
export const issueKey = sessionCommand(async input => {
  const { json, answer, note } = input;
  const label = textOption(input, 'label');
  if (label === undefined) throw new UsageError('specify what the key is for: "--label TEXT".');
  assertFits(keyInput, { label }, { label: 'option "--label"' });
  const owner = await findKeyOwner(input, { creates: true });
  const { key } = await owner.issue(label);
  if (!json) {
    note(`Issued key "${key.label}" for ${owner.name}. Copy it now: it will not be shown again.`);
    note(await owner.explainUse(key.plaintext));
  }
  answer({ key }, () => `${toSafeLine(key.plaintext)}\n`);
});

/** The key stays listed. */
export const revokeKey = sessionCommand(async input => {
  const { positionals, values } = input;
  if (positionals.length !== (values.project ? 1 : 2)) throw new UsageError('specify one key by its ID.');
  const keyId = positionals.at(-1)!;
  const owner = await findKeyOwner({ ...input, positionals: positionals.slice(0, -1) });
  const { keys } = await owner.list();
  const describe = ({ label, prefix }: Key) => `${label}, ${prefix}…`;
  const { id, ...found } = pickById(keyId, keys, {
    noun: 'key',
    list: `svc keys list ${owner.argument}`,
    describe,
  });
  await agree(
    `Revoke "${found.label}" (${found.prefix}…)? Programs that use it are refused.`,
    input,
    input.io,
    'Nothing was revoked.',
  );
  const { key } = await owner.revoke(id);
  input.answer(
    { key },
    () => `Revoked "${toSafeLine(key.label)}" (${toSafeLine(key.prefix)}…). It stays listed.\n`,
  );
});

interface KeyOwner {
  /** The owner's name in messages. */
  name: string;
  /** The owner as an argument in commands to copy. */
  argument: string;
  list(): Promise<{ keys: Key[] }>;
  issue(label: string): ReturnType<CloudClient['issueDeploymentKey']>;
  revoke(keyId: string): Promise<{ key: Key }>;
  /** How to call it with this key. */
  explainUse(plaintext: string): Promise<string>;
}

/** `creates`: create a project if the folder has none. */
async function findKeyOwner(
  { positionals: [slug], values, session }: Pick<SessionContext, 'positionals' | 'values' | 'session'>,
  { creates = false }: { creates?: boolean } = {},
): Promise<KeyOwner> {
  if (values.project) {
    if (slug !== undefined) throw new UsageError('"--project" stands in place of an endpoint.');
    const cloud = creates ? await session.projectClient() : await requireProjectClient(session, 'keys');
    return {
      name: 'this project',
      argument: '--project',
      list: () => cloud.listProjectKeys(),
      issue: label => cloud.issueProjectKey(label),
      revoke: keyId => cloud.revokeProjectKey(keyId),
      explainUse: async () => baseUrlLine(`${(await session.reach()).url}${OPENAI_PATH}`),
    };
  }
  if (slug === undefined)
    throw new UsageError('name an endpoint, or use "--project" for the keys of the whole project.');
  const { cloud, deployment } = await findDeployment(session, slug);
  return {
    name: deployment.slug,
    argument: deployment.slug,
    list: () => cloud.listDeploymentKeys(deployment.id),
    issue: label => cloud.issueDeploymentKey(deployment.id, label),
    revoke: keyId => cloud.revokeDeploymentKey(deployment.id, keyId),
    explainUse: async plaintext =>
      `${baseUrlLine(libraryBaseUrl(deployment))}\n\n${curlCall(deployment, plaintext)}`,
  };
}

const baseUrlLine = (url: string) => `Base URL for OpenAI's clients: ${url}`;
