// The routes of the cloud API for rewards: those that a program computes, and what answers were worth.
import * as z from 'zod/mini';
import { projectFields, projectQuery } from '../identity.js';
import { jobAnswers, jobAnswersQuery } from '../job/answers.js';
import { grades, gradingInput, pendingRewards, rewardName, rewardReport } from '../job/reward-requests.js';
import { defineRoutes, json } from '../route.js';

export const rewardRoutes = defineRoutes({
  awaitRewards: {
    method: 'GET',
    path: '/v1/jobs/:id/rewards',
    summary:
      'Returns the answers that wait for rewards from the program that started the job, or null after 20 seconds without any. With `known`, waits for others than these: leave it out once their rewards are sent.',
    query: z.strictObject({ ...projectFields, known: z.optional(rewardName) }),
    response: json(z.object({ pending: z.nullable(pendingRewards) })),
  },
  reportRewards: {
    method: 'POST',
    path: '/v1/jobs/:id/rewards',
    summary:
      'Takes the rewards of the answers that wait for them. Has no effect if they no longer do, so it may be sent again.',
    query: projectQuery,
    body: rewardReport,
    response: json(z.object({ accepted: z.boolean() })),
  },
  gradeAnswers: {
    method: 'POST',
    path: '/v1/rewards',
    summary: 'Rewards up to 100 answers with a grader, as a run that learns from its rewards does.',
    query: projectQuery,
    body: gradingInput,
    response: json(grades),
  },
  listJobAnswers: {
    method: 'GET',
    path: '/v1/jobs/:id/answers',
    summary:
      'Returns the best and the worst answer to the prompts of a step, with their rewards, of a run that learns from rewards.',
    query: z.strictObject({ ...projectFields, ...jobAnswersQuery }),
    response: json(jobAnswers),
  },
});
