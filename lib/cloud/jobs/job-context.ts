// Shared dependencies of everything that handles jobs.
import type { Clock } from '../../clock/index.js';
import type { FileReader } from '../../engine/index.js';
import type { AskJudge } from '../../grading/index.js';
import type { UploadDesk } from '../datasets/receive-upload.js';
import type { CloudDeps } from '../deps.js';
import type { Folders } from '../disk/folders.js';
import type { RemoteRuns } from '../runs/remote-runs.js';
import type { PrepareMaterials } from '../runs/run-materials.js';
import type { AnswerSample, Backend } from '../seams/backend.js';
import type { Db } from '../store/db.js';
import type { JobChanges } from './job-changes.js';
import type { JobWaits } from './job-waits.js';
import type { PendingRewardsDesk } from './pending-rewards.js';
import type { SecretStore } from './secrets.js';

export interface JobContext {
  deps: Pick<
    CloudDeps,
    | 'baseModel'
    | 'concurrency'
    | 'exposed'
    | 'folder'
    | 'log'
    | 'runner'
    | 'torchWeights'
    | 'tracer'
    | 'workerUrl'
  > & {
    /** The backends that may have loaded adapters. */
    backend?: Pick<Backend, 'unload'>;
  };
  db: Db;
  folders: Folders;
  /** Does file work that would block requests. */
  files: FileReader;
  desk: UploadDesk;
  /** Jobs being imported: their files exist before their rows. */
  importing: Set<string>;
  changes: JobChanges;
  waits: JobWaits;
  secrets: SecretStore;
  /** The attempts that run elsewhere. */
  runs: RemoteRuns;
  prepareMaterials: PrepareMaterials;
  /** If missing, samples are not answered. */
  answerSample?: AnswerSample | undefined;
  /** Asks models of a project, for graders. If missing, none can be asked. */
  judge?: ((projectId: string, signal: AbortSignal) => AskJudge) | undefined;
  /** Answers that wait for rewards from programs. */
  pendingRewards: PendingRewardsDesk;
  clock: Clock;
}
