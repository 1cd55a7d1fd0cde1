// Finds the assistant's text in a rendered conversation: where the template marks it, or by rendering variations of the
// conversation. A turn then starts where its prompt ends, so that training matches generation; its text ends where the
// template continues after a placeholder in its place. Only lengths are compared, so a text may contain anything, even
// markers.
import type { TemplateMessage } from './chat-message.js';
import { type ChatTemplate, compileTemplate, type TemplateOptions } from './chat-template.js';
import { TextError, unlessRejected } from './errors.js';
import { GENERATION, hasGenerationTags } from './jinja/index.js';
import { anyOfPattern } from './vocabulary.js';

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** The spans of these assistant turns, from the start of the text to the end of the end-of-turn marker. */
export function findAssistantSpans(
  conversation: Conversation,
  turns: readonly number[],
  endings: TurnEndings,
): TextSpan[] {
  return turns.map(turn => {
    const start = startOf(conversation, turn);
    const hasCalls = conversation.messages[turn]!.tool_calls !== undefined;
    const end = (hasCalls ? endOfCalls : endOfText)(conversation, turn, endings, start);
    if (start > end) rejectTemplate(conversation, turn, 'it starts before its prompt ends');
    return { start, end };
  });
}

function startOf(conversation: Conversation, turn: number): number {
  const { rendered } = conversation;
  const before = renderFirst(conversation, turn, false);
  const prompt = renderFirst(conversation, turn, true);
  if (prompt !== undefined && prompt !== before && rendered.startsWith(prompt)) return prompt.length;

  const { head } = renderPlaceholder(conversation, turn);
  // Templates may write a space before a text that they do not write before calls.
  const shared = [head, head.trimEnd()].find(text => rendered.startsWith(text));
  if (shared === undefined) rejectTemplate(conversation, turn, 'the text before it depends on it');
  // A space between prompt and text belongs to the text, because tokens start with it.
  const isSpaceOnly = before !== undefined && head.startsWith(before) && !head.slice(before.length).trim();
  return isSpaceOnly ? before.length : shared.length;
}

function endOfText(conversation: Conversation, turn: number, endings: TurnEndings): number {
  const { rendered } = conversation;
  const { tail } = renderPlaceholder(conversation, turn);
  if (!rendered.endsWith(tail)) rejectTemplate(conversation, turn, 'the text after it depends on it');
  const end = rendered.length - tail.length;
  return end + endingAt(rendered, end, endings).length;
}

/** Tool calls follow the text. They end at the last marker before the next text, as the header between has none. */
function endOfCalls(conversation: Conversation, turn: number, endings: TurnEndings, start: number): number {
  const { rendered, messages } = conversation;
  const isLast = turn === messages.length - 1;
  const through = isLast ? rendered : renderPlaceholder(conversation, turn + 1).head;
  if (!rendered.startsWith(through))
    rejectTemplate(conversation, turn, 'the next message changes the text before it');
  for (const ending of endings) {
    const at = through.lastIndexOf(ending);
    if (ending !== '' && at >= start) return at + ending.length;
  }
  return rejectTemplate(conversation, turn, 'no marker ends its tool calls');
}

/**
 * What a template writes after the assistant's text to end the turn, which the model must learn to generate. From the
 * longest to the shortest: the last turn may have one more marker than the others.
 */
export type TurnEndings = readonly string[];

/** Creates a function that finds the endings of a turn, as if it were the last one of the conversation. */
export function createEndingsFinder(
  markers: readonly string[],
): (conversation: Conversation, turn: number) => TurnEndings {
  const marker = anyOfPattern(markers);
  const patterns = [`^\\s*${marker}+`, `^\\s*${marker}`].map(source => new RegExp(source));
  return (conversation, turn) => {
    const messages = conversation.messages.slice(0, turn + 1);
    const { tail } = renderPlaceholder({ ...conversation, messages }, turn);
    const endings = patterns.flatMap(pattern => pattern.exec(tail)?.[0] ?? []);
    return endings.length > 0 ? endings : [tail.trimEnd()];
  };
}

