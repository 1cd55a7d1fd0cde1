// When to fetch the identity again. Once there is one, fetching it sends nothing to the cloud.
import type { ApiError, Identity } from '../contract/index.js';

export const IDENTITY_POLL_MS = 1000;

/** The first run, chat or endpoint creates the project, perhaps from another window or terminal. */
export function awaitsProject({ projectSlug }: Identity): boolean {
  return projectSlug === null;
}

/** An error that clears once the cloud or Studio is back. */
export function isPassing(error: unknown): boolean {
  return ((error as Partial<ApiError> | null)?.status ?? 0) >= 500;
}
