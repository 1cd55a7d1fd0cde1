/** Of Safari's keys that end a composition, only this code says so. */
const COMPOSING = 229;

/** Whether the key belongs to an input method, which composes a character with it. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === COMPOSING;
}
