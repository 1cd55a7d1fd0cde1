// Whether the cloud is reachable, judged from calls made for other reasons; where there are none, it is asked now and then.
import type { Clock } from '../clock/index.js';
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

/** The same where there is little room. */
export const SHORT_LINK_TEXT: Readonly<Record<CloudLink, string>> = {
  unknown: 'cloud',
  known: 'cloud',
  up: 'cloud',
  away: 'no cloud',
  studio_gone: 'no Studio',
};

/** After a successful call; `isUpstream` if the cloud had to answer it. */
function linkAfterAnswer(link: CloudLink, isUpstream: boolean): CloudLink {
  if (isUpstream) return 'up';
  return link === 'studio_gone' ? 'unknown' : link;
}

/** After a failed call: an error from the cloud itself shows that it is up. */
function linkAfterError(link: CloudLink, error: unknown): CloudLink {
  if (!(error instanceof ApiError)) return link;
  if (error.code === 'studio_unreachable') return 'studio_gone';
  return error.code === 'cloud_unreachable' ? 'away' : linkAfterAnswer(link, false);
}

/** With an identity, the cloud has been reached before, perhaps by an earlier Studio. */
export function linkWithIdentity(link: CloudLink): CloudLink {
  return link === 'unknown' ? 'known' : link;
}

/** How often a face considers whether to ask. */
const LINK_POLL_MS = 5000;
/** A page on which nothing changes asks for nothing, or rarely. */
const QUIET_MS = 18_000;

/** Whether to ask only to find out, after so long without a call that the cloud had to answer. Without a project, it need not. */
function isToAsk(link: CloudLink, quietMs: number, hasProject: boolean): boolean {
  return (isAway(link) || hasProject) && quietMs >= (isAway(link) ? LINK_POLL_MS / 2 : QUIET_MS);
}

const UNREACHABLE = ['cloud_unreachable', 'studio_unreachable'];

interface LinkWatchOptions {
  /** Asks for something small: whoever asks for nothing would never notice that the cloud is away, or back. */
  ask(): void;
  /** Without a project, Studio answers without asking the cloud. */
  hasProject(): boolean;
  /** `problem`: what the last failure to reach it said; it stays while other calls succeed without the cloud. */
  onChange(link: CloudLink, problem: string | null): void;
  readonly clock: Clock;
}

interface LinkWatch {
  /** A call is made that the cloud has to answer. */
  asked(): void;
  answered(isUpstream: boolean): void;
  failed(error: unknown): void;
  stop(): void;
}

export function createLinkWatch({ ask, hasProject, onChange, clock }: LinkWatchOptions): LinkWatch {
  let link: CloudLink = 'unknown';
  let problem: string | null = null;
  let askedAt = clock.elapsed();
  const timer = clock.every(LINK_POLL_MS, () => {
    if (isToAsk(link, clock.elapsed() - askedAt, hasProject())) ask();
  });

  function change(to: CloudLink, said: string | null): void {
    if (to === link && said === problem) return;
    [link, problem] = [to, said];
    onChange(link, problem);
  }
  const become = (to: CloudLink) => change(to, isAway(to) ? problem : null);

  return {
    asked() {
      askedAt = clock.elapsed();
    },
    answered: isUpstream => become(linkAfterAnswer(link, isUpstream)),
    failed(error) {
      if (error instanceof ApiError && UNREACHABLE.includes(error.code))
        change(linkAfterError(link, error), error.message);
      else become(linkAfterError(link, error));
    },
    stop: timer.stop,
  };
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

/** After this long, a view says that it is loading. */
export const SLOW_MS = 150;
/** After this long, a view reports that there is no answer and keeps waiting. */
export const NO_ANSWER_MS = 20_000;

export function noAnswer(ms: number): ApiError {
  const message = `No answer for ${ms / 1000} s. Still waiting; check that \`svc dev\` and the cloud are running.`;
  return new ApiError('cloud_unreachable', message);
}
