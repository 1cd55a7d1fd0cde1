// Who calls, for the header of both faces. An anonymous identity is made when there is none; a token is never told.
import type { CloudCredentials, Identity } from '../../contract/index.js';
import type { Session } from '../../sdk/index.js';

export async function readIdentity(session: Session): Promise<Identity> {
  return describe(await session.identify(), session);
}

/** The same without making one: null when we are nobody yet. Calls nobody. */
export async function peekIdentity(session: Session): Promise<Identity | null> {
  const who = await session.credentials();
  return who && describe(who, session);
}

async function describe(who: CloudCredentials, session: Session): Promise<Identity> {
  const [cloud, state] = await Promise.all([session.choose(), session.state()]);
  const orgSlug = who.mode === 'anonymous' ? who.orgSlug : (state?.orgSlug ?? who.orgSlug ?? null);
  return {
    mode: who.mode,
    orgSlug,
    projectSlug: state && state.orgSlug === orgSlug ? state.projectSlug : null,
    cloudHost: cloud.url === null ? cloud.key : new URL(cloud.url).host,
    deploymentDomain: who.deploymentDomain,
    baseModel: who.baseModel,
  };
}
