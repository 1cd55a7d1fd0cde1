// The text to show for an error.

/** The error's message. An empty one becomes a sentence, so that no banner is blank. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error ?? '');
  return message.trim() === '' ? 'The request failed without giving a reason. Try again.' : message;
}
