// Who calls, for all views: asked for once, and again after what may have made the project.
import { shallowRef } from 'vue';
import type { ApiError, Identity } from '../lib/contract/index.js';
import { studio } from './studio.js';

export const identity = shallowRef<Identity>();
export const identityError = shallowRef<ApiError>();

export async function readIdentity(): Promise<void> {
  try {
    identity.value = await studio.getIdentity();
    identityError.value = undefined;
  } catch (error) {
    identityError.value = error as ApiError;
  }
}

/** After the first run, the first chat or the first endpoint there is a project to show. */
export function noticeProject(): void {
  if (!identity.value?.projectSlug) void readIdentity();
}
