// Entry point of typed tasks.
export { createTaskClient } from './client/client.js';
export { writeMessages } from './client/messages.js';
export {
  type AskOptions,
  type LikelyAnswer,
  type TaskClient,
  type TaskConnection,
  TaskError,
  type TaskErrorCode,
  type TaskMessage,
} from './client/types.js';
export { defineTask, readOutput, type Task, type TaskOptions, type TaskPrompt } from './define-task.js';
export { describedParts } from './described-task.js';
export { toType } from './schema-types.js';
export { openTaskRows, TaskRowError, type TaskRows, WrongRows } from './task-rows.js';
export type { SchemaInput, SchemaOutput, TaskSchema } from './task-schema.js';
export { toSource, writeClient } from './write-client.js';
