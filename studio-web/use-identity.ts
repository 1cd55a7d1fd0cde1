// The caller's identity, shared by all views. Fetched at startup, then polled while the cloud is away or there is no
// project yet.
import { shallowRef } from 'vue';
import { realClock } from '../lib/clock/index.js';
import { createIdentityWatch, IDENTITY_POLL_MS } from '../lib/console/index.js';
import type { ApiError, Identity } from '../lib/contract/index.js';
import { isStale, studio } from './studio.js';

export const identity = shallowRef<Identity>();
export const identityError = shallowRef<ApiError>();

export const { ask: readIdentity, noticeProject } = createIdentityWatch({
  getIdentity: () => studio.getIdentity(),
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
