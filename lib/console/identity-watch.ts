// When a face asks again who calls: nothing is sent to the cloud for it once there is an identity.
import type { ApiError, Identity } from '../contract/index.js';

export const IDENTITY_POLL_MS = 1000;

/** The first run, chat or endpoint creates the project, perhaps from elsewhere. */
export function awaitsProject({ projectSlug }: Identity): boolean {
  return projectSlug === null;
}

/** An error that goes away by itself, when the cloud or Studio is there again. */
export function isPassing(error: unknown): boolean {
  return ((error as Partial<ApiError> | null)?.status ?? 0) >= 500;
}
