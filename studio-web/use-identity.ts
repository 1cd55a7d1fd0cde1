// The caller's identity, shared by all views. Fetched at startup, then polled while the cloud is away or there is no
// project yet.
import { shallowRef } from 'vue';
import { realClock, type Timer } from '../lib/clock/index.js';
import { awaitsProject, IDENTITY_POLL_MS, isPassing } from '../lib/console/index.js';
import type { ApiError, Identity } from '../lib/contract/index.js';
import { isStale, studio } from './studio.js';

export const identity = shallowRef<Identity>();
export const identityError = shallowRef<ApiError>();

let timer: Timer | undefined;

export async function readIdentity(): Promise<void> {
  timer?.stop();
  try {
    const answer = await studio.getIdentity();
    if (JSON.stringify(answer) !== JSON.stringify(identity.value)) identity.value = answer;
    identityError.value = undefined;
    if (awaitsProject(answer)) askAgain();
  } catch (error) {
    identityError.value = error as ApiError;
    if (isPassing(error)) askAgain();
  }
}

/** The first run, chat or endpoint creates the project: fetch it to show it. */
export function noticeProject(): void {
  if (!identity.value?.projectSlug) void readIdentity();
}

function askAgain(): void {
  timer?.stop();
  if (!isStale.value) timer = realClock.after(IDENTITY_POLL_MS, readIdentity);
}
