// What each kind of job event shows in the log and changes in the view.

import type { LongRows } from '../contract/index.js';
import { numberText } from './json-text.js';
import { longRowsSentence, preparingText, type RowsRead, readLongRows } from './row-reading.js';
import { readSampleAnswer, type SampleAnswer, sampleMessage } from './samples.js';

type Payload = Readonly<Record<string, unknown>>;

export interface EventEffect {
  /** The log line next to the event's name; null for none. */
  readonly message: string | null;
  readonly status?: string;
  readonly error?: string | null;
  readonly artifactCount?: number;
  readonly imported?: boolean;
  readonly totalSteps?: number;
  readonly preparing?: RowsRead;
  readonly tooLong?: LongRows;
  readonly weights?: string;
  readonly point?: { readonly step: number; readonly loss?: number; readonly evalLoss?: number };
  readonly sample?: SampleAnswer;
  readonly ended?: true;
}

export const NO_REASON = 'The run failed without giving a reason.';

type Reader = (payload: Payload, text: string) => EventEffect | null;

/** Events that take effect whatever their payload holds. */
const BARE_READERS: Readonly<Record<string, (text: string) => EventEffect>> = {
  'training.started': text => {
    const { totalSteps, tooLong, weights } = parseObject(text) ?? {};
    return {
      message: text,
      status: 'running',
      error: null,
      ...(isNumeric(totalSteps) && { totalSteps }),
      ...toLongRows(tooLong),
      ...(typeof weights === 'string' && { weights }),
    };
  },
  'training.completed': text => {
    const { artifacts, imported } = parseObject(text) ?? {};
    const artifactCount = Array.isArray(artifacts) ? artifacts.length : 0;
    const count = `${artifactCount} artifact${artifactCount === 1 ? '' : 's'}`;
    const told = { status: 'completed', error: null, artifactCount };
    return imported === true
      ? { ...told, message: `${count}, imported`, imported }
      : { ...told, message: count };
  },
  'training.failed': text => {
    const error = parseObject(text)?.error;
    const reason = typeof error === 'string' && error.trim() !== '' ? error : NO_REASON;
    return { message: reason, status: 'failed', error: reason };
  },
  end: text => {
    const status = parseObject(text)?.status;
    return { message: null, ended: true, ...(typeof status === 'string' && { status }) };
  },
};

const READERS: Readonly<Record<string, Reader>> = {
  'training.preparing': readPreparing,
  'training.log': readLog,
  'checkpoint.saved': ({ step }, text) =>
    isNumeric(step) ? { message: `step=${numberText(text, 'step')}` } : null,
  'sample.generated': readSample,
};

/** The effect of a frame; null if its kind is unknown or a required field is missing. */
export function readEvent(event: string, data: string): EventEffect | null {
  if (!isKnownEvent(event)) return null;
  const bare = BARE_READERS[event];
  if (bare) return bare(data);
  const payload = parseObject(data);
  return payload && READERS[event]!(payload, data);
}

/** True for events that belong in a job's log. */
export function isKnownEvent(event: string): boolean {
  return Object.hasOwn(READERS, event) || Object.hasOwn(BARE_READERS, event);
}

function readLog({ step, loss, evalLoss }: Payload, text: string): EventEffect | null {
  if (!isNumeric(step)) return null;
  const parts = [`step=${numberText(text, 'step')}`];
  if (isNumeric(loss)) parts.push(`loss=${numberText(text, 'loss')}`);
  if (isNumeric(evalLoss)) parts.push(`evalLoss=${numberText(text, 'evalLoss')}`);
  return {
    message: parts.join(' '),
    point: { step, ...(isNumeric(loss) && { loss }), ...(isNumeric(evalLoss) && { evalLoss }) },
  };
}

function readSample(payload: Payload): EventEffect | null {
  const sample = readSampleAnswer(payload);
  return sample && { message: sampleMessage(sample), sample };
}

function readPreparing({ rows, totalRows, tooLong }: Payload): EventEffect | null {
  if (!isNumeric(rows)) return null;
  const preparing = { rows, totalRows: isNumeric(totalRows) ? totalRows : null };
  const long = toLongRows(tooLong);
  const message = [preparingText(preparing), ...(long.tooLong ? [longRowsSentence(long.tooLong)] : [])];
  return { message: message.join('. '), preparing, ...long };
}

function toLongRows(value: unknown): { tooLong?: LongRows } {
  const tooLong = readLongRows(value);
  return tooLong ? { tooLong } : {};
}

/** A number that can be drawn. `1e999` parses to Infinity, which cannot. */
function isNumeric(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function parseObject(data: string): Payload | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
  } catch {
    return null;
  }
}
