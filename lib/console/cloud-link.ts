// The cloud's state: whether it is reachable, judged from other calls (or occasional checks if there are
// none), and the identity that it gave us.
import type { Clock, Timer } from '../clock/index.js';
import { ApiError, type Identity } from '../contract/index.js';

/** `known`: the cloud gave us an identity at some point. */
export type CloudLink = 'unknown' | 'known' | 'up' | 'away' | 'studio_gone';

export const CLOUD_LINK_TEXT: Readonly<Record<CloudLink, string>> = {
  unknown: 'checking cloud…',
  known: 'cloud linked',
  up: 'cloud up',
  away: 'cloud unreachable',
  studio_gone: 'Studio stopped',
};

/** Short forms for narrow screens. */
export const SHORT_LINK_TEXT: Readonly<Record<CloudLink, string>> = {
  unknown: 'cloud',
  known: 'cloud',
  up: 'cloud',
  away: 'no cloud',
  studio_gone: 'no Studio',
};

/** The state after a successful call; `isUpstream` if the cloud had to answer it. */
function linkAfterAnswer(link: CloudLink, isUpstream: boolean): CloudLink {
  if (isUpstream) return 'up';
  return link === 'studio_gone' ? 'unknown' : link;
}

/** The state after a failed call: an error from the cloud itself shows that it is up. */
function linkAfterError(link: CloudLink, error: unknown): CloudLink {
  if (!(error instanceof ApiError)) return link;
  if (error.code === 'studio_unreachable') return 'studio_gone';
  return error.code === 'cloud_unreachable' ? 'away' : linkAfterAnswer(link, false);
}

/** An identity shows that the cloud was reached before, perhaps by an earlier Studio. */
export function linkWithIdentity(link: CloudLink): CloudLink {
  return link === 'unknown' ? 'known' : link;
}

/** How often to decide whether to check the cloud. */
const LINK_POLL_MS = 5000;
/** How long to go without a cloud call before checking. An idle page makes few calls. */
const QUIET_MS = 18_000;

/**
 * Whether to check the cloud after this long without a call that it had to answer. Without a project, only
 * while it is away.
 */
function shouldCheck(link: CloudLink, quietMs: number, hasProject: boolean): boolean {
  return (isAway(link) || hasProject) && quietMs >= (isAway(link) ? LINK_POLL_MS / 2 : QUIET_MS);
}

const UNREACHABLE = ['cloud_unreachable', 'studio_unreachable'];

interface LinkWatchOptions {
  /** Sends a small request. Otherwise an idle page would not notice that the cloud is away, or back. */
  ask(): void;
  /** Without a project, Studio responds without calling the cloud. */
  hasProject(): boolean;
  /**
   * `problem`: the last error reaching the cloud; it stays while calls that do not need the cloud succeed.
   */
  onChange(link: CloudLink, problem: string | null): void;
  readonly clock: Clock;
}

interface LinkWatch {
  /** A call that the cloud has to answer was started. */
  callStarted(): void;
  answered(isUpstream: boolean): void;
  failed(error: unknown): void;
  stop(): void;
}

