// An endpoint's kept requests, shared by both faces and the command line: as terminal rows, in full, and as
// training rows.
import {
  asContext,
  type Deployment,
  type KeptAnswer,
  type KeptRequest,
  type KeptRequests,
} from '../../contract/index.js';
import { formatCount, plural } from '../text/format.js';
import { fitText, paragraphRows, type Span, type Style } from '../text/spans.js';
import type { Question } from './deployment-page.js';

/** Describes whether an endpoint keeps its requests; null if not. */
export function keepingText({
  keepRequests,
  runRetentionMode,
  runRetentionDays,
}: Pick<Deployment, 'keepRequests' | 'runRetentionMode' | 'runRetentionDays'>): string | null {
  if (!keepRequests) return null;
  const until =
    runRetentionMode === 'days' && runRetentionDays !== null ? ` for ${plural(runRetentionDays, 'day')}` : '';
  return `Requests and answers are kept${until}.`;
}

/** The filters with their labels. */
export const KEPT_FILTERS = [
  { mark: undefined, label: 'All' },
  { mark: 'none', label: 'Unmarked' },
  { mark: 'good', label: 'Good' },
  { mark: 'bad', label: 'Bad' },
  { mark: 'corrected', label: 'Corrected' },
] as const;

export type KeptFilter = (typeof KEPT_FILTERS)[number]['mark'];

/** `Good 12` */
export function keptFilterText(filter: KeptFilter, counts: KeptRequests['counts']): string {
  const { label } = KEPT_FILTERS.find(({ mark }) => mark === filter)!;
  const marked = counts.good + counts.bad + counts.corrected;
  const count = filter === undefined ? counts.all : filter === 'none' ? counts.all - marked : counts[filter];
  return `${label} ${formatCount(count)}`;
}

interface KeptList {
  readonly items: readonly KeptRequest[];
  readonly counts: KeptRequests['counts'];
}

/** With a changed request in its place, even if it no longer matches the filter, and the marks counted as they are now. */
export function withKept<Found extends KeptList>(found: Found, changed: KeptRequest): Found {
  const counts = { ...found.counts };
  const items = found.items.map(one => {
    if (one.id !== changed.id) return one;
    if (one.mark) counts[one.mark]--;
    if (changed.mark) counts[changed.mark]++;
    return changed;
  });
  return { ...found, items, counts };
}

const OUTCOMES: Readonly<Record<KeptRequest['outcome'], string | null>> = {
  complete: null,
  cut: 'cut at the maximum length',
  aborted: 'caller left',
  failed: 'failed',
};

/** A request's fields as text. */
interface KeptFigures {
  readonly mark: string;
  /** The last user message. */
  readonly question: string;
  readonly answer: string;
  /** The corrected answer; null if there is none. */
  readonly correction: string | null;
  /** Why the answer is incomplete; null if it is complete. */
  readonly outcome: string | null;
  /** `chat \u00b7 svc/base \u00b7 120 ms` */
  readonly details: string;
}

export function keptFigures(request: KeptRequest): KeptFigures {
  const { mark, messages, answer, correction, outcome, operation, model, canary, durationMs } = request;
  const question = messages.findLast(({ role }) => role === 'user' || role === 'tool') ?? messages.at(-1);
  return {
    mark: mark ?? '',
    question: question ? contentText(question.content) : '',
    answer: answerText(answer),
    correction: correction && answerText(correction),
    outcome: OUTCOMES[outcome],
    details: [operation, model, ...(canary ? ['canary'] : []), `${formatCount(durationMs)} ms`].join(' · '),
  };
}

/** An assistant message, with its tool calls as `name(arguments)`. */
function answerText({ content, tool_calls: calls = [] }: KeptAnswer): string {
  const made = calls.map(({ function: { name, arguments: given } }) => `${name}(${given})`);
  return [...(content ? [content] : []), ...made].join('\n');
}

interface KeptTurn {
  readonly role: string;
  readonly text: string;
}

/** The conversation before the answer. */
export function keptTurns({ messages }: Pick<KeptRequest, 'messages'>): KeptTurn[] {
  return messages.map(message => ({
    role: message.role,
    text:
      message.role === 'assistant'
        ? answerText({ content: contentText(message.content), tool_calls: message.tool_calls })
        : contentText(message.content),
  }));
}

