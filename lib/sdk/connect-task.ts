// Functions that ask a model: a task's, whose endpoint answers, and an adapter's that came in a package, which the local cloud
// serves.
import { fileURLToPath } from 'node:url';
import { patientFetch } from '../client/node.js';
import { realClock } from '../clock/index.js';
import { ApiError, OptionError, type TaskDescription } from '../contract/index.js';
import {
  createTaskClient,
  describedParts,
  readOutput,
  type SchemaInput,
  type SchemaOutput,
  type Task,
  type TaskClient,
  type TaskConnection,
  TaskError,
  type TaskMessage,
  type TaskSchema,
} from '../task/index.js';
import { type ConnectOptions, openProgramSession } from './connect.js';
import type { Session } from './session/session.js';

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
  /** What its trainer said of thoughts. */
  enableThinking?: boolean;
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
  return openWhenAsked(async () => {
    const { serveAdapter } = await import('./serve-adapter.js');
    return createTaskClient(
      asked,
      { fetch: patientFetch, ...connection, baseURL: await serveAdapter({ ...adapter, folder }) },
      { ...parts, sleep: (ms, signal) => realClock.sleep(ms, signal) },
    );
  }, isGone);
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

export interface TaskConnectOptions extends Omit<TaskConnection, 'baseURL'>, ConnectOptions {
  /** The slug of an endpoint of the project's cloud, or an endpoint's URL. */
  endpoint?: string;
  /** Alternatively, any server with OpenAI's chat completions: `http://localhost:8000/v1`. */
  baseURL?: string;
}

/**
 * A function that asks an endpoint: `const triage = connectTask(task, { endpoint: 'triage', apiKey })`, then `await
 * triage(input)`. Inputs and answers are checked; what does not fit is a `TaskError`.
 */
export function connectTask<Input extends TaskSchema, Output extends TaskSchema>(
  task: Task<Input, Output>,
  { endpoint, baseURL, cwd, ...connection }: TaskConnectOptions,
): TaskClient<SchemaInput<Input>, SchemaOutput<Output>> {
  if ((endpoint === undefined) === (baseURL === undefined))
    throw new OptionError('connectTask: pass either `endpoint` or `baseURL`.');
  type Client = TaskClient<SchemaInput<Input>, SchemaOutput<Output>>;

  // Kept once it is right, so that a cloud that is stopped then stays so.
  let known: Session | undefined;
  async function findBase(named: string): Promise<string> {
    if (isUrl(named)) return named.replace(/\/+$/, '').replace(/\/v1$/, '');
    const session = known ?? (await openProgramSession(cwd, process.env));
    const url = await findUrl(named, session);
    known = session;
    return url;
  }

  async function open(): Promise<Client> {
    const address = baseURL ?? `${await findBase(endpoint!)}/v1`;
    return createTaskClient(
      task.description,
      { fetch: patientFetch, ...connection, baseURL: address },
      {
        toMessages: task.toMessages,
        readOutput: answer => readOutput(task.output, answer),
        sleep: (ms, signal) => realClock.sleep(ms, signal),
      },
    );
  }

  const isSlug = endpoint !== undefined && !isUrl(endpoint);
  return openWhenAsked(open, isSlug ? isGone : undefined);
}

const isUrl = (endpoint: string) => /^https?:\/\//.test(endpoint);

async function findUrl(slug: string, session: Session): Promise<string> {
  const { deployments } = await (await session.projectClient()).listDeployments();
  const found = deployments.find(deployment => deployment.slug === slug);
  if (found) return found.pathUrl ?? found.url;
  throw new ApiError('deployment_not_found', `This project has no endpoint \`${slug}\`.`);
}

/**
 * `open` is called again after it failed. So it is, and the question asked once more, if an answer failed because of what
 * was opened.
 */
function openWhenAsked<Input, Output>(
  open: () => Promise<TaskClient<Input, Output>>,
  isOutdated: (error: unknown) => boolean = () => false,
): TaskClient<Input, Output> {
  type Client = TaskClient<Input, Output>;
  let opened: Promise<Client> | undefined;

  function client(): Promise<Client> {
    if (opened) return opened;
    const opening: Promise<Client> = open().catch(error => {
      forget(opening);
      throw error;
    });
    opened = opening;
    return opening;
  }

  /** Unless another question has opened it again already. */
  function forget(outdated: Promise<Client>): void {
    if (opened === outdated) opened = undefined;
  }

  async function ask<Answer>(question: (client: Client) => Promise<Answer>): Promise<Answer> {
    const current = client();
    try {
      return await question(await current);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      forget(current);
      return question(await client());
    }
  }

  return Object.assign((...given: Parameters<Client>) => ask(open => open(...given)), {
    withProbabilities: (...given: Parameters<Client>) => ask(open => open.withProbabilities(...given)),
  });
}
