// An OpenAI account as `svc import openai` reads it: its jobs and files, and what becomes of them here.

export { isKind, OpenAiError } from '../openai-api/openai-error.js';
export { type OpenAiAccount, openAccount } from './account.js';
export { type AnswerPlan, askAnswers, planAnswers } from './answers.js';
export { suffixOf } from './map-job.js';
export { type MoveContext, type MovedFile, type MovedJob, moveJob } from './move-job.js';
export { type AccountJob, hasEnded, methodOf } from './shapes.js';
export { type AccountStore, withStore } from './store.js';
export { mappingText } from './trainer-source.js';
export { inProject } from './write-trainer.js';
