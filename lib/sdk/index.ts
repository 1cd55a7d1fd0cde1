// The SDK: what a project's program uses, and what the command line and Studio build on.
export { findStudio, openProgramSession, readStudioFile, studioPath } from './connect.js';
export { isSetAside, noteCloud } from './credentials.js';
export { type DistilProgress, type DistilWatch, describeKept, describeLeftOut } from './distil/progress.js';
export { buildEntry, ENTRY_FILES, findBuild, findEntry, loadService, readBuild } from './entry/entry.js';
export { type FoundData, type FoundTrainer, inspectBuild } from './entry/inspect-build.js';
export { describeOptionError } from './entry/option-place.js';
export { answerSchema, askRows, patiently, USUAL_TOKENS } from './evaluation/ask-rows.js';
/** @internal */
export type { EvaluateOptions } from './evaluation/evaluate.js';
export {
  type EvaluationProgress,
  evaluate,
  type Rewarding,
  requireScore,
  toRewardTask,
} from './evaluation/evaluate.js';
export { type AskableRows, type RowSource, readAskableRows } from './evaluation/read-rows.js';
export { resolveAdapter, resolveOpponent, resolveTarget } from './evaluation/resolve-target.js';
export { type Env, findHome, makeFolder, replaceFile } from './files/files.js';
export { parseJson } from './files/json-file.js';
export { explainNotWritable, findExisting, IN_HOME, toNotWritable } from './files/not-writable.js';
export { explainTemporary, inTemporaryFolder, makeTemporaryFolder } from './files/temporary.js';
export { findLocalCloud } from './local-cloud/index.js';
export { signInByBrowser } from './oauth/by-browser.js';
export { signInByDevice } from './oauth/by-device.js';
export { hasEnded, sessionEnded } from './oauth/tokens.js';
export { JOB_MESSAGE, onStudioGone, reportJob, signalGroup, stopGroup } from './processes.js';
export * from './public.js';
export type { ServiceTrainer } from './service.js';
export { stateMismatch, statePath } from './session/project.js';
export { type ChosenCloud, chooseCloud } from './session/reach-cloud.js';
export { describeIdentity, hostOf, linkProject, openSession, type Session } from './session/session.js';
export { type SignInWay, signIn, signOut } from './session/sign-in.js';
export { findDataFault } from './shipping/data-fault.js';
export { readHeldOutRows } from './shipping/held-out-rows.js';
export { judge, publish, requireSlug, type ShipOptions } from './shipping/ship.js';
export { type EvalHooks, evalFailure } from './trainer/evaluator.js';
export { followJob } from './trainer/follow-job.js';
export {
  optionOfField,
  readSetting,
  SETTING_NAMES,
  SettingError,
  type SettingValues,
  withSettings,
} from './trainer/job-input.js';
export type { MapProgress } from './trainer/map-rows.js';
export { openRewarding } from './trainer/reward-answers.js';
export { createRewarder, type RewardHooks, rewardFailure } from './trainer/rewarder.js';
export {
  attachToJob,
  findRewardMisfit,
  prepareJob,
  type Run,
  type RunLabels,
  startRun,
  withTrainerRows,
} from './trainer/run.js';
export { combinations, startSweep, type VariedOption } from './trainer/sweep.js';
export { attachRun, type StartedSweep } from './trainer/trainer.js';
export type { UploadProgress } from './trainer/upload-dataset.js';