export function createLinkWatch({ ask, hasProject, onChange, clock }: LinkWatchOptions): LinkWatch {
  let link: CloudLink = 'unknown';
  let problem: string | null = null;
  let askedAt = clock.elapsed();
  const timer = clock.every(LINK_POLL_MS, () => {
    if (shouldCheck(link, clock.elapsed() - askedAt, hasProject())) ask();
  });

  function change(to: CloudLink, nextProblem: string | null): void {
    if (to === link && nextProblem === problem) return;
    [link, problem] = [to, nextProblem];
    onChange(link, problem);
  }
  const become = (to: CloudLink) => change(to, isAway(to) ? problem : null);

  return {
    callStarted() {
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

/**
 * What happened and what to do, for a banner on every page; null if all is well. `problem`: the last error.
 */
export function awayNotice(link: CloudLink, problem: string | null): string | null {
  if (link === 'studio_gone')
    return 'Studio has stopped, so nothing here is up to date. Run `svc dev` again, then reload this page.';
  if (link !== 'away') return null;
  const reason = problem ?? 'The cloud does not answer. Run `svc doctor` to find out why.';
  return `${reason} What you see may be out of date; svc keeps trying to reach the cloud.`;
}

/** After this long, a view shows that it is loading. */
export const SLOW_MS = 150;
/** After this long, a view reports that there is no response, and keeps waiting. */
export const NO_RESPONSE_MS = 20_000;

/** A page of a long list, and where the next one starts. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The last page, with the items of all pages. */
type Pages<Item, More> = Page<Item> & More;

/** Reads pages until there are at least `count` items or no more pages; `known` holds the first items. */
export async function readPages<Item, More>(
  ask: (cursor: string | undefined) => Promise<Page<Item> & More>,
  count: number,
  known: Pages<Item, More> | null = null,
): Promise<Pages<Item, More>> {
  let found = known;
  while (!found || (found.nextCursor !== null && found.items.length < count)) {
    const page = await ask(found?.nextCursor ?? undefined);
    found = { ...page, items: [...(found?.items ?? []), ...page.items] };
  }
  return found;
}

export function noResponse(ms: number): ApiError {
  const message = `No answer for ${ms / 1000} s. Still waiting; check that \`svc dev\` and the cloud are running.`;
  return new ApiError('cloud_unreachable', message);
}

export const IDENTITY_POLL_MS = 1000;
/** How often to check the identity, which `svc login` or `svc link` may have changed. @internal */
export const IDENTITY_CHECK_MS = 60_000;
const CHECK_RETRY_MS = 5000;

interface IdentityWatch {
  readonly identity: Identity | null;
  ask(): Promise<void>;
  /** Checks whether it has changed, without creating one; asks if none is known yet. */
  check(): Promise<void>;
  /**
   * Called when a project may have been created, by the first run, chat or endpoint: refreshes the identity
   * unless the project is known.
   */
  noticeProject(): void;
  /** Called with what the cloud says is its base model: refreshes an identity that names another one. */
  noticeModel(name: string | undefined): void;
  stop(): void;
}

interface IdentityWatchOptions {
  /** `known`: does not create one if it is gone. */
  getIdentity(options: { readonly known: boolean }): Promise<Identity>;
  onIdentity(identity: Identity): void;
  onError(error: unknown): void;
  /** The watch has been closed. */
  isOver(): boolean;
  /** The wait after errors that clear once the cloud or Studio is back, or a file is fixed. */
  readonly retryMs: number;
  readonly clock: Clock;
}

/**
 * Fetches the identity at the start, and again while that fails or there is no project. Once there is one, this
 * only checks it now and then, which sends nothing to the cloud.
 */
export function createIdentityWatch(options: IdentityWatchOptions): IdentityWatch {
  const { getIdentity, onIdentity, onError, isOver, retryMs, clock } = options;
  let identity: Identity | null = null;
  let again: Timer | undefined;

  async function ask({ known = false } = {}): Promise<void> {
    again?.stop();
    try {
      identity = await getIdentity({ known });
      if (isOver()) return;
      onIdentity(identity);
      askIn(identity.projectSlug === null ? IDENTITY_POLL_MS : IDENTITY_CHECK_MS, true);
    } catch (error) {
      if (isOver()) return;
      onError(error);
      if (isPassing(error)) askIn(known ? Math.max(retryMs, CHECK_RETRY_MS) : retryMs, known);
      else if (isSignedOut(error)) askIn(IDENTITY_CHECK_MS, true);
    }
  }

  function askIn(ms: number, known: boolean): void {
    again?.stop();
    again = clock.after(ms, () => {
      if (!isOver()) void ask({ known });
    });
  }

  return {
    get identity() {
      return identity;
    },
    ask: () => ask(),
    check: () => ask({ known: identity !== null }),
    noticeProject() {
      if (identity?.projectSlug == null) void ask();
    },
    noticeModel(name) {
      if (identity && name !== undefined && name !== identity.baseModel) void ask({ known: true });
    },
    stop: () => again?.stop(),
  };
}

/** There is no identity until someone signs in. */
function isSignedOut(error: unknown): boolean {
  return ['unauthenticated', 'anonymous_disabled'].includes((error as Partial<ApiError> | null)?.code ?? '');
}

/** Bad local files: someone may fix them, or is just writing them. */
const FILE_ERRORS = ['state_invalid', 'credentials_invalid'];

function isPassing(error: unknown): boolean {
  const { status = 0, code = '' } = (error ?? {}) as Partial<ApiError>;
  return status >= 500 || FILE_ERRORS.includes(code);
}
