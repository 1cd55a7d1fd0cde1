// Documents that an endpoint serves about itself: its task, and an OpenAPI document of what it offers.
import {
  ApiError,
  edgeRoutes,
  type Json,
  type Operation,
  type RouteTable,
  routesOf,
  TASK_PATH,
  type TaskDescription,
  toOpenApi,
} from '../../contract/index.js';

export type EndpointDocument = 'task' | 'openapi';

const OPENAPI_PATH_AT_ENDPOINT = '/v1/openapi.json';

/** Null for any other request. */
export function findDocument(method: string, path: string): EndpointDocument | null {
  if (method !== 'GET') return null;
  if (path === TASK_PATH) return 'task';
  return path === OPENAPI_PATH_AT_ENDPOINT ? 'openapi' : null;
}

export function requireTask(task: TaskDescription | null): TaskDescription {
  if (task) return task;
  throw new ApiError('unknown_url', 'This endpoint has no task: its model was trained without one.');
}

interface Described {
  slug: string;
  url: string;
  version: string;
  operations: readonly Operation[];
  isPublic: boolean;
  task: TaskDescription | null;
}

/** Inputs and outputs of the task are the schemas `TaskInput` and `TaskOutput`. */
export function describeEndpoint({ slug, url, version, operations, isPublic, task }: Described): Json {
  const offered = new Set(Object.values(routesOf(operations)).map(({ method, path }) => `${method} ${path}`));
  const routes = Object.fromEntries(
    Object.entries(edgeRoutes).filter(
      ([, { method, path }]) => offered.has(`${method} ${path}`) || (task !== null && path === TASK_PATH),
    ),
  ) as RouteTable;
  const document = toOpenApi(routes, {
    title: slug,
    version,
    server: url,
    ...(task && {
      description: `Answers for the task ${task.name}: its inputs are TaskInput, its answers TaskOutput.`,
    }),
    ...(!isPublic && { security: 'bearer' as const }),
  });
  if (!task) return document;
  const components = document.components as { schemas: Json };
  const schemas = {
    ...components.schemas,
    TaskInput: withBase(task.input, `${url}${TASK_PATH}/input`),
    TaskOutput: withBase(task.output, `${url}${TASK_PATH}/output`),
  };
  return { ...document, components: { ...components, schemas } };
}

/** References in a schema are to its own definitions, not to those of the document. */
function withBase(schema: Json, $id: string): Json {
  return JSON.stringify(schema).includes('"$ref"') ? { $id, ...schema } : schema;
}
