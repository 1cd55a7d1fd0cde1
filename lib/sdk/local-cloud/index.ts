// Finding, starting and stopping the local cloud.
export { noteLocalCloud } from '../credentials/note-cloud.js';
export { requireRoomForCloud } from '../files/disk-room.js';
export { withFileLock } from '../files/file-lock.js';
export { findHome } from '../files/home.js';
export { makeFolder } from '../files/make-folder.js';
export { IN_HOME } from '../files/not-writable.js';
export { ensureLocalCloud } from './ensure.js';
export {
  cloudFolder,
  findCloudIn,
  findLocalCloud,
  type LocalCloud,
  readCloudFile,
  wasCloudStopped,
} from './find.js';
export { readLogText } from './log-files.js';
export { toLogText } from './log-line.js';
export { stopLocalCloud, stopOwner } from './stop.js';
