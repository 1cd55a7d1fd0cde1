// The door of models on the Hub.
export { downloadModel, isModelId, type ModelDownload, ModelDownloadError } from './download-model.js';
