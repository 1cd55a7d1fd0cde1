// Entry point for models on the Hugging Face Hub.
export { downloadModel, isModelId, type ModelDownload, ModelDownloadError } from './download-model.js';
