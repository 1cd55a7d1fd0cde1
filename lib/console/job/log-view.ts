// How to read the event log: filtered by type, searched, with times, without raw JSON. In the terminal, the
// event has its own column, and its message takes as many rows as it needs.

import { parseObject } from '../../contract/index.js';
import { toSafeLine } from '../safe-text.js';
import { deviceText, readDevice } from '../text/device.js';
import { padToWidth, wrapToWidth } from '../text/display-width.js';
import { formatCount, plural } from '../text/format.js';
import type { RowPlace, RowSource } from '../text/scroll.js';
import { fitText, type Span, type Tone } from '../text/spans.js';
import { LOG_LIMIT, type LogEntry } from './log-entries.js';

export interface LogChoices {
  /** Shows only this type; null for all. */
  readonly type: string | null;
  readonly search: string;
  readonly showsTime: boolean;
  /** Describes the JSON of `training.started` in words. */
  readonly isReadable: boolean;
}

export const initialLogChoices: LogChoices = { type: null, search: '', showsTime: false, isReadable: false };

/** The types in the log, in the order of their first entries. */
export function logTypes(log: readonly LogEntry[]): string[] {
  return [...new Set(log.map(({ event }) => event))];
}

/** The next type to filter by, for a key that cycles through them; null for all. */
export function nextLogType(log: readonly LogEntry[], type: string | null): string | null {
  const types = logTypes(log);
  return type === null ? (types[0] ?? null) : (types[types.indexOf(type) + 1] ?? null);
}

const viewed = new WeakMap<readonly LogEntry[], { choices: LogChoices; entries: readonly LogEntry[] }>();

/** The visible entries, formatted. */
export function viewLog(log: readonly LogEntry[], choices: LogChoices): readonly LogEntry[] {
  const { type, search, isReadable } = choices;
  const wanted = search.trim().toLowerCase();
  if (type === null && wanted === '' && !isReadable) return log;
  const known = viewed.get(log);
  if (known?.choices === choices) return known.entries;
  const entries = log
    .filter(({ event }) => type === null || event === type)
    .map(entry => (isReadable ? toReadable(entry) : entry))
    .filter(({ event, message }) => `${event} ${message}`.toLowerCase().includes(wanted));
  viewed.set(log, { choices, entries });
  return entries;
}

/** `training.log, “step=2”: 1 of 4 events`. `shown`: the number of visible entries. */
export function logCountText(count: number, shown: number, { type, search }: LogChoices): string {
  const all = count === LOG_LIMIT ? `the latest ${plural(count, 'event')}` : plural(count, 'event');
  const wanted = search.trim();
  const only = [type, wanted && `“${wanted}”`].filter(Boolean).join(', ');
  return only === '' ? all : `${only}: ${formatCount(shown)} of ${all}`;
}

/** `10:04:31`, in the viewer's time zone; empty without a time. */
export function logTime({ at }: Pick<LogEntry, 'at'>): string {
  const time = new Date(at ?? Number.NaN);
  return Number.isNaN(time.getTime()) ? '' : time.toLocaleTimeString('en-GB');
}

const readable = new WeakMap<LogEntry, LogEntry>();

function toReadable(entry: LogEntry): LogEntry {
  if (entry.event !== 'training.started') return entry;
  const { key, event, at, message } = entry;
  const known = readable.get(entry) ?? { key, event, at, message: describeStart(message) };
  readable.set(entry, known);
  return known;
}

/** `120 steps · 600 rows · 12,000 learned tokens per epoch · …`; the original text if no field is recognized. */
function describeStart(text: string): string {
  const payload = parseObject(text) ?? {};
  const count = (name: string, noun: string) =>
    typeof payload[name] === 'number' ? `${formatCount(payload[name])} ${noun}` : null;
  const device = readDevice(payload.device);
  const parts = [
    typeof payload.resumedFromStep === 'number' && payload.resumedFromStep > 0
      ? `resumed from step ${formatCount(payload.resumedFromStep)}`
      : null,
    count('totalSteps', 'steps'),
    typeof payload.dataset === 'string' ? payload.dataset : null,
    count('rows', 'rows'),
    count('replayedRows', 'replayed rows'),
    count('trainTokens', 'learned tokens per epoch'),
    count('trainableParameters', 'trainable parameters'),
    typeof payload.model === 'string' ? payload.model : null,
    typeof payload.weights === 'string' ? `${payload.weights} weights` : null,
    device && deviceText(device),
  ].filter(part => part !== null);
  return parts.length > 0 ? parts.join(' · ') : text;
}

const NAME_WIDTH = 18;
const TIME_WIDTH = 8;
const GAP = '  ';

/** Events that stand out from the steps. */
const TONES: Readonly<Record<string, Tone>> = {
  'checkpoint.saved': 'training',
  'score.recorded': 'score',
  'training.completed': 'completed',
  'training.failed': 'failed',
};

interface LogRows extends RowSource {
  row(place: RowPlace): Span[];
}

export function logRows(log: readonly LogEntry[], width: number, showsTime: boolean): LogRows {
  const room = width - NAME_WIDTH - GAP.length - (showsTime ? TIME_WIDTH + GAP.length : 0);
  // By key, so that an entry keeps its position when earlier ones are dropped. Between them, others are left out.
  const entries = new Map(log.map(entry => [entry.key, entry]));
  const textsOf = (entry: LogEntry) => wrapToWidth(toSafeLine(entry.message), Math.max(1, room));
  return {
    first: log[0]?.key ?? 0,
    end: log.length > 0 ? log.at(-1)!.key + 1 : 0,
    rowsOf(item) {
      const entry = entries.get(item);
      return entry ? textsOf(entry).length : 0;
    },
    row({ item, row }) {
      const entry = entries.get(item)!;
      const [name, time] = row === 0 ? [entry.event, logTime(entry)] : ['', ''];
      const tone = TONES[name];
      return [
        ...(showsTime ? [{ text: padToWidth(time, TIME_WIDTH) + GAP, style: { dim: true } }] : []),
        { text: fitText(name, NAME_WIDTH), style: tone ? { tone } : { dim: true } },
        { text: GAP + textsOf(entry)[row]! },
      ];
    },
  };
}
