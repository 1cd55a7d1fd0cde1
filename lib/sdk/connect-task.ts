// A task as a function that asks an endpoint.
import { patientFetch } from '../client/node.js';
import { realClock } from '../clock/index.js';
import { ApiError, OptionError } from '../contract/index.js';
import {
  createTaskClient,
  readOutput,
  type SchemaInput,
  type SchemaOutput,
  type Task,
  type TaskClient,
  type TaskConnection,
  type TaskSchema,
} from '../task/index.js';
import { type ConnectOptions, connectCloud } from './connect.js';
import { openWhenAsked } from './open-when-asked.js';

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

  async function open(): Promise<Client> {
    const address = baseURL ?? `${await findUrl(endpoint!, cwd)}/v1`;
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

  return openWhenAsked(open);
}

async function findUrl(endpoint: string, cwd: string | undefined): Promise<string> {
  if (/^https?:\/\//.test(endpoint)) return endpoint.replace(/\/+$/, '').replace(/\/v1$/, '');
  const { deployments } = await (await connectCloud({ ...(cwd !== undefined && { cwd }) })).listDeployments();
  const found = deployments.find(({ slug }) => slug === endpoint);
  if (found) return found.pathUrl ?? found.url;
  throw new ApiError('deployment_not_found', `This project has no endpoint \`${endpoint}\`.`);
}
