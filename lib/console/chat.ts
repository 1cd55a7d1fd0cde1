// The Playground: a reducer for a conversation, the available models, conversations as training rows, and for
// the terminal its modes, layout and turns as rows. It knows nothing about connections.

import {
  asContext,
  type Identity,
  type InferenceRequest,
  type JobSummary,
  modelFields,
  type Target,
} from '../contract/index.js';
import type { ChatSampling } from './base-model.js';
import { shortId } from './labels.js';
import { displayWidth } from './text/display-width.js';
import { plural } from './text/format.js';
import type { Glyphs } from './text/glyphs.js';
import { messageRows, paragraphRows, type Span, type Style } from './text/spans.js';

type ReplyState = 'streaming' | 'done' | 'stopped' | 'failed';

export interface ChatTurn {
  /** Unique and increasing within a view. */
  readonly key: number;
  readonly question: string;
  /** What the model thought before its reply. */
  readonly thought: string;
  readonly reply: string;
  /** The model that replies. */
  readonly model: string;
  readonly state: ReplyState;
  /** What the model does before it can reply, as a sentence. */
  readonly waitsFor: string | null;
  readonly error: string | null;
}

export interface ChatView {
  readonly turns: readonly ChatTurn[];
}

export type ChatAction =
  | { readonly type: 'asked'; readonly question: string; readonly model: string }
  /** Repeats the last question. */
  | { readonly type: 'retried'; readonly model: string }
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | { readonly type: 'waits'; readonly waitsFor: string | null }
  | { readonly type: 'done' | 'stopped' }
  | { readonly type: 'failed'; readonly error: string };

export const emptyChat: ChatView = { turns: [] };

const UNANSWERED = { thought: '', reply: '', state: 'streaming', waitsFor: null, error: null } as const;

export function reduceChat(view: ChatView, action: ChatAction): ChatView {
  switch (action.type) {
    case 'asked': {
      const { question, model } = action;
      const key = (view.turns.at(-1)?.key ?? 0) + 1;
      return { turns: [...view.turns, { ...UNANSWERED, key, question, model }] };
    }
    case 'retried': {
      const last = view.turns.at(-1);
      if (!last || last.state === 'streaming') return view;
      const again = { ...last, ...UNANSWERED, key: last.key + 1, model: action.model };
      return { turns: [...view.turns.slice(0, -1), again] };
    }
    case 'text':
      return changeLast(view, turn => ({ ...turn, reply: turn.reply + action.text }));
    case 'thought':
      return changeLast(view, turn => ({ ...turn, thought: turn.thought + action.text }));
    case 'waits':
      return changeLast(view, turn => ({ ...turn, waitsFor: action.waitsFor }));
    case 'failed':
      return changeLast(view, turn => ({ ...turn, state: 'failed', error: action.error }));
    default:
      return changeLast(view, turn => ({ ...turn, state: action.type }));
  }
}

export function isAnswering({ turns }: ChatView): boolean {
  return turns.at(-1)?.state === 'streaming';
}

/** What a reply that has not begun waits for; null if it does not. */
export function waitText({ state, thought, reply, waitsFor }: ChatTurn): string | null {
  return state === 'streaming' && thought === '' && reply === '' ? waitsFor : null;
}

/** Whether there is a question to repeat. */
export function canRetry(view: ChatView): boolean {
  return view.turns.length > 0 && !isAnswering(view);
}

/**
 * The history for a second model that was not asked every question: that of the first, so that both answer in
 * the same context.
 */
export function historyBeside(own: ChatView, first: ChatView): ChatView {
  const isSame =
    own.turns.length === first.turns.length &&
    own.turns.every(({ question }, index) => question === first.turns[index]!.question);
  return isSame ? own : { turns: first.turns.map(withoutPartialReply) };
}

/** A reply that still comes is left out. Its question stays: the histories of both keep the same length. */
function withoutPartialReply(turn: ChatTurn): ChatTurn {
  return turn.state === 'streaming' ? { ...turn, ...UNANSWERED, state: 'stopped' } : turn;
}

/**
 * The request for the last question, with the history before it. Exchanges without a reply are omitted,
 * because models expect turns to alternate. Thoughts are sent along: the chat template leaves out what the model need not see.
 */
export function toInferenceRequest(
  { turns }: ChatView,
  target: Target,
  sampling: ChatSampling,
): InferenceRequest & { readonly stream: true } {
  const messages: InferenceRequest['messages'] = turns
    .slice(0, -1)
    .flatMap(turn =>
      turn.reply === '' ? [] : [{ role: 'user' as const, content: turn.question }, toAnswer(turn)],
    );
  messages.push({ role: 'user', content: turns.at(-1)?.question ?? '' });
  return { messages, ...modelFields(target), ...sampling, stream: true };
}

function toAnswer({ thought = '', reply: content }: Pick<Exchange, 'thought' | 'reply'>) {
  return { role: 'assistant' as const, content, ...(thought !== '' && { reasoning_content: thought }) };
}

function changeLast(view: ChatView, change: (turn: ChatTurn) => ChatTurn): ChatView {
  const last = view.turns.at(-1);
  return last?.state === 'streaming' ? { turns: [...view.turns.slice(0, -1), change(last)] } : view;
}

/** The base model, or the final adapter of a completed job. */
export interface ChatModel {
  readonly target: Target;
  readonly name: string;
}

/** The ID of the base model, alongside job IDs. */
export const BASE_MODEL = 'base';

