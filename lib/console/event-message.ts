// What an event of a job says and does: its line in the log, and what it changes. One entry a kind of event.

import { plural } from './format.js';
import { numberText } from './json-text.js';

type Payload = Readonly<Record<string, unknown>>;

export interface EventEffect {
  /** The line in the log, next to the event's name; null for none. */
  readonly message: string | null;
  readonly status?: string;
  readonly error?: string | null;
  readonly artifactCount?: number;
  readonly point?: { readonly step: number; readonly loss?: number; readonly evalLoss?: number };
  readonly ended?: true;
}

type Reader = (payload: Payload, text: string) => EventEffect | null;

const READERS: Readonly<Record<string, Reader>> = {
  'training.started': (_, text) => ({ message: text, status: 'running', error: null }),
  'training.log': readLog,
  'checkpoint.saved': ({ step }, text) =>
    isNumeric(step) ? { message: `step=${numberText(text, 'step')}` } : null,
  'training.completed': ({ artifacts }) => {
    const artifactCount = Array.isArray(artifacts) ? artifacts.length : 0;
    return { message: plural(artifactCount, 'artifact'), status: 'completed', error: null, artifactCount };
  },
  'training.failed': ({ error }) => {
    const reason = typeof error === 'string' ? error : 'The run failed, and gave no reason.';
    return { message: reason, status: 'failed', error: reason };
  },
  end: ({ status }) => ({ message: null, ended: true, ...(typeof status === 'string' && { status }) }),
};

/** What a frame says and does; null when it is of an unknown kind, or does not carry what its kind must. */
export function readEvent(event: string, data: string): EventEffect | null {
  const reader = Object.hasOwn(READERS, event) ? READERS[event] : undefined;
  const payload = reader && parseObject(data);
  return payload ? reader(payload, data) : null;
}

/** True for the events that a job's log may hold. */
export function isKnownEvent(event: string): boolean {
  return Object.hasOwn(READERS, event);
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

/** A number that can be drawn: `1e999` parses to Infinity and cannot. */
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
