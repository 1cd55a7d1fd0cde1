// Our identity on a cloud, as the API returns it. Contains no token and makes no requests.
import type { CloudCredentials, Identity } from '../../contract/index.js';
import type { ChosenCloud } from './choose-cloud.js';
import type { Session } from './session.js';

/** An anonymous identity has only one organization, so a state file that names another one is not ours. */
export async function describeIdentity(session: Session, who: CloudCredentials): Promise<Identity> {
  const [cloud, state] = await Promise.all([session.choose(), session.state()]);
  const orgSlug = who.mode === 'anonymous' ? who.orgSlug : (state?.orgSlug ?? who.orgSlug ?? null);
  return {
    mode: who.mode,
    orgSlug,
    projectSlug: state && state.orgSlug === orgSlug ? state.projectSlug : null,
    cloudHost: cloud.isProduction ? null : hostOf(cloud),
    deploymentDomain: who.deploymentDomain,
    baseModel: who.baseModel,
  };
}

export function hostOf({ key, url }: ChosenCloud): string {
  return url === null ? key : new URL(url).host;
}
