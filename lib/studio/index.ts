// Studio's public API.
export { createStudio, type Studio } from './create-studio.js';
export { peekIdentity } from './project/project-access.js';
export { createToken, type RunningStudio, runStudio, webFolder } from './run-studio.js';
export { startTrainIn, type TrainChild } from './train/train-child.js';