type Content = KeptRequest['messages'][number]['content'];

function contentText(content: Content): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

/** A text correction drops tool calls: what is typed is the whole answer. */
export function toCorrection(text: string): KeptAnswer | null {
  return text.trim() === '' ? null : { content: text };
}

/** Asked before a mark replaces a correction. */
export function discardQuestion(): Question {
  return {
    title: 'Discard the correction?',
    consequence: 'The corrected answer is deleted, and the original one is marked instead.',
    action: 'Discard',
  };
}

export function deleteKeptQuestion(): Question {
  return {
    title: 'Delete this request?',
    consequence: 'The request and answer cannot be restored.',
    action: 'Delete',
  };
}

/** Which answers to export as rows. */
export type RowChoice = 'usual' | 'good' | 'corrected' | 'all';

const CHOSEN: Readonly<Record<RowChoice, (mark: KeptRequest['mark']) => boolean>> = {
  usual: mark => mark === 'good' || mark === 'corrected',
  good: mark => mark === 'good',
  corrected: mark => mark === 'corrected',
  all: mark => mark !== 'bad',
};

export function isChosen({ mark }: Pick<KeptRequest, 'mark'>, choice: RowChoice): boolean {
  return CHOSEN[choice](mark);
}

/**
 * A row in the `messages` format, with the corrected answer if there is one: earlier answers are not learned, since they may
 * be marked otherwise. Null for an incomplete answer, which would teach the model to stop early.
 */
export function toKeptRow({ messages, tools, answer, correction, outcome }: KeptRequest): object | null {
  const taught = correction ?? (outcome === 'complete' ? answer : null);
  if (!taught || answerText(taught).trim() === '') return null;
  const { content, tool_calls } = taught;
  return {
    messages: [
      ...asContext(messages),
      { role: 'assistant', content, ...(tool_calls?.length && { tool_calls }) },
    ],
    ...(tools && { tools }),
  };
}

/** Why there are no requests. */
export function noKeptText(filter: KeptFilter): string {
  if (filter === undefined) return 'No requests kept yet';
  return filter === 'none' ? 'Every answer is marked' : `No ${filter} answers`;
}

/** `3 requests were too large to keep` */
export function skippedText(skipped: number): string | null {
  if (skipped === 0) return null;
  return `${plural(skipped, 'request')} ${skipped === 1 ? 'was' : 'were'} too large to keep`;
}

const MARK = 11;
const MARK_STYLES: Readonly<Record<string, Style>> = {
  good: { tone: 'completed' },
  bad: { tone: 'failed' },
  corrected: { tone: 'warning' },
};

const askedWidth = (width: number) => Math.floor((width - MARK - 2) * 0.45);
/** Longer text would not fit on any screen. */
const oneLine = (text: string) => text.slice(0, 1000).replaceAll(/\s+/g, ' ');

export function keptTitles(width: number): string {
  return `${' Mark'.padEnd(MARK)}${'Asked'.padEnd(askedWidth(width) + 2)}Answer`;
}

export function keptCells(request: KeptRequest, width: number): Span[] {
  const { mark, question, answer, correction, outcome } = keptFigures(request);
  const isCut = outcome !== null && correction === null;
  return [
    { text: fitText(` ${mark}`, MARK), style: MARK_STYLES[mark] },
    { text: `${fitText(oneLine(question), askedWidth(width))}  `, style: { dim: true } },
    ...(isCut ? [{ text: `${outcome}  `, style: { tone: 'warning' } as const }] : []),
    { text: oneLine(correction ?? answer) },
  ];
}

/** The conversation, the answer, and its correction. */
export function keptDetail(request: KeptRequest, width: number): Span[][] {
  const { answer, correction, outcome } = keptFigures(request);
  const said = [
    ...keptTurns(request).map(turn => ({ ...turn, dim: true })),
    { role: outcome ? `answer, ${outcome}` : 'answer', text: answer, dim: correction !== null },
    ...(correction === null ? [] : [{ role: 'corrected', text: correction, dim: false }]),
  ];
  return said.flatMap(({ role, text, dim }) =>
    paragraphRows(`${role}: ${text}`, width).map(row => [{ text: row, style: { dim } }]),
  );
}
