// What each kind of job event shows in the log and changes in the view.
import { type LoggedSteps, type LongRows, parseObject, type RunDevice } from '../../contract/index.js';
import { readDevice } from '../text/device.js';
import { longRowsSentence, preparingText, type RowsRead, readLongRows } from '../text/row-reading.js';
import { readSampleAnswer, type SampleAnswer, sampleMessage } from './samples.js';
import { readScore, type ScoreAt, scoreMessage } from './scores.js';

type Payload = Readonly<Record<string, unknown>>;

export interface EventEffect {
  /** Formats the log message shown next to the event's name; null for none. */
  readonly message: (() => string) | null;
  /** The event's timestamp. */
  readonly at?: string;
  readonly status?: string;
  readonly error?: string | null;
  readonly artifactCount?: number;
  readonly imported?: boolean;
  readonly totalSteps?: number;
  readonly preparing?: RowsRead;
  readonly tooLong?: LongRows;
  readonly weights?: string;
  readonly device?: RunDevice;
  readonly point?: {
    readonly step: number;
    readonly loss: number | undefined;
    readonly evalLoss: number | undefined;
  };
  /** The payload of a `training.log` event: each other number in it is a metric. */
  readonly measured?: Payload;
  readonly started?: StartFacts;
  readonly sample?: SampleAnswer;
  readonly score?: ScoreAt;
  readonly ended?: true;
}

export const NO_REASON = 'The run failed without giving a reason.';

/** What `training.started` says about the run. */
export interface StartFacts {
  readonly model?: string;
  readonly dataset?: string;
  readonly rows?: number;
  readonly evalRows?: number;
  readonly replayedRows?: number;
  /** The number of learned tokens per epoch. */
  readonly trainTokens?: number;
  readonly trainableParameters?: number;
  readonly resumedFromStep?: number;
}

type Reader = (payload: Payload, text: string) => EventEffect | null;

/** Events that take effect whatever their payload. */
const BARE_READERS = new Map<string, (text: string) => EventEffect>(
  Object.entries({
    'training.started': text => {
      const payload = parseObject(text) ?? {};
      const { totalSteps, tooLong, weights } = payload;
      const device = readDevice(payload.device);
      return {
        message: () => text,
        ...toTime(payload),
        started: toStartFacts(payload),
        status: 'running',
        error: null,
        ...(isNumeric(totalSteps) && { totalSteps }),
        ...toLongRows(tooLong),
        ...(typeof weights === 'string' && { weights }),
        ...(device && { device }),
      };
    },
    'training.completed': text => {
      const { artifacts, imported, timestamp } = parseObject(text) ?? {};
      const artifactCount = Array.isArray(artifacts) ? artifacts.length : 0;
      const count = `${artifactCount} artifact${artifactCount === 1 ? '' : 's'}`;
      const completion = { status: 'completed', error: null, artifactCount, ...toTime({ timestamp }) };
      return imported === true
        ? { ...completion, message: () => `${count}, imported`, imported }
        : { ...completion, message: () => count };
    },
    'training.failed': text => {
      const { error, timestamp } = parseObject(text) ?? {};
      const reason = typeof error === 'string' && error.trim() !== '' ? error : NO_REASON;
      return { message: () => reason, status: 'failed', error: reason, ...toTime({ timestamp }) };
    },
    end: text => {
      const { status, timestamp } = parseObject(text) ?? {};
      return {
        message: null,
        ended: true,
        ...toTime({ timestamp }),
        ...(typeof status === 'string' && { status }),
      };
    },
  }),
);

const READERS = new Map<string, Reader>(
  Object.entries({
    'training.preparing': readPreparing,
    'training.log': readLog,
    'checkpoint.saved': (payload, text) =>
      isNumeric(payload.step)
        ? { message: () => `step=${numberText(text, 'step')}`, ...toTime(payload) }
        : null,
    'sample.generated': readSample,
    'score.recorded': payload => {
      const score = readScore(payload);
      return score && { message: () => scoreMessage(score), score, ...toTime(payload) };
    },
  }),
);

