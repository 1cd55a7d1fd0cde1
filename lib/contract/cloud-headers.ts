// Headers specific to the cloud API.

/** Proves that a caller can read the local cloud's files. */
export const CLOUD_SECRET_HEADER = 'x-svc-cloud-secret';
export const DATASET_FILENAME_HEADER = 'x-filename';
