// The cloud's public entry: as a function of a request, and as a process that owns a data folder.
export { installBackup, makeUnpackFolder } from './backup/install-backup.js';
export { makeBackup } from './backup/make-backup.js';
export { isCloudError } from './cloud-error.js';
export { roundedFolder } from './disk/folders.js';
export { type FolderOwner, findFolderOwner, makePrivateFolder } from './disk/own-folder.js';
export { checkExposure } from './host/address.js';
export { collectGarbageIn, countJobsTrainedOn } from './host/data-folder.js';
export { createDeviceChoice, type DeviceReport, tryDevice } from './host/device-choice.js';
export { readModelSpeed } from './host/model-speeds.js';
export { openBaseModel } from './host/open-base-model.js';
export { probeTorch } from './host/python.js';
export { checkRay, checkRayWorkers, findUnreachable } from './host/ray-parts.js';
export { type RunCloudOptions, type RunningCloud, runCloud, toOwnWeights } from './host/run-cloud.js';
export type {
  Backend,
  BackendAbilities,
  BackendState,
  Question,
  StoredAdapter,
} from './seams/backend.js';
export type {
  AttemptDesk,
  JobRun,
  JobRunner,
  Obstacle,
  RemoteAttempt,
  WorkerEnd,
} from './seams/runner.js';
export { hasOwnTables } from './store/own-tables.js';
