// Studio's public API.
export { createStudio, type Studio } from './create-studio.js';
export { peekIdentity } from './project/project-access.js';
export { createToken, type ServedStudio, serveStudio, webFolder } from './serve-studio.js';
export { startTrainIn } from './train/train-child.js';
