// The routes of data sets that come in: at once, or in pieces that can be continued.
import {
  ApiError,
  type CloudRoutes,
  DATASET_COLUMNS_HEADER,
  DATASET_FILENAME_HEADER,
  UPLOAD_OFFSET_HEADER,
} from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { DatasetStore } from './dataset-store.js';
import { readFileName } from './file-name.js';
import { readColumns } from './read-columns.js';

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
    async getUpload({ request, query, params }) {
      const { orgId } = await access.authorize(request, query);
      const sha256 = readDigest(params.digest);
      return { upload: { sha256, offset: await datasets.partial.offsetOf({ orgId, sha256 }) } };
    },
    async appendUpload({ request, query, params, body }) {
      const { orgId } = await access.authorize(request, query);
      const sha256 = readDigest(params.digest);
      const offset = readOffset(request.headers.get(UPLOAD_OFFSET_HEADER));
      return { upload: { sha256, offset: await datasets.partial.append({ orgId, sha256 }, offset, body) } };
    },
    async finishUpload({ request, query, params }) {
      const { orgId } = await access.authorize(request, query);
      const origin = { orgId, ...readAbout(request) };
      return { dataset: await datasets.partial.finish(origin, readDigest(params.digest), request.signal) };
    },
  };
}

function readAbout({ headers }: Request) {
  return {
    fileName: readFileName(headers.get(DATASET_FILENAME_HEADER)),
    columns: readColumns(headers.get(DATASET_COLUMNS_HEADER)),
  };
}

function readDigest(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new ApiError('invalid_value', '`digest` must be a SHA-256 in 64 lowercase hexadecimal digits.', {
    param: 'digest',
  });
}

function readOffset(text: string | null): number {
  if (text !== null && /^\d{1,15}$/.test(text)) return Number(text);
  throw new ApiError('invalid_value', `\`${UPLOAD_OFFSET_HEADER}\` must be a number of bytes.`, {
    param: UPLOAD_OFFSET_HEADER,
  });
}