/** The effect of a frame; null if its kind is unknown or a required field is missing. */
export function readEvent(event: string, data: string): EventEffect | null {
  const read = READERS.get(event);
  if (!read) return BARE_READERS.get(event)?.(data) ?? null;
  const payload = parseObject(data);
  return payload && read(payload, data);
}

/** Whether an event belongs in a job's log. */
export function isKnownEvent(event: string): boolean {
  return READERS.has(event) || BARE_READERS.has(event);
}

function readLog(payload: Payload, text: string): EventEffect | null {
  const { step, loss, evalLoss } = payload;
  if (!isNumeric(step)) return null;
  return {
    message: () => logMessage(payload, text),
    ...toTime(payload),
    point: {
      step,
      loss: isNumeric(loss) ? loss : undefined,
      evalLoss: isNumeric(evalLoss) ? evalLoss : undefined,
    },
    measured: payload,
  };
}

const SHOWN = ['step', 'reward', 'evalReward', 'loss', 'evalLoss'];

function logMessage(payload: Payload, text: string): string {
  return SHOWN.filter(field => isNumeric(payload[field]))
    .map(field => `${field}=${numberText(text, field)}`)
    .join(' ');
}

/** The log message of a step that came in column format. */
export function stepMessage(columns: LoggedSteps['columns'], index: number): string {
  const values = SHOWN.map(field => [field, columns[field]?.[index] ?? null] as const);
  return values.flatMap(([field, value]) => (value === null ? [] : `${field}=${value}`)).join(' ');
}

function readSample(payload: Payload): EventEffect | null {
  const sample = readSampleAnswer(payload);
  return sample && { message: () => sampleMessage(sample), sample, ...toTime(payload) };
}

const START_TEXTS = ['model', 'dataset'] as const;
const START_NUMBERS = [
  ...(['rows', 'evalRows', 'replayedRows', 'trainTokens', 'trainableParameters', 'resumedFromStep'] as const),
];

function toStartFacts(payload: Payload): StartFacts {
  const texts = START_TEXTS.filter(name => typeof payload[name] === 'string');
  const numbers = START_NUMBERS.filter(name => isNumeric(payload[name]));
  return Object.fromEntries([...texts, ...numbers].map(name => [name, payload[name]]));
}

function toTime({ timestamp }: Payload): { at?: string } {
  return typeof timestamp === 'string' ? { at: timestamp } : {};
}

function readPreparing(payload: Payload): EventEffect | null {
  const { rows, totalRows, tooLong, trainTokens } = payload;
  if (!isNumeric(rows)) return null;
  const preparing = { rows, totalRows: isNumeric(totalRows) ? totalRows : null };
  const long = toLongRows(tooLong);
  const parts = [preparingText(preparing), ...(long.tooLong ? [longRowsSentence(long.tooLong)] : [])];
  return {
    message: () => parts.join('. '),
    ...toTime(payload),
    preparing,
    ...long,
    ...(isNumeric(trainTokens) && { started: { trainTokens } }),
  };
}

function toLongRows(value: unknown): { tooLong?: LongRows } {
  const tooLong = readLongRows(value);
  return tooLong ? { tooLong } : {};
}

/** A number that can be drawn. `1e999` parses to Infinity, which cannot. */
function isNumeric(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * The text of a top-level number in a valid JSON object; null if the field is missing or not a number. `JSON.parse` turns
 * `2.50` into 2.5 and rounds long ones, but the event log shows what was sent.
 */
function numberText(json: string, field: string): string | null {
  const text = fieldText(json, field);
  return text !== null && /^[-\d]/.test(text) ? text : null;
}

/** With duplicate names the last field wins, as in JSON.parse. */
function fieldText(json: string, field: string): string | null {
  let depth = 0;
  let name = '';
  let last = '';
  let found: string | null = null;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (token === ':' && depth === 1) name = JSON.parse(last) as string;
    else if (last === ':' && depth === 1 && name === field) found = token;
    last = token;
  }
  return found;
}
