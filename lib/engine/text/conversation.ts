// A conversation with its template, and two experiments that show what the template writes where: rendering only the
// first messages, and rendering a placeholder instead of a message's text.
import type { TemplateMessage } from './chat-message.js';
import type { ChatTemplate, TemplateOptions } from './chat-template.js';
import { TextError } from './errors.js';

export interface Conversation {
  readonly template: ChatTemplate;
  readonly messages: readonly TemplateMessage[];
  readonly options: TemplateOptions;
  /** The rendered messages. */
  readonly rendered: string;
}

/** Renders the first `count` messages. Undefined if the template rejects them. */
export function renderFirst(
  { template, messages, options }: Conversation,
  count: number,
  addGenerationPrompt: boolean,
): string | undefined {
  try {
    return template.render(messages.slice(0, count), { ...options, addGenerationPrompt });
  } catch (error) {
    if (error instanceof TextError) return undefined;
    throw error;
  }
}

/** Returns what the template writes before and after the text of a message, rendered without its tool calls. */
export function renderPlaceholder(conversation: Conversation, at: number): { head: string; tail: string } {
  const { template, options, rendered } = conversation;
  const word = uniqueWord([rendered, template.source]);
  const messages = conversation.messages.map((message, index) => {
    if (index !== at) return message;
    const { tool_calls, ...plain } = message;
    return { ...plain, content: word };
  });
  const [head, tail, ...more] = template.render(messages, options).split(word);
  if (head === undefined || tail === undefined)
    rejectTemplate(conversation, at, 'it omits or changes that text');
  if (more.length > 0) rejectTemplate(conversation, at, 'it writes that text more than once');
  return { head, tail };
}

export function rejectTemplate({ template }: Conversation, at: number, why: string): never {
  throw new TextError(
    `The chat template in ${template.file} does not show where the text of messages[${at}] is: ${why}. ` +
      "Train on all tokens, or mark the assistant's text in the template with {% generation %}.",
  );
}

/** A word that none of the texts contains. Only letters, so that no template trims, splits or escapes it. */
export function uniqueWord(texts: readonly string[]): string {
  for (let attempt = 0; ; attempt++) {
    const letters = attempt.toString(26).replace(/[0-9]/g, digit => 'qrstuvwxyz'[Number(digit)]!);
    const word = `hereistheword${letters}ofthisturn`;
    if (!texts.some(text => text.includes(word))) return word;
  }
}
