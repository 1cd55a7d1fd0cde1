// Cloud state shared by all views: our identity, and whether the cloud is reachable.
import { ref, shallowRef } from 'vue';
import { realClock } from '../lib/clock/index.js';
import {
  awayNotice,
  type CloudLink,
  createIdentityWatch,
  createLinkWatch,
  IDENTITY_POLL_MS,
} from '../lib/console/index.js';
import { ApiError, type Identity, readEnvelope } from '../lib/contract/index.js';
import { isStale, onResponse, studio } from './studio.js';

/** Fetched at startup, polled while the cloud is unreachable or there is no project yet, and then checked now and then. */
export const identity = shallowRef<Identity>();
export const identityError = shallowRef<ApiError>();

const identityWatch = createIdentityWatch({
  getIdentity: options => studio.getIdentity(options),
  onIdentity(answer) {
    if (JSON.stringify(answer) !== JSON.stringify(identity.value)) identity.value = answer;
    identityError.value = undefined;
  },
  onError(error) {
    identityError.value = error as ApiError;
  },
  isOver: () => isStale.value,
  retryMs: IDENTITY_POLL_MS,
  clock: realClock,
});

export const { ask: readIdentity, noticeProject } = identityWatch;

/**
 * Called with what the cloud says is its base model, which it tells without a project, too. A cloud that gives no identity is not
 * back, however: that would be asked for at once, again and again.
 */
export function noticeModel(name: string | undefined): void {
  if (name !== undefined && !identityError.value) watch.answered(true);
  identityWatch.noticeModel(name);
}

/** Whether the cloud is reachable, judged from regular API calls. Pages that make none poll now and then. */
export const link = shallowRef<CloudLink>('unknown');

const problem = shallowRef<string | null>(null);

/** Calls that reach the cloud; Studio answers all others itself. */
const UPSTREAM = /^\/api\/(jobs|deployments|evaluations|inference|overview|base-model|cluster)/;

/** How many banners in the view already report it. */
export const bannersShown = ref(0);

/** The notice for every page; null while the cloud is reachable. */
export const cloudNotice = () => (bannersShown.value > 0 ? null : awayNotice(link.value, problem.value));

const watch = createLinkWatch({
  ask() {
    if (!document.hidden && !isStale.value) void askCloud().catch(() => {});
  },
  hasProject,
  onChange(now, message) {
    link.value = now;
    problem.value = message;
  },
  clock: realClock,
});

function hasProject(): boolean {
  return Boolean(identity.value?.projectSlug);
}

async function askCloud(): Promise<void> {
  if (hasProject()) await studio.getCluster();
  else noticeModel((await studio.getBaseModel()).baseModel?.name);
}

onResponse((path, outcome) => {
  if (isUpstream(path)) watch.callStarted();
  if (outcome === 'no answer') watch.failed(new ApiError('studio_unreachable', ''));
  else if (outcome.ok) watch.answered(isUpstream(path));
  else if (outcome.status === 502) void noteRefusal(outcome);
});

/** Creating the first identity needs the cloud; without a project, Studio answers everything else. */
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
  if (error?.code === 'cloud_unreachable') watch.failed(new ApiError(error.code, error.message));
}
