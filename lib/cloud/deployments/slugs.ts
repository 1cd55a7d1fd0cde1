// Which slug an endpoint may have.
import type { Transaction } from 'kysely';
import { ApiError } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';

/**
 * Takes the slug for the organization, which keeps it even when no endpoint uses it anymore. Throws `slug_taken` if it
 * belongs to another one or an endpoint has it.
 */
export async function claimSlug(
  transaction: Transaction<Tables>,
  slug: string,
  orgId: string,
): Promise<void> {
  await transaction
    .insertInto('slugs')
    .values({ slug, org_id: orgId })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const owned = await transaction
    .selectFrom('slugs')
    .leftJoin('deployments', 'deployments.slug', 'slugs.slug')
    .select(['slugs.org_id', 'deployments.id'])
    .where('slugs.slug', '=', slug)
    .executeTakeFirstOrThrow();
  if (owned.org_id !== orgId || owned.id !== null) throw slugTaken(slug);
}

/** OpenAI-style clients would retry a 409. */
function slugTaken(slug: string): ApiError {
  return new ApiError('slug_taken', `The slug \`${slug}\` is taken. Choose another one.`, {
    param: 'slug',
    headers: { 'x-should-retry': 'false' },
  });
}

/** Labels that no endpoint may have, because people would take it for the service itself. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'www api admin app assets auth billing blog cdn cloud console dashboard dev dns docs edge email ftp gateway git ' +
    'health help imap internal localhost login logout mail metrics mx ns ns1 ns2 ns3 ns4 oauth pop pop3 proxy root ' +
    'security signin signup smtp ssh ssl static status studio support svc test tls v1 v2 vpn webmail ws'
  ).split(' '),
);

/** Throws `slug_reserved`. */
export function refuseReserved(slug: string): void {
  if (!RESERVED.has(slug)) return;
  throw new ApiError('slug_reserved', `\`${slug}\` is reserved. Choose another slug.`, { param: 'slug' });
}
