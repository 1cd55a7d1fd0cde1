// A log as a cloud gives it: steps in columns, other events as they are.
import { type EventFrame, LoggedSteps, type LogPart, parseObject } from '../../lib/contract/index.js';

/** Of events with consecutive numbers. */
export function toLogParts(frames: readonly EventFrame[]): LogPart[] {
  const parts: LogPart[] = [];
  let steps: Step[] = [];
  const close = () => {
    if (steps.length > 0) parts.push(toSteps(steps));
    steps = [];
  };
  for (const frame of frames) {
    const step = readStep(frame);
    if (step) steps.push(step);
    else {
      close();
      parts.push(frame);
    }
  }
  close();
  return parts;
}

interface Step {
  id: string;
  jobId: string;
  time: number;
  measures: Record<string, number>;
}

/** Null for an event that has anything but numbers, or was not written by JSON.stringify. */
function readStep({ id, event, data }: EventFrame): Step | null {
  const payload = parseObject(data);
  if (!payload || JSON.stringify(payload) !== data) return null;
  const { type, jobId, timestamp, ...measures } = payload;
  const time = Date.parse(String(timestamp));
  if (event !== 'training.log' || type !== event || typeof jobId !== 'string' || Number.isNaN(time))
    return null;
  if (!('step' in measures) || new Date(time).toISOString() !== timestamp) return null;
  if (!Object.values(measures).every(Number.isFinite)) return null;
  return { id, jobId, time, measures: measures as Record<string, number> };
}

function toSteps(steps: readonly Step[]): LoggedSteps {
  const names = [...new Set(steps.flatMap(({ measures }) => Object.keys(measures)))];
  const columns = names.map(name => [name, steps.map(({ measures }) => measures[name] ?? null)]);
  return new LoggedSteps({
    jobId: steps[0]!.jobId,
    first: Number(steps[0]!.id),
    times: steps.map(({ time }) => time),
    columns: Object.fromEntries(columns),
  });
}
