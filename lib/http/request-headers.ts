// Headers that say what the client already has: a version of a list, or events up to a number.
import { ApiError } from '../contract/index.js';

/** Whether the client has this version. A proxy may have weakened the tag. */
export function isKnownTag({ headers }: Request, tag: string): boolean {
  return knownTags({ headers }).some(known => known === tag || known === '*');
}

/** Tags of the versions that the caller has. */
export function knownTags({ headers }: Pick<Request, 'headers'>): string[] {
  const given = headers.get('if-none-match')?.split(',') ?? [];
  return given.map(known => known.trim().replace(/^W\//, ''));
}

/** The last event's number. The `Last-Event-ID` of a reconnecting reader takes precedence over its URL. */
export function readCursor({ headers }: Request, after: string | undefined): string | undefined {
  const last = headers.get('last-event-id');
  if (!last) return after;
  if (/^\d{1,15}$/.test(last)) return last;
  throw new ApiError('invalid_value', '`Last-Event-ID` must be an event number.', {
    param: 'Last-Event-ID',
  });
}
