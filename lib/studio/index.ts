// Studio's public API.
export { createStudio, type Studio } from './create-studio.js';
export type { StudioDeps } from './deps.js';
export { peekIdentity } from './handlers/identity.js';
export { createToken, type ServedStudio, serveStudio, webFolder } from './serve-studio.js';
export { type StartTrain, spawnTrain, startTrainIn } from './train/train-child.js';
