// How the event log is read: some types only, a search, with times, and without raw JSON. Nothing is chosen at first.
import { formatCount, plural } from './format.js';
import { LOG_LIMIT, type LogEntry } from './log-entries.js';

export interface LogChoices {
  /** The only type to show; null for all. */
  readonly type: string | null;
  readonly search: string;
  readonly showsTime: boolean;
  /** Says in words what `training.started` carries as JSON. */
  readonly isReadable: boolean;
}

export const initialLogChoices: LogChoices = { type: null, search: '', showsTime: false, isReadable: false };

/** The types in the log, in the order of their first entries. */
export function logTypes(log: readonly LogEntry[]): string[] {
  return [...new Set(log.map(({ event }) => event))];
}

/** The next type to show alone, for a key that cycles through them; null for all. */
export function nextLogType(log: readonly LogEntry[], type: string | null): string | null {
  const types = logTypes(log);
  return type === null ? (types[0] ?? null) : (types[types.indexOf(type) + 1] ?? null);
}

const viewed = new WeakMap<readonly LogEntry[], { choices: LogChoices; entries: readonly LogEntry[] }>();

/** The entries to show, as they are to be shown. */
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

/** `training.log, “step=2”: 1 of 4 events`. `shown`: how many are. */
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

/** `120 steps · 600 rows · 12,000 tokens per epoch · …`; the text itself if nothing of it is known. */
function describeStart(text: string): string {
  const told = readObject(text);
  const count = (name: string, noun: string) =>
    typeof told[name] === 'number' ? `${formatCount(told[name])} ${noun}` : null;
  const parts = [
    typeof told.resumedFromStep === 'number' && told.resumedFromStep > 0
      ? `resumed from step ${formatCount(told.resumedFromStep)}`
      : null,
    count('totalSteps', 'steps'),
    typeof told.dataset === 'string' ? told.dataset : null,
    count('rows', 'rows'),
    count('trainTokens', 'tokens per epoch'),
    count('trainableParameters', 'trainable parameters'),
    typeof told.model === 'string' ? told.model : null,
    typeof told.weights === 'string' ? `${told.weights} weights` : null,
  ].filter(part => part !== null);
  return parts.length > 0 ? parts.join(' · ') : text;
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