/** The ending at an offset of a text, or an empty string. */
export function endingAt(text: string, offset: number, endings: TurnEndings): string {
  return endings.find(ending => text.startsWith(ending, offset)) ?? '';
}

/**
 * With its template. Two experiments show what that writes where: rendering only the first messages, and rendering a
 * placeholder instead of a message's text.
 */
export interface Conversation {
  readonly template: ChatTemplate;
  readonly messages: readonly TemplateMessage[];
  readonly options: TemplateOptions;
  /** The rendered messages. */
  readonly rendered: string;
}

/** Renders the first `count` messages. Undefined if the template rejects them. */
function renderFirst(
  { template, messages, options }: Conversation,
  count: number,
  addGenerationPrompt: boolean,
): string | undefined {
  return unlessRejected(() => template.render(messages.slice(0, count), { ...options, addGenerationPrompt }));
}

/**
 * Returns what the template writes before and after the text of a message, rendered without its tool calls. What follows those is left
 * out up to the user's next message, because templates may require that turns alternate.
 */
export function renderPlaceholder(conversation: Conversation, at: number): { head: string; tail: string } {
  const { template, options, rendered } = conversation;
  const word = uniqueWord([rendered, template.source]);
  const { tool_calls: calls, ...plain } = conversation.messages[at]!;
  const next = conversation.messages.findIndex(
    ({ role }, index) => index > at && (!calls || role === 'user'),
  );
  const later = next < 0 ? [] : conversation.messages.slice(next);
  const messages = [...conversation.messages.slice(0, at), { ...plain, content: word }, ...later];
  const [head, tail, ...more] = template.render(messages, options).split(word);
  if (head === undefined || tail === undefined)
    rejectTemplate(conversation, at, 'it omits or changes that text');
  if (more.length > 0) rejectTemplate(conversation, at, 'it writes that text more than once');
  return { head, tail };
}

function rejectTemplate({ template }: Conversation, at: number, why: string): never {
  throw new TextError(
    `The chat template in ${template.file} does not show where the text of messages[${at}] is: ${why}. ` +
      "Train on all tokens, or mark the assistant's text in the template with {% generation %}.",
  );
}

/** A word that none of the texts contains. Only letters, so that no template trims, splits or escapes it. @internal */
export function uniqueWord(texts: readonly string[]): string {
  for (let attempt = 0; ; attempt++) {
    const letters = attempt.toString(26).replace(/[0-9]/g, digit => 'qrstuvwxyz'[Number(digit)]!);
    const word = `hereistheword${letters}ofthisturn`;
    if (!texts.some(text => text.includes(word))) return word;
  }
}

/** Returns the spans that a template marks in a conversation; undefined if it has no such tags. */
export type GenerationMarks = (conversation: Conversation) => TextSpan[] | undefined;

const macro = `{% macro ${GENERATION}() %}{{ svc_mark }}{{ caller() }}{{ svc_mark }}{% endmacro %}\n`;

/**
 * Templates may mark the assistant's text with {% generation %} and {% endgeneration %}. These tags call a function with
 * their content; here it is a macro that writes marks around that.
 */
export function readGenerationTags(
  { file, source }: ChatTemplate,
  tokens: Readonly<Record<string, string>>,
): GenerationMarks {
  if (!hasGenerationTags(source)) return () => undefined;
  const template = compileTemplate(file, macro + source, tokens);
  return ({ messages, rendered, options }) => {
    const mark = uniqueWord([rendered]);
    const variables = { ...options.variables, svc_mark: mark };
    const pieces = template.render(messages, { ...options, variables }).split(mark);
    return pieces.join('') === rendered ? toSpans(pieces) : undefined;
  };
}

/** Every second piece was between two marks. */
function toSpans(pieces: readonly string[]): TextSpan[] {
  let offset = 0;
  return pieces.flatMap((piece, index) => {
    const span = { start: offset, end: offset + piece.length };
    offset = span.end;
    return index % 2 === 1 ? [span] : [];
  });
}
