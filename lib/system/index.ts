// What every room of svc's own processes needs of the machine: files that survive a crash and others who have them open,
// the disk's faults, and where svc's programs are.
export { cloudFileIn, logFileIn, outputFileIn, ROTATED_LOGS, stopMarkIn } from './cloud-layout.js';
export { findDiskFault } from './disk-fault.js';
export { findProgram, type Program, startThread } from './programs.js';
export { rename } from './rename.js';
export { type Repeating, repeat } from './repeat.js';
export { replaceFile, temporaryNameFor, writeSynced } from './replace-file.js';
export { syncFolder } from './sync-folder.js';
export { untilAborted } from './until-aborted.js';
