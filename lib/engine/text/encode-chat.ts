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

/** Which of the assistant's turns are learned: from message `first` on, but for the muted ones. */
export interface TurnChoice {
  readonly first: number;
  readonly muted: readonly number[];
}

export const ALL_TURNS: TurnChoice = { first: 0, muted: [] };

export interface EncodedText {
  readonly ids: Int32Array;
  /** Of each token, whether it is a label. The first never is: nothing comes before it to tell it from. */
  readonly supervised: boolean[];
}

export interface ChatEncoder {
  /** Of these messages only what `choice` takes is learned; the others are read. */
  encode(messages: readonly TemplateMessage[], choice: TurnChoice, options: EncodeChatOptions): EncodedText;
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

  /** Of the given turns, which are the assistant's. */
  function findSpans(conversation: Conversation, turns: readonly number[]): TextSpan[] {
    const { messages, rendered, options } = conversation;
    if (turns.length === 0) return [];
    const marked = marksOf(messages, rendered, options);
    if (!marked) return findAssistantSpans(conversation, turns, findEndings);
    // What ends the turn belongs to it, also where the template closes its tag before that.
    return chooseMarks(conversation, marked, turns).map(({ start, end }) => ({
      start,
      end: end + endingOf(rendered.slice(end), endsOfText).length,
    }));
  }

  /** A turn's marks are those that come with it when the template writes the messages up to it. */
  function chooseMarks(
    { messages, options }: Conversation,
    marked: readonly TextSpan[],
    turns: readonly number[],
  ): readonly TextSpan[] {
    const spoken = turnsOf(messages);
    if (turns.length === spoken.length) return marked;
    const before = (message: number | undefined) => {
      if (message === undefined) return marked.length;
      const earlier = messages.slice(0, message);
      return message === 0 ? 0 : (marksOf(earlier, template.render(earlier, options), options)?.length ?? 0);
    };
    return turns.flatMap(turn => marked.slice(before(turn), before(spoken.find(next => next > turn))));
  }

  return {
    encode(messages, { first, muted }, { trainOn, ...options }) {
      const rendered = template.render(messages, options);
      const tokens = tokenize(rendered);
      const learnsAll = trainOn === 'all';
      const turns = turnsOf(messages).filter(turn =>
        learnsAll ? muted.includes(turn) : turn >= first && !muted.includes(turn),
      );
      const supervised = tokens.ids.map(() => learnsAll);
      const spans = findSpans({ template, messages, options, rendered }, turns);
      if (spans.length > 0) {
        const locate = createTokenLocator(tokenizer, rendered, tokens);
        for (const { start, end } of spans) supervised.fill(!learnsAll, locate(start), locate(end));
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

function turnsOf(messages: readonly TemplateMessage[]): number[] {
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
}
