// The routes of fine-tuning jobs in OpenAI's format.
import {
  fineTuningCheckpoint,
  fineTuningEvent,
  fineTuningJob,
  fineTuningJobsQuery,
  fineTuningPageQuery,
  fineTuningRequest,
} from './fine-tuning.js';
import { page } from './openai-files.js';
import { defineRoutes, json } from './route.js';

export const fineTuningRoutes = defineRoutes({
  createFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs',
    idempotencyKey: true,
    summary: 'Queues a training job with uploaded files.',
    body: fineTuningRequest,
    answer: json(fineTuningJob),
  },
  listFineTuningJobs: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs',
    summary: 'Lists all jobs of the project, the newest first.',
    query: fineTuningJobsQuery,
    answer: json(page(fineTuningJob)),
  },
  getFineTuningJob: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs/:id',
    summary: 'Returns a job.',
    answer: json(fineTuningJob),
  },
  cancelFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs/:id/cancel',
    summary: 'Cancels a queued or running job. Has no effect on a finished job.',
    answer: json(fineTuningJob),
  },
  pauseFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs/:id/pause',
    summary: 'Pauses a queued or running job after its current step. It is reported as queued.',
    answer: json(fineTuningJob),
  },
  resumeFineTuningJob: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/jobs/:id/resume',
    summary: 'Lets a paused job continue from where it stopped.',
    answer: json(fineTuningJob),
  },
  listFineTuningEvents: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs/:id/events',
    summary: "Lists a job's events, the newest first.",
    query: fineTuningPageQuery,
    answer: json(page(fineTuningEvent)),
  },
  listFineTuningCheckpoints: {
    method: 'GET',
    path: '/openai/v1/fine_tuning/jobs/:id/checkpoints',
    summary: "Lists a job's saved checkpoints, the newest first.",
    query: fineTuningPageQuery,
    answer: json(page(fineTuningCheckpoint)),
  },
});
