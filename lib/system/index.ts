// What all of svc's processes need from the machine: files that survive crashes and other readers, disk faults, the
// cloud folder's layout, and where svc's programs are.
export { collectGarbage, createMutex, keepResult, untilAborted } from './background.js';
export { doubled } from './doubled.js';
export {
  findDiskFault,
  isMissing,
  isThere,
  rename,
  replaceFile,
  syncFolder,
  temporaryNameFor,
  unlessMissing,
  writeSynced,
} from './files.js';
export {
  cloudFileIn,
  findPackage,
  findProgram,
  findSvc,
  isSource,
  logFileIn,
  outputFileIn,
  ROTATED_LOGS,
  STUDIO_OUTPUT_VARIABLE,
  startThread,
  stopMarkIn,
} from './programs.js';
