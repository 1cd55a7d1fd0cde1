// Shared by all of svc's processes: files that survive crashes and concurrent readers, disk faults, the cloud folder's
// layout, the paths of svc's programs, and their signals.
export { collectGarbage, createMutex, eachAtOnce, keepResult, untilAborted } from './background.js';
export { doubled } from './doubled.js';
export {
  findDiskFault,
  isMissing,
  isThere,
  rename,
  replaceFile,
  stampOf,
  syncFolder,
  temporaryNameFor,
  unlessMissing,
  writeSynced,
} from './files.js';
export { findGpu, type GpuFacts, readGpuMemory } from './gpu.js';
export { freeBytes, readMachine, readProcessFields } from './machine.js';
export {
  cloudFileIn,
  FRESH_BUILD_VARIABLE,
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
export { createSignals, onFirstOf } from './signals.js';
