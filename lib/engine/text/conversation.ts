// A conversation with its template, and the two experiments that tell what the template writes where: rendering only
// the first messages, and rendering a word in place of a message's text.
import { basename } from 'node:path';
import type { TemplateMessage } from './chat-message.js';
import type { ChatTemplate, TemplateOptions } from './chat-template.js';
import { TextError } from './errors.js';
import { unusedWord } from './unused-word.js';

export interface Conversation {
  readonly template: ChatTemplate;
  readonly messages: readonly TemplateMessage[];
  readonly options: TemplateOptions;
  /** The messages as the template writes them. */
  readonly rendered: string;
}

/** The messages before `count`; undefined where the template refuses so few. */
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

/** What is written around the text of a message, which is left without calls. */
export function renderStandIn(conversation: Conversation, at: number): { head: string; tail: string } {
  const { template, options, rendered } = conversation;
  const word = unusedWord([rendered, template.source]);
  const messages = conversation.messages.map((message, index) => {
    if (index !== at) return message;
    const { tool_calls, ...plain } = message;
    return { ...plain, content: word };
  });
  const [head, tail, ...more] = template.render(messages, options).split(word);
  if (head === undefined || tail === undefined)
    fail(conversation, at, 'it leaves that text out or alters it');
  if (more.length > 0) fail(conversation, at, 'it writes that text more than once');
  return { head, tail };
}

export function fail({ template }: Conversation, at: number, why: string): never {
  throw new TextError(
    `The chat template in ${basename(template.path)} does not let tell where the text of messages[${at}] is: ${why}. ` +
      'Train on all tokens, or mark what the assistant says in the template with {% generation %}.',
  );
}
