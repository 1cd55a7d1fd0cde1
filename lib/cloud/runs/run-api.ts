// The API for remote workers: they claim an attempt, fetch its files, save its folders and report its events. It never
// exposes a project: a token grants access to one attempt, and nothing else.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ApiError,
  DIGEST_HEADER,
  ERROR_STATUS,
  errorType,
  findFault,
  type JobEvent,
  jobEvent,
  type RunReport,
  runRoutes,
} from '../../contract/index.js';
import { FINAL_FOLDER } from '../../engine/index.js';
import { createApp } from '../../http/index.js';
import { hashToken, readBearer } from '../auth/token.js';
import type { UploadDesk } from '../datasets/receive-upload.js';
import type { CloudDeps } from '../deps.js';
import { sendFile } from '../disk/files.js';
import type { Folders } from '../disk/folders.js';
import { receiveFolder, requireFolderName } from './receive-folder.js';
import type { RemoteRun } from './remote-run.js';
import type { RemoteRuns } from './remote-runs.js';
import type { RunMaterials } from './run-materials.js';

interface RunApiContext {
  runs: RemoteRuns;
  folders: Folders;
  desk: UploadDesk;
  /** Throws for a request that was not meant for this cloud, or that a web page sent. */
  guard: (request: Request) => void;
  deps: Pick<CloudDeps, 'log'>;
}

/** Null if the request is for another API. */
type RunApi = (request: Request) => Promise<Response> | null;

type Params = Record<'jobId' | 'attempt', string>;

/** Enough for a checkpoint with the optimizer state of a large adapter. */
const FOLDER_LIMIT = 32 * 1024 ** 3;

export function createRunApi({ runs, folders, desk, guard, deps }: RunApiContext): RunApi {
  const toKey = ({ jobId, attempt }: Params) => ({ jobId, attempt: Number(attempt) });
  const open = (params: Params, request: Request) => runs.require(toKey(params), request, 'run');

  async function send(
    { params, request }: { params: Params; request: Request },
    ...file: Parameters<RunMaterials['pathOf']>
  ) {
    const { materials } = await open(params, request);
    const found = materials.pathOf(...file);
    if (!found) throw new ApiError('file_not_found', 'This run has no such file.');
    return sendFile(request, { path: found.path, sha256: found.facts.sha256 });
  }

  const app = createApp({ guard, log: deps.log, uploadLimit: FOLDER_LIMIT }).mount(runRoutes, {
    claimRun: async ({ params, request, body }) =>
      (await runs.require(toKey(params), request, 'claim')).claim(body),
    async reportRun({ params, request, body }) {
      const remote = await open(params, request);
      const events = readEvents(body, remote.run, folders);
      return (await remote.report({ ...body, events })) ?? eventsMissing(remote);
    },
    scoreRun: async ({ params, request, body }) => (await open(params, request)).score(body),
    readRunModel: given => send(given, 'model', given.params.name),
    readRunRows: given => send(given, 'rows', given.params.role),
    readRunInitial: given => send(given, 'initial', ''),
    async readRunCheckpoint({ params, request }) {
      const resume = await (await open(params, request)).findResume();
      if (!resume) throw new ApiError('file_not_found', 'This run starts at its first step.');
      return sendFile(request, resume);
    },
    async saveRunFolder({ params, request, body }) {
      const remote = await open(params, request);
      requireFolderName(params.name);
      const holder = hashToken(readBearer(request) ?? '');
      await receiveFolder(desk, {
        folder: folders.job(params.jobId),
        name: params.name,
        sha256: request.headers.get(DIGEST_HEADER) ?? '',
        body,
        assertHolder: () => remote.assertHolder(holder),
      });
      return {};
    },
  });
  return request => (isBelow(request.url) ? app.fetch(request) : null);
}

const isBelow = (url: string) => URL.canParse(url) && new URL(url).pathname.startsWith('/v1/runs/');

function readEvents({ events }: RunReport, run: RemoteRun['run'], folders: Folders): JobEvent[] {
  return events.map((given, i) => {
    const name = `\`events[${i}]\``;
    const event = { ...given, jobId: run.jobId } as JobEvent;
    const misreport = () => {
      const reason = findMisreport(event, run, folders);
      return reason && `${name} cannot be reported: ${reason}.`;
    };
    const fault = findFault(jobEvent, event, name) ?? misreport();
    if (fault !== null) throw new ApiError('invalid_value', fault, { param: `events[${i}]` });
    return event;
  });
}

/** Why a valid event may not be reported; null if it may. */
function findMisreport(
  event: JobEvent,
  { jobId, dryRun }: RemoteRun['run'],
  folders: Folders,
): string | null {
  if (event.type === 'end') return 'the cloud writes the end of a log';
  if (event.type !== 'training.completed' || dryRun) return null;
  if (event.artifacts.filter(({ kind }) => kind === 'final').length !== 1)
    return 'its `artifacts` must have one final adapter';
  return existsSync(join(folders.job(jobId), FINAL_FOLDER)) ? null : 'the final adapter was not saved';
}

function eventsMissing({ next }: RemoteRun): Response {
  const code = 'events_missing';
  const status = ERROR_STATUS[code];
  const message = `Events from number ${next} on are missing.`;
  return Response.json(
    { error: { message, type: errorType(status), code, param: 'from' }, next },
    { status },
  );
}
