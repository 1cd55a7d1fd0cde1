// Explains to a job's owner why a run failed and what to do. The text contains no secrets and no paths of this machine.
import { ApiError } from '../../contract/index.js';
import { DatasetError, type RunFailureCode, TextError } from '../../engine/index.js';
import { FULL, toStorageFault } from '../store/storage-fault.js';
import type { JobContext } from './job-context.js';
import { withoutSecrets } from './secrets.js';

/** A job cannot run. The message is for its owner. */
export class JobError extends Error {
  override readonly name = 'JobError';
}

interface Death {
  exitCode: number | null;
  signal: string | null;
  hung?: true;
}

const SMALLER = 'a smaller `batchSize` (with more `gradientAccumulationSteps`) or `maxLength` needs less';

const DISK_FULL =
  "The cloud's disk is full. Free some space, for example with `svc cloud gc`, and start the run again.";

const OUR_SIDE =
  "Something went wrong on our side while starting or recording the run; see the cloud's log. " +
  'Start the run again.';

const CHANGED =
  'The data set or the base model changed since the run started, so it cannot continue. Start the run again.';

/** An error's message if it is meant for users; otherwise null. */
export function explainError(error: unknown): string | null {
  const isTold = [JobError, DatasetError, TextError, ApiError].some(kind => error instanceof kind);
  return isTold ? (error as Error).message : null;
}

/** A sentence for any error. */
export function describeError(error: unknown, context: JobContext, jobId: string): string {
  if (toStorageFault(error)?.problem === FULL) return DISK_FULL;
  return describeFailure({ error: explainError(error) ?? OUR_SIDE }, context, jobId);
}

/** A failure as the trainer reports it. */
export interface ReportedFailure {
  error: string;
  code?: RunFailureCode | undefined;
}

export function describeFailure(
  { error, code }: ReportedFailure,
  { secrets, deps }: Pick<JobContext, 'secrets' | 'deps'>,
  jobId: string,
): string {
  if (code === 'other_run') return CHANGED;
  const withoutPaths = error
    // The database's driver reads text up to the first one.
    .replaceAll('\0', '')
    .replaceAll(deps.baseModel.folder, deps.baseModel.name)
    .replaceAll(deps.folder, "the cloud's folder");
  const clean = withoutSecrets(shortenPaths(withoutPaths), secrets.get(jobId));
  return code === 'out_of_memory' ? `The cloud ran out of memory: ${SMALLER}. (${clean})` : clean;
}

/** A path of this machine, POSIX or Windows, but not the path of a URL, which follows `:/`. */
const absolutePath = /(?<![\w:/.~-])(?:[A-Za-z]:[\\/]|\/)(?:[^\s"'`:;,()]+[\\/])+(?=[^\s"'`:;,()])/g;

/** Keeps the file name and drops its folder. */
function shortenPaths(text: string): string {
  return text.replace(absolutePath, '');
}

/** The failure of a trainer that exited without reporting. */
export function describeDeath({ exitCode, signal, hung }: Death): string {
  if (hung)
    return 'The training process stopped responding and was killed several times in a row. Start the run again.';
  if (signal === 'SIGKILL')
    return `The training process was killed, most likely because it ran out of memory: ${SMALLER}.`;
  if (signal === 'SIGABRT')
    return `The training process aborted (SIGABRT), most likely because it ran out of memory: ${SMALLER}.`;
  if (signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP')
    return `The training process was stopped externally (${signal}). Start the run again.`;
  if (signal !== null)
    return `The training process crashed (${signal}). Start the run again; if it crashes again, try other settings.`;
  if (exitCode === null)
    return 'The training process could not be started. Run `svc doctor` to find out why.';
  return `The training process exited unexpectedly (code ${exitCode}). See the cloud's log.`;
}