/** Null while the models are unknown. */
export function findChatModel(
  id: string | null,
  jobs: readonly JobSummary[],
  identity: Pick<Identity, 'baseModel'> | null,
): ChatModel | null {
  if (id === BASE_MODEL) {
    const { baseModel } = identity ?? {};
    return baseModel ? { target: { kind: 'base_model', baseModel }, name: baseModel } : null;
  }
  const job = jobs.find(job => job.id === id);
  if (!job) return null;
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: job.id } } as const;
  return { target, name: `${job.name} (job ${shortId(job.id)})` };
}

export interface Exchange {
  readonly question: string;
  readonly thought?: string | undefined;
  readonly reply: string;
}

/**
 * An answer as a training row, with the conversation before it: one line of JSON, including the line feed.
 * Only this answer is learned, so that none is learned twice.
 */
export function chatRow(before: readonly Exchange[], { question, ...answer }: Exchange): string {
  const earlier = before.flatMap(exchange => [
    { role: 'user', content: exchange.question },
    { role: 'assistant', content: exchange.reply },
  ]);
  const messages = [...asContext(earlier), { role: 'user', content: question }, toAnswer(answer)];
  return `${JSON.stringify({ messages })}\n`;
}

/** Rows for all answers that were not stopped and did not fail. */
export function chatRows(turns: readonly ChatTurn[]): string {
  return turns
    .map((turn, index) => (isKept(turn) ? chatRow(turns.slice(0, index).filter(hasReply), turn) : ''))
    .join('');
}

export function countChatRows(turns: readonly ChatTurn[]): number {
  return turns.filter(isKept).length;
}

function isKept({ state, reply }: ChatTurn): boolean {
  return state === 'done' && reply !== '';
}

/** Whether the model will see this turn as history. */
function hasReply({ reply }: ChatTurn): boolean {
  return reply !== '';
}

/** The line that stands for a thought until it is opened. */
export function thoughtLabel({ thought, reply, state }: ChatTurn): string {
  const what = reply === '' && state === 'streaming' ? 'Thinking' : 'Thought';
  return `${what}: ${plural([...thought].length, 'character')}`;
}

/** How a conversation is drawn. */
interface TurnLook {
  readonly width: number;
  /** Whether thoughts are open. */
  readonly isThoughtOpen: boolean;
}

/** Caches wrapped turns, so that only changed ones are wrapped again. */
const wrapped = new WeakMap<ChatTurn, TurnLook & { readonly rows: readonly Span[][] }>();

/** The speaker in its own row, with the text below. */
export function turnRows(
  turn: ChatTurn,
  { width, isThoughtOpen }: TurnLook,
  caret: string,
): readonly Span[][] {
  const known = wrapped.get(turn);
  if (known?.width === width && known.isThoughtOpen === isThoughtOpen) return known.rows;
  const { question, model, thought, reply, state, error } = turn;
  const textRows = (text: string, style?: Style) =>
    text === '' ? [] : paragraphRows(text, width).map(text => [{ text: text || ' ', style }]);
  const rows = [
    [{ text: 'You', style: { bold: true } }],
    ...textRows(question),
    [{ text: model, style: { bold: true, tone: 'accent' as const } }],
    ...(thought === '' ? [] : textRows(thoughtLabel(turn), { dim: true })),
    ...textRows(isThoughtOpen ? thought : '', { dim: true }),
    ...textRows(waitText(turn) ?? '', { dim: true }),
    ...textRows(state === 'streaming' ? reply + caret : reply),
    ...(state === 'stopped' ? textRows('Stopped.', { dim: true }) : []),
    ...(state === 'failed' ? messageRows(error ?? '', width, { tone: 'failed' }) : []),
    ...(state === 'done' && reply === '' ? textRows('The answer is empty.', { dim: true }) : []),
    [{ text: ' ' }],
  ];
  wrapped.set(turn, { width, isThoughtOpen, rows });
  return rows;
}

interface Answering {
  readonly isBase: boolean;
  /** Null while it is unknown. */
  readonly baseModel: string | null;
  readonly adapter: string;
}

/** The answering model and the alternatives; if there is no room, the inactive name is dropped first. */
export function modeSpans(
  { isBase, baseModel, adapter }: Answering,
  width: number,
  { on, off }: Pick<Glyphs, 'on' | 'off'>,
): Span[] {
  const base = baseModel === null ? 'Base model' : `Base model: ${baseModel}`;
  const named = `Adapter: ${adapter}`;
  const least = ['Base model', isBase ? 'Adapter' : named];
  const offered = [[base, named], isBase ? [base, 'Adapter'] : least];
  const texts = offered.find(texts => displayWidth(` * ${texts.join('    * ')}`) < width) ?? least;
  return texts.flatMap((text, index) => {
    const isOn = isBase === (index === 0);
    const style = { bold: isOn, dim: !isOn };
    return [
      {
        text: `${index === 0 ? ' ' : '    '}${isOn ? on : off}`,
        style: { ...style, tone: isOn ? 'accent' : undefined },
      },
      { text: ` ${text}`, style },
    ] as const;
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The minimum width for two conversations side by side. */
const WIDE = 100;

/** The panes for this many conversations, side by side or stacked. */
export function chatPanes(
  { width, height }: Size,
  isTwo: boolean,
): { isRow: boolean; first: Size; second: Size } {
  const isRow = width >= WIDE;
  const parts = isTwo ? 2 : 1;
  const first = isRow
    ? { width: Math.floor(width / parts), height }
    : { width, height: Math.ceil(height / parts) };
  const second = isRow ? { width: width - first.width, height } : { width, height: height - first.height };
  return { isRow, first, second };
}
