// Encodes conversations as tokens, and marks the tokens to learn.
import {
  type Conversation,
  createEndingsFinder,
  endingAt,
  findAssistantSpans,
  type GenerationMarks,
  readGenerationTags,
  type TextSpan,
} from './assistant-spans.js';
import type { TemplateMessage } from './chat-message.js';
import type { ChatTemplate, TemplateOptions } from './chat-template.js';
import { TextError } from './errors.js';
import { findSpansInParts } from './long-conversation.js';
import { createTokenLocator } from './token-locator.js';
import type { Tokenizer } from './tokenizer.js';
import { writeForTemplate } from './tool-prompt.js';
import { anyOfPattern, type SpecialTokens } from './vocabulary.js';

export type TrainOn = 'assistant' | 'all';

export interface EncodeChatOptions extends TemplateOptions {
  /** Learn the assistant's turns with their end-of-turn markers, or everything. */
  readonly trainOn: TrainOn;
}

/** The assistant turns to learn: from message `first` on, except the muted ones. */
export interface TurnChoice {
  readonly first: number;
  readonly muted: readonly number[];
}

export const ALL_TURNS: TurnChoice = { first: 0, muted: [] };

export interface EncodedText {
  readonly ids: Int32Array;
  /** Whether each token is a label. The first token never is, because no token predicts it. */
  readonly supervised: boolean[];
}

export interface ChatEncoder {
  /** Encodes all messages, of which only `choice` is learned. */
  encode(messages: readonly TemplateMessage[], choice: TurnChoice, options: EncodeChatOptions): EncodedText;
  /** The token that ends the assistant's turns in the template. */
  findEndOfTurn(): number | undefined;
}

export function createChatEncoder(
  template: ChatTemplate,
  tokenizer: Tokenizer,
  special: SpecialTokens,
): ChatEncoder {
  const { vocabulary, tokenize } = tokenizer;
  const markers = vocabulary.added.filter(token => token.special).map(({ content }) => content);
  const anyMarker = new RegExp(anyOfPattern(markers), 'g');
  const findEndings = createEndingsFinder(markers);
  const eosTokens = special.eosIds.flatMap(id => vocabulary.tokenOf(id) ?? []);
  const marksOf = readGenerationTags(template, special.variables);

  function findSpans(conversation: Conversation, turns: readonly number[]): TextSpan[] {
    if (turns.length === 0) return [];
    const marked = marksOf(conversation);
    if (!marked) {
      const endings = findEndings(conversation, turns.at(-1)!);
      return findSpansInParts(conversation, turns, (part, own) => findAssistantSpans(part, own, endings));
    }
    const areAll = turns.length === turnsOf(conversation.messages).length;
    const spans = areAll
      ? marked
      : findSpansInParts(conversation, turns, (part, own) => selectMarks(part, marksOf, own));
    return extendToEndings(conversation, spans, eosTokens);
  }

  /** A template may leave out some calls. Their turn would teach the model to say nothing. */
  function requireCalls(
    { messages, rendered }: Conversation,
    turns: readonly number[],
    spans: readonly TextSpan[],
  ) {
    if (spans.length !== turns.length) return;
    for (const [i, { start, end }] of spans.entries()) {
      const turn = turns[i]!;
      if (messages[turn]!.tool_calls && !rendered.slice(start, end).replace(anyMarker, '').trim())
        throw new TextError(
          `The chat template in ${template.file} leaves out the tool calls of messages[${turn}].`,
        );
    }
  }

  return {
    encode(given, givenChoice, { trainOn, ...givenOptions }) {
      const { origins, messages, tools } = writeForTemplate(given, givenOptions.tools, template);
      const choice = origins ? moveChoice(givenChoice, origins) : givenChoice;
      const options = { ...givenOptions, tools };
      const rendered = template.render(messages, options);
      const tokens = tokenize(rendered);
      const learnsAll = trainOn === 'all';
      // Supervision starts out the same for all tokens; these turns invert it.
      const turns = learnsAll ? mutedTurns(messages, choice) : learnedTurns(messages, choice);
      const supervised = tokens.ids.map(() => learnsAll);
      const conversation = { template, messages, options, rendered };
      const spans = findSpans(conversation, turns);
      if (!learnsAll) requireCalls(conversation, turns, spans);
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

/** The same choice for messages that were moved. */
function moveChoice({ first, muted }: TurnChoice, origins: readonly number[]): TurnChoice {
  const at = origins.findIndex(origin => origin >= first);
  const without = new Set(muted);
  return {
    first: at === -1 ? origins.length : at,
    muted: origins.flatMap((origin, index) => (without.has(origin) ? [index] : [])),
  };
}

/** Includes the end-of-text token after a span, even if the template closes its tag before it. */
function extendToEndings(
  { rendered }: Conversation,
  spans: readonly TextSpan[],
  eosTokens: readonly string[],
): TextSpan[] {
  return spans.map(({ start, end }) => ({
    start,
    end: end + endingAt(rendered, end, eosTokens).length,
  }));
}

/** Selects the marks of the given turns: those that a turn adds when the template renders the messages up to it. */
function selectMarks(
  conversation: Conversation,
  marksOf: GenerationMarks,
  turns: readonly number[],
): TextSpan[] {
  const { template, messages, options } = conversation;
  const marked = marksOf(conversation) ?? [];
  const assistantTurns = turnsOf(messages);
  const countBefore = (message: number | undefined) => {
    if (message === undefined) return marked.length;
    const earlier = messages.slice(0, message);
    if (message === 0) return 0;
    const rendered = template.render(earlier, options);
    return marksOf({ template, messages: earlier, options, rendered })?.length ?? 0;
  };
  return turns.flatMap(turn =>
    marked.slice(countBefore(turn), countBefore(assistantTurns.find(next => next > turn))),
  );
}

function learnedTurns(messages: readonly TemplateMessage[], { first, muted }: TurnChoice): number[] {
  const without = new Set(muted);
  return turnsOf(messages).filter(turn => turn >= first && !without.has(turn));
}

function mutedTurns(messages: readonly TemplateMessage[], { muted }: TurnChoice): number[] {
  const chosen = new Set(muted);
  return turnsOf(messages).filter(turn => chosen.has(turn));
}

function turnsOf(messages: readonly TemplateMessage[]): number[] {
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
}
