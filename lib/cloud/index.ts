// The public entry of the cloud: as a function of a request, and as a process that owns a data folder.
export { installBackup, makeUnpackFolder } from './backup/install-backup.js';
export { makeBackup } from './backup/make-backup.js';
export { BackupError } from './backup/manifest.js';
export { FolderOwnedError } from './disk/own-folder.js';
export { makePrivateFolder } from './disk/private-folder.js';
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
export { checkExposure, ExposureError } from './serve/address.js';
export { checkRay, checkRayWorkers, findUnreachable } from './serve/check-ray.js';
export { collectGarbageIn } from './serve/collect-garbage.js';
export { type FolderOwner, findFolderOwner } from './serve/folder-owner.js';
export { openBaseModel } from './serve/open-base-model.js';
export { type ServedCloud, type ServeOptions, serveCloud } from './serve/serve-cloud.js';
