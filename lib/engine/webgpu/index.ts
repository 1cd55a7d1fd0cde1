export { lowerForWebGpu } from './lower.js';
