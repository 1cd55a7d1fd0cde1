// Entry point for models and other repositories on the Hugging Face Hub.
export { downloadModel, isModelId } from './download-model.js';
export {
  findRepository,
  type Hub,
  type HubFile,
  type HubRepository,
  hubStatusOf,
  listHubFiles,
  openHubFile,
  toChecksum,
  toHub,
} from './repository.js';
