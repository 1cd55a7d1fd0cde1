// The rule for a deployment's label. Reserved labels are the cloud's business, not this rule's.

export const SLUG_MIN_LENGTH = 2;
export const SLUG_MAX_LENGTH = 50;

/** The whole text must match, so the shortest slug has two characters. */
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;

export function isSlug(text: string): boolean {
  return text.length >= SLUG_MIN_LENGTH && text.length <= SLUG_MAX_LENGTH && SLUG_PATTERN.test(text);
}
