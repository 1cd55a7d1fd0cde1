// The routes of the cloud API for evaluations.
import * as z from 'zod/mini';
import {
  evaluation,
  evaluationInput,
  evaluationQuery,
  evaluationRowQuery,
  evaluationRows,
} from '../evaluation.js';
import { projectFields, projectQuery } from '../identity.js';
import { created, defineRoutes, json } from '../route.js';

const oneEvaluation = z.object({ evaluation });

export const evaluationRoutes = defineRoutes({
  listEvaluations: {
    method: 'GET',
    path: '/v1/evaluations',
    summary: "Lists the project's evaluations, or those of a job or an endpoint, newest first.",
    query: z.strictObject({ ...projectFields, ...evaluationQuery }),
    response: json(z.object({ evaluations: z.array(evaluation) })),
  },
  createEvaluation: {
    method: 'POST',
    path: '/v1/evaluations',
    idempotencyKey: true,
    summary:
      'Stores an evaluation: scores of a model on rows whose answers are known, and its worst rows. The project keeps its newest 100.',
    query: projectQuery,
    body: evaluationInput,
    response: created(oneEvaluation),
  },
  getEvaluation: {
    method: 'GET',
    path: '/v1/evaluations/:id',
    summary: 'Returns an evaluation without its rows.',
    query: projectQuery,
    response: json(oneEvaluation),
  },
  listEvaluationRows: {
    method: 'GET',
    path: '/v1/evaluations/:id/rows',
    summary:
      'Lists the rows that an evaluation has kept, with their answers, worst first. With `changed=true`, only those whose answers differ in its comparison.',
    query: z.strictObject({ ...projectFields, ...evaluationRowQuery }),
    response: json(evaluationRows),
  },
  deleteEvaluation: {
    method: 'DELETE',
    path: '/v1/evaluations/:id',
    summary: 'Deletes an evaluation and its rows.',
    query: projectQuery,
    response: json(oneEvaluation),
  },
});
