// Routes for uploading data sets: in one request, or in resumable pieces.
import {
  ApiError,
  type CloudRoutes,
  type ColumnMap,
  columnMap,
  DATASET_COLUMNS_HEADER,
  DATASET_FILENAME_HEADER,
  findFault,
} from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../auth/authorize.js';
import type { DatasetStore } from './dataset-store.js';
import { readFileName } from './receive-upload.js';

export type UploadRoutes = Pick<CloudRoutes, 'uploadDataset' | 'getUpload' | 'appendUpload' | 'finishUpload'>;

export function uploadHandlers({
  access,
  datasets,
}: {
  access: Access;
  datasets: DatasetStore;
}): Handlers<UploadRoutes> {
  return {
    async uploadDataset({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      return { dataset: await datasets.upload({ orgId, ...readAbout(request) }, body, request.signal) };
    },
    async getUpload({ request, query }) {
      const { orgId } = await access.authorize(request, query);
      const sha256 = query.digest;
      return { upload: { sha256, offset: await datasets.partial.offsetOf({ orgId, sha256 }) } };
    },
    async appendUpload({ request, query, body }) {
      const { orgId } = await access.authorize(request, query);
      const sha256 = query.digest;
      const offset = await datasets.partial.append({ orgId, sha256 }, Number(query.offset), body);
      return { upload: { sha256, offset } };
    },
    async finishUpload({ request, query }) {
      const { orgId } = await access.authorize(request, query);
      const origin = { orgId, ...readAbout(request) };
      return { dataset: await datasets.partial.finish(origin, query.digest, request.signal) };
    },
  };
}

function readAbout({ headers }: Request) {
  return {
    fileName: readFileName(headers.get(DATASET_FILENAME_HEADER)),
    columns: readColumns(headers.get(DATASET_COLUMNS_HEADER)),
  };
}

/** The columns of an upload to train on. Throws `invalid_value` if the header is not a column map. */
function readColumns(header: string | null): ColumnMap | undefined {
  if (header === null) return undefined;
  const value = parse(header);
  const fault = findFault(columnMap, value, `The header ${DATASET_COLUMNS_HEADER}`);
  if (fault) throw new ApiError('invalid_value', fault, { param: DATASET_COLUMNS_HEADER });
  return value as ColumnMap;
}

function parse(header: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(header));
  } catch {
    return null;
  }
}
