// The API for machines that serve this cloud's models: they fetch its base model and adapters by digest. It never exposes a
// project: a ticket grants access to the base model or one adapter, and nothing else.
import { join } from 'node:path';
import { ApiError, servingRoutes } from '../../contract/index.js';
import { ADAPTER_FILES, type FileReader } from '../../engine/index.js';
import { createApp } from '../../http/index.js';
import { readBearer } from '../auth/token.js';
import type { CloudDeps } from '../deps.js';
import { sendFile } from '../disk/files.js';
import { digestFiles, type ReadModelFiles } from '../runs/run-materials.js';
import type { ServingDoor } from '../seams/backend.js';

interface ServingApiContext {
  serving: ServingDoor;
  files: FileReader;
  readModel: ReadModelFiles;
  /** Throws for a request that was not meant for this cloud, or that a web page sent. */
  guard: (request: Request) => void;
  deps: Pick<CloudDeps, 'baseModel' | 'log'>;
}

/** Null if the request is for another API. */
type ServingApi = (request: Request) => Promise<Response> | null;

export function createServingApi({ serving, files, readModel, guard, deps }: ServingApiContext): ServingApi {
  const ticketOf = (request: Request) => readBearer(request) ?? '';

  function openModel(request: Request) {
    if (!serving.opensModel(ticketOf(request))) throw refused();
    return readModel();
  }

  async function openAdapter(request: Request, sha256: string) {
    const folder = serving.findAdapter(ticketOf(request), sha256);
    if (folder === null) throw refused();
    return { folder, ...(await digestFiles(files, folder, ADAPTER_FILES)) };
  }

  const app = createApp({ guard, log: deps.log }).mount(servingRoutes, {
    listServedModel: ({ request }) => openModel(request),
    async readServedModel({ request, params }) {
      const found = (await openModel(request)).files.find(({ name }) => name === params.name);
      if (!found) throw fileNotFound();
      return sendFile(request, { path: join(deps.baseModel.folder, found.name), sha256: found.sha256 });
    },
    listServedAdapter: async ({ request, params }) => ({
      files: (await openAdapter(request, params.sha256)).files,
    }),
    async readServedAdapter({ request, params }) {
      const { folder, files: listed } = await openAdapter(request, params.sha256);
      const found = listed.find(({ name }) => name === params.name);
      if (!found) throw fileNotFound();
      return sendFile(request, { path: join(folder, found.name), sha256: found.sha256 });
    },
  });
  return request => (isBelow(request.url) ? app.fetch(request) : null);
}

const isBelow = (url: string) => URL.canParse(url) && new URL(url).pathname.startsWith('/v1/serving/');

function refused(): ApiError {
  return new ApiError('unauthenticated', 'This ticket does not open these files, or not anymore.');
}

function fileNotFound(): ApiError {
  return new ApiError('file_not_found', 'There is no such file.');
}
