// Who we are on a cloud, in the shape of the API. There is no token in it, and nobody is called.
import type { CloudCredentials, Identity } from '../../../lib/contract/index.js';
import type { ChosenCloud, Session } from '../../../lib/sdk/index.js';

export async function describeIdentity(session: Session, who: CloudCredentials): Promise<Identity> {
  const [cloud, state] = await Promise.all([session.choose(), session.state()]);
  return {
    mode: who.mode,
    orgSlug: state?.orgSlug ?? who.orgSlug ?? null,
    projectSlug: state?.projectSlug ?? null,
    cloudHost: hostOf(cloud),
    deploymentDomain: who.deploymentDomain,
    baseModel: who.baseModel,
  };
}

export function hostOf({ key, url }: ChosenCloud): string {
  return url === null ? key : new URL(url).host;
}
