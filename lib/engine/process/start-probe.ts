// Tries the GPU in a process of its own, which its driver may crash or block.
import { realClock } from '../../clock/index.js';
import type { DeviceFindings, ProbeTask } from './messages.js';
import { type ProcessEnd, startWorker } from './worker-process.js';

export interface DeviceProbe {
  findings: DeviceFindings;
  /** Why the GPU cannot be used, as a sentence; null if it can. */
  problem: string | null;
  /** Someone else ended the trial, which says nothing of the GPU. */
  wasEnded?: boolean;
}

export interface RunningProbe {
  ended: Promise<DeviceProbe>;
  kill(): void;
}

/** A GPU that is worth using takes a fraction of this. */
const LIMIT_MS = 5 * 60_000;
const LIMITS = { silentMs: 60_000, busyMs: 60_000 };

export function startProbe(task: ProbeTask, clock = realClock): RunningProbe {
  const findings: DeviceFindings = {};
  let problem: string | null | undefined;
  let doing = 'opening it';
  const worker = startWorker(
    message => {
      if (message.type === 'probing') doing = message.what;
      else if (message.type === 'found') Object.assign(findings, message.findings);
      else if (message.type === 'probed') problem = message.problem;
    },
    { low: true, limits: LIMITS, clock },
  );
  let isLate = false;
  const limit = clock.after(LIMIT_MS, () => {
    isLate = true;
    worker.kill();
  });
  worker.send({ type: 'probe', task });
  const ended = worker.ended.then(end => {
    limit.stop();
    if (problem !== undefined) return { findings, problem };
    const wasEnded = end.signal !== null && ENDED_BY.has(end.signal);
    return { findings, problem: describeDeath(end, isLate, doing), ...(wasEnded && { wasEnded }) };
  });
  return { ended, kill: worker.kill };
}

/** Signals that no fault sends. */
const ENDED_BY: ReadonlySet<string> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP']);

/** Only a signal from outside, a lack of memory or the driver ends this process. @internal */
export function describeDeath(
  { signal, exitCode, hung }: Partial<ProcessEnd>,
  isLate: boolean,
  doing: string,
): string {
  if (isLate || hung) return `The GPU took too long (${doing}).`;
  if (signal && ENDED_BY.has(signal)) return `The trial of the GPU was ended (${doing}; ${signal}).`;
  if (signal === 'SIGKILL') return `The trial of the GPU was killed, perhaps for lack of memory (${doing}).`;
  return `The GPU's driver crashed (${doing}; ${signal ?? `exit code ${exitCode}`}).`;
}
