// A slug belongs to the first organization that takes it, even when no endpoint uses it anymore.
import type { Transaction } from 'kysely';
import { ApiError } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';

/** Takes the slug for the organization. Throws `slug_taken` if it belongs to another one or an endpoint has it. */
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
