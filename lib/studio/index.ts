// Studio's public API.
export { createStudio, type Studio } from './create-studio.js';
export { createToken } from './guard.js';
export { peekIdentity } from './project/project-access.js';
export { type RunningStudio, runStudio } from './run-studio.js';
export { webFolder } from './static-files.js';
export { startTrainIn, type TrainChild } from './train/train-child.js';
