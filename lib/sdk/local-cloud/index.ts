// Finding, starting and stopping the local cloud.
export { noteCloud } from '../credentials.js';
export { withFileLock } from '../files/file-lock.js';
export { findHome, makeFolder } from '../files/files.js';
export { IN_HOME, requireRoomForCloud } from '../files/not-writable.js';
export { ensureLocalCloud } from './ensure.js';
export {
  cloudFolder,
  explainUnreachable,
  findCloudIn,
  findLocalCloud,
  type LocalCloud,
  lookIn,
  readCloudFile,
  wasCloudStopped,
} from './find.js';
export { readLogText, toLogText } from './log.js';
export { stopLocalCloud, stopOwner } from './stop.js';
