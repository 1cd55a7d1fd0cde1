// Holds what a cloud has against what its callers were told: nothing that was asked for once may be missing or be there
// twice, and no job may differ from one that nobody disturbed.
import { isDeepStrictEqual } from 'node:util';
import type { JobEvent, JobSummary } from '../../lib/contract/index.js';

export interface NumberedEvent {
  seq: number;
  event: JobEvent;
}

export interface Verdict {
  lost: string[];
  doubled: string[];
  /** What is there once, and is not as it should be. */
  wrong: string[];
}

export function emptyVerdict(): Verdict {
  return { lost: [], doubled: [], wrong: [] };
}

export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  return {
    lost: verdicts.flatMap(({ lost }) => lost),
    doubled: verdicts.flatMap(({ doubled }) => doubled),
    wrong: verdicts.flatMap(({ wrong }) => wrong),
  };
}

/** Whether each of these was made exactly once. */
export function judgeNames(kind: string, wanted: readonly string[], found: readonly string[]): Verdict {
  const count = (name: string) => found.filter(each => each === name).length;
  return {
    lost: wanted.filter(name => count(name) === 0).map(name => `${kind} ${name}`),
    doubled: wanted.filter(name => count(name) > 1).map(name => `${kind} ${name}`),
    wrong: [...new Set(found)].filter(name => !wanted.includes(name)).map(name => `${kind} ${name}, unasked`),
  };
}

/** Whether a job's log is whole: each step and each checkpoint once, as in the job that nobody disturbed, and one end. */
export function judgeLog(
  job: Pick<JobSummary, 'id' | 'status'>,
  log: readonly NumberedEvent[],
  reference: readonly NumberedEvent[],
): Verdict {
  const verdict = emptyVerdict();
  if (job.status !== 'completed') verdict.wrong.push(`job ${job.id} is ${job.status}`);
  log.forEach(({ seq }, i) => {
    if (seq !== i + 1) verdict.wrong.push(`job ${job.id}: event ${i + 1} has number ${seq}`);
  });
  const [had, wanted] = [courseOf(log), courseOf(reference)];
  for (const [name, facts] of wanted) {
    const found = had.get(name);
    if (!found) verdict.lost.push(`job ${job.id}: ${name}`);
    else if (found.length > 1) verdict.doubled.push(`job ${job.id}: ${name}`);
    else if (!isDeepStrictEqual(found, facts)) verdict.wrong.push(`job ${job.id}: ${name} differs`);
  }
  for (const name of had.keys()) if (!wanted.has(name)) verdict.wrong.push(`job ${job.id}: ${name}, unasked`);
  return verdict;
}

/** Whether a reader that was cut off and went on was told every event once, in order. */
export function judgeReader(
  jobId: string,
  seen: readonly NumberedEvent[],
  log: readonly NumberedEvent[],
): Verdict {
  const verdict = emptyVerdict();
  const numbers = seen.map(({ seq }) => seq);
  for (const { seq, event } of log) {
    const times = numbers.filter(each => each === seq).length;
    if (times === 0) verdict.lost.push(`job ${jobId}: event ${seq} for its reader`);
    else if (times > 1) verdict.doubled.push(`job ${jobId}: event ${seq} for its reader`);
    else if (!isDeepStrictEqual(seen.find(each => each.seq === seq)!.event, event))
      verdict.wrong.push(`job ${jobId}: event ${seq} was told in another way`);
  }
  if (numbers.some((seq, i) => i > 0 && seq <= numbers[i - 1]!))
    verdict.wrong.push(`job ${jobId}: its reader was told events out of order`);
  return verdict;
}

/** What a job's log says of its course, by name: no times, no ids, and not how often it was resumed. */
function courseOf(log: readonly NumberedEvent[]): Map<string, unknown[]> {
  const course = new Map<string, unknown[]>();
  for (const { event } of log) {
    const told = factsOf(event);
    if (told) course.set(told[0], [...(course.get(told[0]) ?? []), told[1]]);
  }
  return course;
}

function factsOf(event: JobEvent): [name: string, facts: unknown] | null {
  switch (event.type) {
    case 'training.log':
      return [
        `step ${event.step}${event.evalLoss == null ? '' : ' (evaluation)'}`,
        [event.loss, event.evalLoss],
      ];
    case 'checkpoint.saved':
      return [`checkpoint ${event.step}`, event.artifacts.map(({ name, sha256 }) => [name, sha256])];
    case 'training.completed':
      return ['completion', event.artifacts.map(({ name, sha256 }) => [name, sha256])];
    case 'end':
      return ['end', event.status];
    case 'training.failed':
      return ['failure', event.error];
    default:
      return null;
  }
}
