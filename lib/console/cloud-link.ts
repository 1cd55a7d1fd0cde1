// Whether the cloud is there, as far as the calls that were made anyway tell: nobody is asked for it.
import { ApiError } from '../contract/index.js';

/** `known`: it gave us an identity, whenever that was. */
export type CloudLink = 'unknown' | 'known' | 'up' | 'away' | 'studio_gone';

export const CLOUD_LINK_TEXT: Readonly<Record<CloudLink, string>> = {
  unknown: 'cloud not asked',
  known: 'cloud known',
  up: 'cloud up',
  away: 'cloud unreachable',
  studio_gone: 'Studio is gone',
};

/** After a call that went well; `isUpstream` when the cloud had to answer it. */
export function linkAfterAnswer(link: CloudLink, isUpstream: boolean): CloudLink {
  if (isUpstream) return 'up';
  return link === 'studio_gone' ? 'unknown' : link;
}

/** After a call that failed: an error of the cloud's own shows that it is there. */
export function linkAfterError(link: CloudLink, error: unknown): CloudLink {
  if (!(error instanceof ApiError)) return link;
  if (error.code === 'studio_unreachable') return 'studio_gone';
  return error.code === 'cloud_unreachable' ? 'away' : linkAfterAnswer(link, false);
}

/** For who has an identity: the cloud was asked for it, though perhaps by an earlier Studio. */
export function linkWithIdentity(link: CloudLink): CloudLink {
  return link === 'unknown' ? 'known' : link;
}

/** After this long a view says that it has no answer, and goes on waiting. */
export const NO_ANSWER_MS = 20_000;

export function noAnswer(ms: number): ApiError {
  const message = `No answer for ${ms / 1000} s. Still waiting; check that \`svc dev\` and the cloud are running.`;
  return new ApiError('cloud_unreachable', message);
}
