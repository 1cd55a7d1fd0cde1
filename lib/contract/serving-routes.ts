// What the machines that answer for a cloud fetch from it: the files of its base model and of its adapters, each with a
// ticket that opens nothing else.
import * as z from 'zod/mini';
import { defineRoutes, json } from './route.js';
import { fileList } from './run-routes.js';

const bytes = { kind: 'bytes', mediaType: 'application/octet-stream' } as const;

const files = z.object({ files: fileList });

export const servingRoutes = defineRoutes({
  listServedModel: {
    method: 'GET',
    path: '/v1/serving/model',
    summary: 'The files of the base model.',
    answer: json(files),
  },
  readServedModel: {
    method: 'GET',
    path: '/v1/serving/model/:name',
    summary: 'A file of the base model.',
    answer: bytes,
  },
  listServedAdapter: {
    method: 'GET',
    path: '/v1/serving/adapters/:sha256',
    summary: 'The files of an adapter, by its digest.',
    answer: json(files),
  },
  readServedAdapter: {
    method: 'GET',
    path: '/v1/serving/adapters/:sha256/:name',
    summary: 'A file of an adapter.',
    answer: bytes,
  },
});
