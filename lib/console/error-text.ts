// What stands in place of something that could not be had.

/** The message of an error. One that says nothing gets a sentence, so that no banner is empty. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error ?? '');
  return message.trim() === '' ? 'The request failed without giving a reason. Try again.' : message;
}
