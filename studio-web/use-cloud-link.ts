// Whether the cloud is there, judged from calls made for other reasons. A page that makes none asks now and then.
import { ref, shallowRef } from 'vue';
import { realClock } from '../lib/clock/index.js';
import {
  awayNotice,
  type CloudLink,
  isToAsk,
  LINK_POLL_MS,
  linkAfterAnswer,
  linkAfterError,
} from '../lib/console/index.js';
import { ApiError, readEnvelope } from '../lib/contract/index.js';
import { isStale, onAnswer, studio } from './studio.js';
import { identity } from './use-identity.js';

export const link = shallowRef<CloudLink>('unknown');

const problem = shallowRef<string | null>(null);

/** Studio answers the rest itself. */
const UPSTREAM = /^\/api\/(jobs|deployments|inference|overview|cluster)/;

/** How many banners of the view say it already. */
export const saidHere = ref(0);

/** What to say on every page; null while the cloud is there. */
export const cloudNotice = () => (saidHere.value > 0 ? null : awayNotice(link.value, problem.value));

/** When the cloud last had to answer. */
let askedAt = realClock.elapsed();

onAnswer((path, outcome) => {
  if (isUpstream(path)) askedAt = realClock.elapsed();
  if (outcome === 'no answer')
    link.value = linkAfterError(link.value, new ApiError('studio_unreachable', ''));
  else if (outcome.ok) link.value = linkAfterAnswer(link.value, isUpstream(path));
  else if (outcome.status === 502) void noteRefusal(outcome);
});

/** A first identity comes from the cloud; without a project, Studio answers the rest. */
function isUpstream(path: string): boolean {
  if (!identity.value) return path === '/api/credentials';
  return UPSTREAM.test(path) && identity.value.projectSlug !== null;
}

async function noteRefusal(response: Response): Promise<void> {
  const error = readEnvelope(
    await response
      .clone()
      .json()
      .catch(() => null),
    response.status,
  );
  if (error?.code !== 'cloud_unreachable') return;
  problem.value = error.message;
  link.value = linkAfterError(link.value, new ApiError(error.code, error.message));
}

realClock.every(LINK_POLL_MS, askAgain);

/** A small answer. Without a project, Studio gives it without the cloud; the identity is then fetched again anyway. */
function askAgain(): void {
  if (document.hidden || isStale.value) return;
  const hasProject = Boolean(identity.value?.projectSlug);
  if (isToAsk(link.value, realClock.elapsed() - askedAt, hasProject))
    void studio.getCluster().catch(() => {});
}
