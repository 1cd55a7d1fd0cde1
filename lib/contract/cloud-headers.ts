// Headers of the cloud's API that are its own.

/** The header by which a caller proves that it may read the local cloud's files. */
export const CLOUD_SECRET_HEADER = 'x-svc-cloud-secret';
export const DATASET_FILENAME_HEADER = 'x-filename';
