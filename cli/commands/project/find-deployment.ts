// The endpoint that an argument names by its slug, its ID or the start of its ID.
import type { CloudClient } from '../../../lib/client/index.js';
import type { Deployment } from '../../../lib/contract/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import { pickById } from './pick.js';
import { requireProjectClient } from './project-client.js';

interface FoundDeployment {
  cloud: CloudClient;
  deployment: Deployment;
}

export async function findDeployment(session: Session, typed: string): Promise<FoundDeployment> {
  const cloud = await requireProjectClient(session, 'endpoints');
  const { deployments } = await cloud.listDeployments();
  const named = deployments.find(({ slug }) => slug === typed);
  const wording = { noun: 'endpoint', list: 'svc endpoints list', describe: ({ slug }: Deployment) => slug };
  return { cloud, deployment: named ?? pickById(typed, deployments, wording) };
}
