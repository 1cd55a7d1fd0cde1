// Studio's public API.
export { createStudio, type Studio } from './create-studio.js';
export { peekIdentity } from './handlers/identity.js';
export { createToken, type ServedStudio, serveStudio, webFolder } from './serve-studio.js';
export { startTrainIn } from './train/train-child.js';
