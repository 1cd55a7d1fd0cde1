// Conversations to tokens, each with whether it is to be learned.
import { findAssistantSpans, type TextSpan } from './assistant-spans.js';
import type { TemplateMessage } from './chat-message.js';
import type { ChatTemplate, TemplateOptions } from './chat-template.js';
import type { Conversation } from './conversation.js';
import { readGenerationTags } from './generation-tags.js';
import type { SpecialTokens } from './special-tokens.js';
import { createTokenLocator } from './token-locator.js';
import type { Tokenizer } from './tokenizer.js';
import { createEndingsFinder, endingOf } from './turn-endings.js';

export type TrainOn = 'assistant' | 'all';

export interface EncodeChatOptions extends TemplateOptions {
  /** The assistant's turns with their end-of-turn markers, or everything. */
  readonly trainOn: TrainOn;
}

export interface EncodedText {
  readonly ids: Int32Array;
  /** Of each token, whether it is a label. The first never is: nothing comes before it to tell it from. */
  readonly supervised: boolean[];
}

export interface ChatEncoder {
  /** Turns before message `first` are read, not learned. */
  encode(messages: readonly TemplateMessage[], first: number, options: EncodeChatOptions): EncodedText;
  /** The token that the template ends the assistant's turns with. */
  findEndOfTurn(): number | undefined;
}

export function createChatEncoder(
  template: ChatTemplate,
  tokenizer: Tokenizer,
  special: SpecialTokens,
): ChatEncoder {
  const { vocabulary, tokenize } = tokenizer;
  const markers = vocabulary.added.filter(token => token.special).map(({ content }) => content);
  const findEndings = createEndingsFinder(markers);
  const endsOfText = special.eosIds.flatMap(id => vocabulary.tokenOf(id) ?? []);
  const marksOf = readGenerationTags(template, special.variables);

  function findSpans(conversation: Conversation, first: number): TextSpan[] {
    const { messages, rendered, options } = conversation;
    const marked = marksOf(messages, rendered, options);
    if (!marked) return findAssistantSpans(conversation, first, findEndings);
    const before = messages.slice(0, first);
    const skipped = first > 0 ? marksOf(before, template.render(before, options), options) : [];
    // What ends the turn belongs to it, also where the template closes its tag before that.
    return marked.slice(skipped?.length).map(({ start, end }) => ({
      start,
      end: end + endingOf(rendered.slice(end), endsOfText).length,
    }));
  }

  return {
    encode(messages, first, { trainOn, ...options }) {
      const rendered = template.render(messages, options);
      const tokens = tokenize(rendered);
      const supervised = tokens.ids.map(() => trainOn === 'all');
      if (trainOn === 'assistant') {
        const locate = createTokenLocator(tokenizer, rendered, tokens);
        for (const { start, end } of findSpans({ template, messages, options, rendered }, first)) {
          supervised.fill(true, locate(start), locate(end));
        }
      }
      if (supervised.length > 0) supervised[0] = false;
      return { ids: Int32Array.from(tokens.ids), supervised };
    },
    findEndOfTurn() {
      const messages = [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ];
      const conversation = { template, messages, options: {}, rendered: template.render(messages) };
      return vocabulary.idOf(findEndings(conversation, 1).at(-1)!.trim());
    },
  };
}
