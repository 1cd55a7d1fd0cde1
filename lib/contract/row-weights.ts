// Which answers of a row are learned: its assistant messages, except those with `weight: 0`. Requests have no such field.

/** The messages before the answer of a row. Those of the assistant are only read. */
export function asContext<Message extends { readonly role: string }>(
  messages: readonly Message[],
): (Message & { weight?: number })[] {
  return messages.map(message => (message.role === 'assistant' ? { ...message, weight: 0 } : message));
}

/** The message as it is asked. */
export function withoutWeight<Message>(message: Message): Message {
  if (typeof message !== 'object' || message === null) return message;
  const { weight: _, ...asked } = message as { weight?: unknown };
  return asked as Message;
}
