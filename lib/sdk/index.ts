// The door of the SDK: what a project's program uses, and what the command line and Studio build on.
export {
  type ConnectOptions,
  connectStudio,
  findStudio,
  isAlive,
  readStudioFile,
  studioPath,
} from './connect-studio.js';
export { type Built, buildEntry, readBuild } from './entry/build-entry.js';
export { buildPath, ENTRY_FILES, findEntry } from './entry/find-entry.js';
export { loadService } from './entry/load-service.js';
export { type Env, findHome } from './files/home.js';
export { replaceFile } from './files/replace-file.js';
export { ensureLocalCloud, findLocalCloud, findPackage, findProgram } from './local-cloud/index.js';
export { JOB_MESSAGE, onStudioGone, reportJob } from './report-job.js';
export { createService, SERVICE_MARK, type Service, type ServiceOptions } from './service.js';
export { type ChosenCloud, chooseCloud } from './session/choose-cloud.js';
export { readCredentials, readCredentialsFile } from './session/credentials.js';
export { type Linked, linkProject } from './session/link-project.js';
export { projectSlugOf, readState, statePath } from './session/project-state.js';
export { openSession, type ReachedCloud, type Session, type SessionOptions } from './session/session.js';
export { signInByBrowser } from './sign-in/by-browser.js';
export { type DeviceCode, signInByDevice } from './sign-in/by-device.js';
export { type SignedIn, type SignedOut, type SignInWay, signIn, signOut } from './sign-in/sign-in.js';
export { sessionEnded } from './sign-in/tokens.js';
export type {
  CheckpointContext,
  CompletedContext,
  DatasetInput,
  Infer,
  InferInput,
  LoraOptions,
  TrainerCallbacks,
  TrainerOptions,
  TrainerResult,
} from './trainer/options.js';
export { type Run, type RunHooks, startRun } from './trainer/run.js';
export { createTrainer, type Trainer } from './trainer/trainer.js';
