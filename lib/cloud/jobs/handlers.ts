// Routes for jobs, their events and adapters, and data sets.
import type { CloudRoutes } from '../../contract/index.js';
import { type Handlers, readCursor } from '../../http/index.js';
import { listArtifacts } from '../artifacts/adapter-store.js';
import type { IsIntact } from '../artifacts/find-adapter.js';
import type { Access } from '../auth/authorize.js';
import { fileNamesOf } from '../datasets/dataset-rows.js';
import { type UploadRoutes, uploadHandlers } from '../datasets/upload-handlers.js';
import { readScores } from '../store/events.js';
import { downloadAdapter } from './adapter-archive.js';
import { createJob } from './create-job.js';
import { sendLog, streamEvents } from './event-hub.js';
import { importAdapter } from './import-adapter.js';
import { importJob } from './import-job.js';
import { cancelJob, type DeletionContext, deleteJob, updateJob } from './job-actions.js';
import { readJobSettings, respondWithList, respondWithPage } from './job-lists.js';
import { findJob, toJob } from './job-rows.js';
import { type PreviewRoutes, previewHandlers } from './preview.js';
import { recordScores } from './record-scores.js';
import { type RunRecordRoutes, runRecordHandlers } from './run-record.js';
import { gradeAnswers } from './score-answers.js';

interface JobHandlersContext extends DeletionContext {
  access: Access;
  isIntact: IsIntact;
}

export type JobRoutes = RunRecordRoutes &
  PreviewRoutes &
  UploadRoutes &
  Pick<
    CloudRoutes,
    | 'listJobs'
    | 'createJob'
    | 'importJob'
    | 'getJob'
    | 'updateJob'
    | 'listJobSettings'
    | 'deleteJob'
    | 'cancelJob'
    | 'recordScores'
    | 'awaitRewards'
    | 'reportRewards'
    | 'gradeAnswers'
    | 'readJobLog'
    | 'streamJobEvents'
    | 'listArtifacts'
    | 'downloadArtifact'
    | 'importAdapter'
  >;

export function jobHandlers(context: JobHandlersContext): Handlers<JobRoutes> {
  const { db, access, waits, queue, hub, deps } = context;
  const answer = async (row: Parameters<typeof toJob>[0]) => {
    const [scores, fileNames] = await Promise.all([readScores(db, row.id), fileNamesOf(db, row.id)]);
    return {
      job: {
        ...toJob(row, waits),
        fileNames,
        scores: scores.map(({ step, name, value }) => ({ step, name, value })),
      },
    };
  };
  return {
    ...runRecordHandlers(context),
    ...previewHandlers(context),
    ...uploadHandlers(context),
    async listJobs({ request, query }) {
      const { projectId } = await access.authorize(request, query);
      const isPage = query.limit !== undefined || query.cursor !== undefined;
      return isPage
        ? respondWithPage(context, projectId, query)
        : respondWithList(context, projectId, request);
    },
    async createJob({ request, query, body, idempotencyKey: key }) {
      const scope = await access.authorize(request, query);
      const idempotency = { key, caller: scope.caller.identityId, request: ['createJob', query, body] };
      const job = await createJob(context, scope, body, idempotency);
      queue.wake();
      return { job };
    },
    async importJob({ request, query, body, idempotencyKey: key }) {
      const scope = await access.authorize(request, query);
      const idempotency = { key, caller: scope.caller.identityId, request: ['importJob', query, body] };
      return { job: await importJob(context, scope, body, idempotency) };
    },
    async getJob({ request, query, params }) {
      return answer(await findJob(db, await access.authorize(request, query), params.id));
    },
    async updateJob({ request, query, params, body }) {
      const scope = await access.authorize(request, query);
      return answer(await updateJob(context, scope, params.id, body));
    },
    async listJobSettings({ request, query, body }) {
      const { projectId } = await access.authorize(request, query);
      return { jobs: await readJobSettings(db, projectId, body.ids) };
    },
    async deleteJob({ request, query, params }) {
      return { job: await deleteJob(context, await access.authorize(request, query), params.id) };
    },
    async cancelJob({ request, query, params }) {
      const scope = await access.authorize(request, query);
      return answer(await cancelJob(context, scope, params.id));
    },
    async recordScores({ request, query, params, body }) {
      const scope = await access.authorize(request, query);
      return { scores: await recordScores(context, scope, params.id, body) };
    },
    async awaitRewards({ request, query, params }) {
      const { id } = await findJob(db, await access.authorize(request, query), params.id);
      return { pending: await context.pendingRewards.next(id, query.known, request.signal) };
    },
    async reportRewards({ request, query, params, body }) {
      const { id } = await findJob(db, await access.authorize(request, query), params.id);
      return { accepted: context.pendingRewards.report(id, body) };
    },
    async gradeAnswers({ request, query, body }) {
      const { projectId } = await access.authorize(request, query);
      return { rewards: await gradeAnswers(context, projectId, body, request.signal) };
    },
    async readJobLog({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
      return sendLog(db, job, Number(query.after ?? 0));
    },
    async streamJobEvents({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
      const cursor = Number(readCursor(request, query.after) ?? 0);
      return streamEvents({ hub, log: deps.log }, job, cursor);
    },
    async listArtifacts({ request, query, params }) {
      const { id } = await findJob(db, await access.authorize(request, query), params.id);
      return { artifacts: await listArtifacts(db, id) };
    },
    async downloadArtifact({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
      return downloadAdapter(context, job, params.name, request);
    },
    async importAdapter({ request, query, body, idempotencyKey: key }) {
      const scope = await access.authorize(request, query);
      const { name, sameBaseModel, enableThinking } = query;
      const given = {
        name,
        sameBaseModel: sameBaseModel === 'true',
        enableThinking: enableThinking && enableThinking === 'true',
      };
      const idempotency = { key, caller: scope.caller.identityId, request: ['importAdapter', query] };
      return {
        job: await importAdapter(context, scope, given, { body, signal: request.signal }, idempotency),
      };
    },
  };
}
