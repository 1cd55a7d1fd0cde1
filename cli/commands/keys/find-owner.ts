// Resolves whose keys a command means: the endpoint with the given slug or, with `--project`, the project
// itself.
import type { CloudClient } from '../../../lib/client/index.js';
import { curlCall, libraryBaseUrl } from '../../../lib/console/index.js';
import { type Key, OPENAI_PATH } from '../../../lib/contract/index.js';
import { UsageError } from '../../command.js';
import { findDeployment } from '../project/find.js';
import { requireProjectClient } from '../project/project-client.js';
import type { SessionContext } from '../project/session-command.js';

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
export async function findKeyOwner(
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
