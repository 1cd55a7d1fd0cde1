// The rule for a deployment's slug. The cloud checks reserved labels separately.

export const SLUG_MIN_LENGTH = 2;
export const SLUG_MAX_LENGTH = 50;

/** The pattern needs a first and a last character, so the shortest slug has two. */
export const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]*[a-z0-9]$/;

export function isSlug(text: string): boolean {
  return text.length >= SLUG_MIN_LENGTH && text.length <= SLUG_MAX_LENGTH && SLUG_PATTERN.test(text);
}
