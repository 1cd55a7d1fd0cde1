// The SDK: what a project's program uses, and what the command line and Studio build on.
export { findStudio, readStudioFile, studioPath } from './connect-studio.js';
export { isSetAside } from './credentials/credentials.js';
export { buildEntry, readBuild } from './entry/build-entry.js';
export { ENTRY_FILES, findEntry } from './entry/find-entry.js';
export { type FoundData, type FoundTrainer, inspectBuild } from './entry/inspect-build.js';
export { loadService } from './entry/load-service.js';
export { type Env, findHome } from './files/home.js';
export { makeFolder } from './files/make-folder.js';
export { explainNotWritable, findExisting, IN_HOME, toNotWritable } from './files/not-writable.js';
export { replaceFile } from './files/replace-file.js';
export { findLocalCloud } from './local-cloud/index.js';
export { signInByBrowser } from './oauth/by-browser.js';
export { signInByDevice } from './oauth/by-device.js';
export { hasEnded, sessionEnded } from './oauth/tokens.js';
export { signalGroup, stopGroup } from './process-group.js';
export * from './public.js';
export { JOB_MESSAGE, onStudioGone, reportJob } from './report-job.js';
export type { ServiceTrainer } from './service.js';
export { type ChosenCloud, chooseCloud } from './session/choose-cloud.js';
export { describeIdentity, hostOf } from './session/describe-identity.js';
export { stateMismatch } from './session/foreign-project.js';
export { linkProject } from './session/link-project.js';
export { statePath } from './session/project-state.js';

export { openSession, type Session } from './session/session.js';
export { type SignInWay, signIn, signOut } from './session/sign-in.js';
export { attachRun } from './trainer/attach-run.js';
export { combinations, type VariedOption } from './trainer/combinations.js';
export { type EvalHooks, evalFailure } from './trainer/evaluator.js';
export { optionOfField } from './trainer/job-input.js';
export type { MapProgress } from './trainer/map-rows.js';
export { prepareJob, type Run, type RunLabels, startRun } from './trainer/run.js';
export {
  readSetting,
  SETTING_NAMES,
  SettingError,
  type SettingValues,
  withSettings,
} from './trainer/settings.js';
export { startSweep } from './trainer/start-sweep.js';
export type { UploadProgress } from './trainer/upload-pieces.js';
