// The cloud's public entry: as a function of a request, and as a process that owns a data folder.
export { installBackup, makeUnpackFolder } from './backup/install-backup.js';
export { makeBackup } from './backup/make-backup.js';
export { isCloudError } from './cloud-error.js';
export { roundedFolder } from './disk/folders.js';
export { type FolderOwner, findFolderOwner, makePrivateFolder } from './disk/own-folder.js';
export type {
  BackendAbilities,
  BackendState,
  InferenceBackend,
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
export { checkExposure } from './serve/address.js';
export { collectGarbageIn, countJobsTrainedOn } from './serve/data-folder.js';
export { createDeviceChoice, type DeviceReport, tryDevice } from './serve/device-choice.js';
export { readModelSpeed } from './serve/model-speeds.js';
export { openBaseModel } from './serve/open-base-model.js';
export { probeTorch } from './serve/python.js';
export { checkRay, checkRayWorkers, findUnreachable } from './serve/ray-parts.js';
export { type ServedCloud, type ServeOptions, serveCloud, toOwnWeights } from './serve/serve-cloud.js';
