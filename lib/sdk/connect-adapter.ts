// An adapter that came in a package, as a function: the local cloud serves it, and answers.
import { fileURLToPath } from 'node:url';
import { patientFetch } from '../client/node.js';
import { realClock } from '../clock/index.js';
import type { TaskDescription } from '../contract/index.js';
import {
  createTaskClient,
  describedParts,
  type TaskClient,
  type TaskConnection,
  TaskError,
  type TaskMessage,
} from '../task/index.js';
import { openWhenAsked } from './open-when-asked.js';
import { serveAdapter } from './serve-adapter.js';

export interface PackagedAdapter {
  /** The package's name. */
  name: string;
  /** Where its files are, in PEFT layout. */
  folder: string | URL;
  /** Their digest, as svc shows it. */
  sha256: string;
  /** The base model that it was trained on, as its cloud called it. */
  baseModel: string;
  /** The digest of that base model, as its cloud said it. Without one, names are compared. */
  baseModelDigest?: string;
  /** Without one, questions and answers are texts. */
  task?: TaskDescription;
}

export interface AdapterConnectOptions<Input = PlainQuestion>
  extends Pick<TaskConnection, 'temperature' | 'maxTokens' | 'tries' | 'constrained'> {
  /** Writes the messages, if the task's description does not say how. */
  prompt?(input: Input): readonly TaskMessage[];
}

/** What an adapter without a task is asked: a message of the user, or a conversation. */
export type PlainQuestion = string | readonly TaskMessage[];

/**
 * A function that asks an adapter, as the packages do that `svc jobs download --npm` writes. The first question has the local
 * cloud serve it, starting the cloud if it does not run. Each digest is imported once.
 */
export function connectAdapter<Input = PlainQuestion, Output = string>(
  adapter: PackagedAdapter,
  { prompt, ...connection }: AdapterConnectOptions<Input> = {},
): TaskClient<Input, Output> {
  const { task, name } = adapter;
  const folder = typeof adapter.folder === 'string' ? adapter.folder : fileURLToPath(adapter.folder);
  const parts = task ? describedParts<Input, Output>(task, prompt) : textParts<Input, Output>(prompt);
  const asked = task ?? { name: name.slice(-64), kind: 'text', output: { type: 'string' } };
  return openWhenAsked(
    async () =>
      createTaskClient(
        asked,
        { fetch: patientFetch, ...connection, baseURL: await serveAdapter({ ...adapter, folder }) },
        { ...parts, sleep: (ms, signal) => realClock.sleep(ms, signal) },
      ),
    isGone,
  );
}

function textParts<Input, Output>(prompt?: (input: Input) => readonly TaskMessage[]) {
  const write = (question: PlainQuestion): TaskMessage[] =>
    typeof question === 'string' ? [{ role: 'user', content: question }] : [...question];
  return {
    toMessages: (input: Input) => (prompt ? [...prompt(input)] : write(input as PlainQuestion)),
    readOutput: (answer: unknown) => answer as Output,
  };
}

const NOT_FOUND = 404;

/** The cloud has moved to another port or ended, or its endpoint was deleted. */
function isGone(error: unknown): boolean {
  if (!(error instanceof TaskError) || error.code !== 'request_failed') return false;
  return error.status === NOT_FOUND || (error.status === undefined && error.cause !== undefined);
}
