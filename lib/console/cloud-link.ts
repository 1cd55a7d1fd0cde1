// Whether the cloud is reachable, judged only from calls made for other reasons: nothing is sent just to find out.
import { ApiError } from '../contract/index.js';

/** `known`: the cloud gave us an identity at some point. */
export type CloudLink = 'unknown' | 'known' | 'up' | 'away' | 'studio_gone';

export const CLOUD_LINK_TEXT: Readonly<Record<CloudLink, string>> = {
  unknown: 'checking cloud…',
  known: 'cloud linked',
  up: 'cloud up',
  away: 'cloud unreachable',
  studio_gone: 'Studio stopped',
};

/** After a successful call; `isUpstream` if the cloud had to answer it. */
export function linkAfterAnswer(link: CloudLink, isUpstream: boolean): CloudLink {
  if (isUpstream) return 'up';
  return link === 'studio_gone' ? 'unknown' : link;
}

/** After a failed call: an error from the cloud itself shows that it is up. */
export function linkAfterError(link: CloudLink, error: unknown): CloudLink {
  if (!(error instanceof ApiError)) return link;
  if (error.code === 'studio_unreachable') return 'studio_gone';
  return error.code === 'cloud_unreachable' ? 'away' : linkAfterAnswer(link, false);
}

/** With an identity, the cloud has been reached before, perhaps by an earlier Studio. */
export function linkWithIdentity(link: CloudLink): CloudLink {
  return link === 'unknown' ? 'known' : link;
}

/** After this long, a view reports that there is no answer and keeps waiting. */
export const NO_ANSWER_MS = 20_000;

export function noAnswer(ms: number): ApiError {
  const message = `No answer for ${ms / 1000} s. Still waiting; check that \`svc dev\` and the cloud are running.`;
  return new ApiError('cloud_unreachable', message);
}
