// Headers specific to the cloud API.

/** Proves that a caller can read the local cloud's files. */
export const CLOUD_SECRET_HEADER = 'x-svc-cloud-secret';
export const DATASET_FILENAME_HEADER = 'x-filename';
/** On an upload: which of its columns stand for those that training knows. */
export const DATASET_COLUMNS_HEADER = 'x-svc-columns';
/** On a downloaded adapter: identifies the weights of the base model that it is for. */
export const BASE_MODEL_DIGEST_HEADER = 'x-svc-base-model-digest';

/** On a job's event stream: asks for batches, and says that they come. A cloud that has none sends single events. */
export const EVENT_BATCHES_HEADER = 'x-svc-event-batches';
/** On a job's event stream: the number of the newest event when it was opened, or 0; missing from older clouds. */
export const NEWEST_EVENT_HEADER = 'x-svc-newest-event';

/** Of an upload, with what they mean. */
export const DATASET_HEADERS = {
  [DATASET_FILENAME_HEADER]: 'The file name, percent-encoded.',
  [DATASET_COLUMNS_HEADER]: 'The `columns` of the jobs that will read it, as percent-encoded JSON.',
};
