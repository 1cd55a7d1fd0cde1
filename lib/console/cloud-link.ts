// Whether the cloud is reachable, judged from calls made for other reasons; where there are none, it is asked now and then.
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

/** How often a face considers whether to ask. */
export const LINK_POLL_MS = 5000;
/** A page on which nothing changes asks for nothing, or rarely. */
const QUIET_MS = 18_000;

/** Whether to ask only to find out, after so long without a call that the cloud had to answer. Without a project, it need not. */
export function isToAsk(link: CloudLink, quietMs: number, hasProject: boolean): boolean {
  return (isAway(link) || hasProject) && quietMs >= (isAway(link) ? LINK_POLL_MS / 2 : QUIET_MS);
}

export function isAway(link: CloudLink): link is 'away' | 'studio_gone' {
  return link === 'away' || link === 'studio_gone';
}

/** What happened and what to do, for a banner on every page; null while there is nothing to say. `problem`: the last error. */
export function awayNotice(link: CloudLink, problem: string | null): string | null {
  if (link === 'studio_gone')
    return 'Studio has stopped, so nothing here is up to date. Run `svc dev` again, then reload this page.';
  if (link !== 'away') return null;
  const said = problem ?? 'The cloud does not answer. Run `svc doctor` to find out why.';
  return `${said} What you see may be out of date; it updates once the cloud answers.`;
}

/** After this long, a view reports that there is no answer and keeps waiting. */
export const NO_ANSWER_MS = 20_000;

export function noAnswer(ms: number): ApiError {
  const message = `No answer for ${ms / 1000} s. Still waiting; check that \`svc dev\` and the cloud are running.`;
  return new ApiError('cloud_unreachable', message);
}
