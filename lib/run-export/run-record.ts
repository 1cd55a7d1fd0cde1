// What other tools are told of a run: its measurements in the order of its log, which only grows, so that a place in them
// stays what it is.
import { LoggedSteps, type LogPart, parseObject, type SampleGenerated } from '../contract/index.js';

/** What was measured at a step, at once. */
export interface MeasuredRow {
  readonly kind: 'measured';
  readonly step: number;
  /** In milliseconds since the epoch. */
  readonly time: number;
  /** By name, such as `train/loss`. */
  readonly values: Readonly<Record<string, number>>;
}

interface SampleRow {
  readonly kind: 'sample';
  readonly step: number;
  readonly time: number;
  /** The index of the conversation. */
  readonly sample: number;
  readonly answer: string;
}

export type RunRow = MeasuredRow | SampleRow;

export interface RunRecord {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly tags: readonly string[];
  /** The ID of its sweep. */
  readonly group: string | null;
  readonly status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** In milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** As both interfaces show them. */
  readonly settings: readonly { readonly name: string; readonly value: string }[];
  readonly rows: readonly RunRow[];
}

export function measuredRows({ rows }: RunRecord): MeasuredRow[] {
  return rows.filter(row => row.kind === 'measured');
}

/** `parts`: a job's log. */
export function collectRows(parts: Iterable<LogPart>): RunRow[] {
  const rows: RunRow[] = [];
  for (const part of parts) {
    if (part instanceof LoggedSteps) addSteps(rows, part);
    else if (part.event === 'training.log') addMeasured(rows, parseObject(part.data) ?? {});
    else if (part.event === 'score.recorded') addScore(rows, parseObject(part.data) ?? {});
    else if (part.event === 'sample.generated') addSample(rows, parseObject(part.data) ?? {});
  }
  return rows;
}

type Fields = Readonly<Record<string, unknown>>;

function addSteps(rows: RunRow[], { times, columns }: LoggedSteps): void {
  const { step: steps = [], ...measures } = columns;
  const named = Object.entries(measures).map(([name, values]) => [metricName(name), values] as const);
  for (const [index, time] of times.entries())
    add(
      rows,
      steps[index],
      time,
      named.map(([name, values]) => [name, values[index]]),
    );
}

function addMeasured(rows: RunRow[], { type, jobId, timestamp, step, ...measures }: Fields): void {
  const named = Object.entries(measures).map(([name, value]) => [metricName(name), value] as const);
  add(rows, step, Date.parse(String(timestamp)), named);
}

function addScore(rows: RunRow[], { timestamp, step, name, value }: Fields): void {
  add(rows, step, Date.parse(String(timestamp)), [[`score/${String(name)}`, value]]);
}

function add(rows: RunRow[], step: unknown, time: number, named: (readonly [string, unknown])[]): void {
  const known = named.filter((pair): pair is readonly [string, number] => Number.isFinite(pair[1]));
  if (known.length === 0 || !Number.isFinite(time)) return;
  rows.push({ kind: 'measured', step: toStep(step), time, values: Object.fromEntries(known) });
}

function addSample(rows: RunRow[], fields: Fields): void {
  const { timestamp, step, sample, answer, error } = fields as Partial<SampleGenerated>;
  const time = Date.parse(String(timestamp));
  if (!Number.isFinite(time)) return;
  rows.push({
    kind: 'sample',
    step: toStep(step),
    time,
    sample: toStep(sample),
    answer: answer ?? error ?? '',
  });
}

const toStep = (step: unknown) => (Number.isFinite(step) ? Math.max(0, Math.trunc(step as number)) : 0);

/** `evalLoss` is `eval/loss`, `learningRate` `train/learning_rate`, and `memoryBytes` `system/memory_bytes`. */
function metricName(measure: string): string {
  const snake = measure.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
  if (snake.startsWith('eval_')) return `eval/${snake.slice('eval_'.length)}`;
  return `${/^(?:memory|cpu)_/.test(snake) ? 'system' : 'train'}/${snake}`;
}
