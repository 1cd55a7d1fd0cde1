// `--allow`: what agents may do without asking.
import { type OptionValues, UsageError } from '../command.js';

/** What an agent asks the user for, unless `--allow` names it. @internal */
export const PERMISSIONS = ['train', 'evaluate', 'test', 'cancel', 'publish'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Repeatable, and with commas; `all` is everything. */
export function readPermissions(given: OptionValues[string]): ReadonlySet<Permission> {
  const words = (Array.isArray(given) ? given : []).flatMap(value => String(value).split(','));
  const unknown = words.find(word => word !== 'all' && !PERMISSIONS.some(name => name === word));
  if (unknown !== undefined)
    throw new UsageError(
      `option "--allow" must be all or some of ${PERMISSIONS.join(', ')}, not "${unknown}".`,
    );
  return new Set(words.includes('all') ? PERMISSIONS : (words as Permission[]));
}
