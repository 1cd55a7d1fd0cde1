// What all of svc's processes need from the machine: files that survive crashes and other readers, disk faults, the
// cloud folder's layout, and where svc's programs are.
export { cloudFileIn, logFileIn, outputFileIn, ROTATED_LOGS, stopMarkIn } from './cloud-layout.js';
export { collectGarbage } from './collect-garbage.js';
export { findDiskFault } from './disk-fault.js';
export { doubled } from './doubled.js';
export {
  findPackage,
  findProgram,
  findSvc,
  isSource,
  STUDIO_OUTPUT_VARIABLE,
  startThread,
} from './programs.js';
export { rename } from './rename.js';
export { type Repeating, repeat } from './repeat.js';
export { replaceFile, temporaryNameFor, writeSynced } from './replace-file.js';
export { syncFolder } from './sync-folder.js';
export { untilAborted } from './until-aborted.js';
