// The operations in OpenAI's and Anthropic's formats, shared by the project API and endpoints. The address decides which
// models are available.
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  anthropicPageQuery,
  type Model,
  type OfferedRoute,
  parseChatRequest,
  parseCountRequest,
  parseEmbeddingRequest,
  type RouteAddress,
  type storedResponseRoutes,
} from '../../contract/index.js';
import { readJson, unknownUrl, wrongMethod } from '../../http/index.js';
import type { CloudDeps } from '../deps.js';
import { toApiError } from '../engine-faults.js';
import type { Backend } from '../seams/backend.js';
import { type Answer, type ModelCall, type TextRequest, withVariables } from './answer.js';
import { readChat } from './chat.js';
import { isFromAnthropic } from './client-headers.js';
import { readCompletion } from './completions.js';
import { embed } from './embeddings.js';
import { readQuery } from './lists.js';
import { readMessages } from './messages.js';
import { toAnthropicModel, toAnthropicModels } from './models.js';
import { askOnce, type Generation } from './pieces.js';

/** The models at an address. */
export interface CalledModels {
  list(): Promise<Model[]>;
  /** Throws `model_not_found`. */
  get(id: string): Promise<Model>;
  /** The model that serves a request naming it. `body` is what a request for an answer says about its caller. */
  serve(named: unknown, body?: object): Promise<ModelCall>;
}

export interface OperationCall {
  request: Request;
  /** The resource in the path, such as a model; empty if none. */
  id: string;
  /** The resource in that one; empty if none. */
  itemId: string;
  models: CalledModels;
}

/** The operations that neither read nor write stored answers. */
type StatelessRoute = Exclude<
  OfferedRoute,
  'createResponse' | 'countResponseTokens' | keyof typeof storedResponseRoutes
>;

/** Returns a document or a complete response. */
type Operate = (call: OperationCall) => Promise<object>;

interface OperationsContext {
  answer: Answer;
  backend: Backend;
  clock: Clock;
  deps: Pick<CloudDeps, 'log' | 'tracer'>;
}

export function createOperations({
  answer,
  backend,
  clock,
  deps: { log, tracer },
}: OperationsContext): Readonly<Record<StatelessRoute, Operate>> {
  const generate =
    <K extends Generation>(read: (body: unknown) => TextRequest<K>): Operate =>
    async ({ request, models }) => {
      const body = await readJson(request);
      const parsed = read(body);
      return answer(parsed, await models.serve(parsed.model, body as object));
    };
  return {
    async listModels({ request, models }) {
      const data = await models.list();
      return isFromAnthropic(request)
        ? toAnthropicModels(data, readQuery(request, anthropicPageQuery))
        : { object: 'list', data };
    },
    async getModel({ request, models, id }) {
      const model = await models.get(id);
      return isFromAnthropic(request) ? toAnthropicModel(model) : model;
    },
    completeChat: generate(body => readChat(parseChatRequest(body))),
    createCompletion: generate(readCompletion),
    createMessage: generate(readMessages),
    async countMessageTokens({ request, models }) {
      const read = readMessages(await readJson(request), parseCountRequest);
      return { input_tokens: await countTokens(backend, read, models, 'messages') };
    },
    async createEmbeddings({ request, models }) {
      const parsed = parseEmbeddingRequest(await readJson(request));
      return embed({ backend, clock, log, tracer }, parsed, await models.serve(parsed.model));
    },
  };
}

/** Of a prompt, however long. `conversation` is the field that has it. */
export async function countTokens(
  backend: Backend,
  { model, tasks }: TextRequest<'chat'>,
  models: CalledModels,
  conversation: string,
): Promise<number> {
  const served = await models.serve(model);
  const { caller, signal } = served;
  const { messages, variables, tools } = withVariables(tasks[0]!, served);
  const task = { messages, variables, tools: tools?.all, caller };
  const tokens = await askOnce(backend, 'encode', task, signal).catch(error => {
    throw toApiError(error, { conversation });
  });
  return tokens.length;
}

export function toResponse(output: object): Response {
  return output instanceof Response ? output : Response.json(output);
}

/** The operations at an address, each with its method and path. */
type Offered<Name extends string> = Readonly<Partial<Record<Name, RouteAddress>>>;

interface FoundOperation<Name extends string> extends Pick<OperationCall, 'id' | 'itemId'> {
  operation: Name;
}

interface MissingOperation {
  /** What stands before `path` in the request's own path. */
  base?: string;
  explain?: (path: string) => string | null;
}

/**
 * Finds the operation for a method and path. Only model IDs may contain slashes, which some clients escape and others do
 * not. Throws if there is no such operation, with a message that names paths below `base`, as the caller sees them; `explain` may
 * know why.
 */
export function findOperation<Name extends string>(
  offered: Offered<Name>,
  method: string,
  path: string,
  { base = '', explain = () => null }: MissingOperation = {},
): FoundOperation<Name> {
  const given = path.replace(/(?<=.)\/$/, '');
  const matching = matchRoutes(offered, given);
  const found = matching.find(route => route.method === method);
  if (found) {
    const [id = '', itemId = ''] = found.ids.map(decode);
    return { operation: found.operation, id, itemId };
  }
  if (matching.length === 0) {
    const paths = plainPaths(offered);
    const hint =
      explain(given) ?? findMissingPart(given) ?? findMeant(given, paths, base) ?? listPaths(paths, base);
    throw unknownUrl(base + path || '/', `: ${hint}`);
  }
  throw wrongMethod(method, base + given, matching.map(route => route.method).join(', '));
}

interface MatchingRoute<Name extends string> extends Pick<RouteAddress, 'method'> {
  operation: Name;
  /** Escaped. */
  ids: string[];
}

export function matchRoutes<Name extends string>(
  offered: Offered<Name>,
  path: string,
): MatchingRoute<Name>[] {
  const routes = Object.entries(offered) as [Name, RouteAddress][];
  return routes.flatMap(([operation, route]) => {
    const match = patternOf(route).exec(path);
    return match ? [{ operation, method: route.method, ids: match.slice(1) }] : [];
  });
}

/** Parts of OpenAI's API that svc does not have, by the first segment of their paths. */
const MISSING_PARTS: Readonly<Record<string, string>> = {
  assistants: 'assistants',
  audio: 'audio models',
  chatkit: 'ChatKit',
  containers: 'containers',
  evals: 'evals',
  images: 'image models',
  moderations: 'moderation models',
  organization: 'administration API',
  realtime: 'realtime API',
  skills: 'skills',
  threads: 'threads',
  vector_stores: 'vector stores',
  videos: 'video models',
};

function findMissingPart(path: string): string | null {
  const first = /\/v1\/(\w+)/.exec(path)?.[1] ?? '';
  return Object.hasOwn(MISSING_PARTS, first) ? `svc has no ${MISSING_PARTS[first]}` : null;
}

const patterns = new Map<string, RegExp>();

function patternOf({ path }: RouteAddress): RegExp {
  const source = path.replace(/\./g, '\\.').replace(':model', '(.+)').replace(/:\w+/g, '([^/]+)');
  const pattern = patterns.get(path) ?? new RegExp(`^${source}$`);
  patterns.set(path, pattern);
  return pattern;
}

/** Only operations without a resource: enough to find the right URL. */
function plainPaths(offered: Offered<string>): string[] {
  const paths = Object.values(offered).map(route => route!.path as string);
  return [...new Set(paths.filter(path => !path.includes(':')))];
}

/** A client's base URL may lack the version, have it twice, or be the URL of an operation. */
function findMeant(path: string, paths: readonly string[], base: string): string | null {
  const meant = paths.find(one => path.endsWith(one.replace(/^.*\/v1/, '')));
  return meant === undefined ? null : `it is at ${base}${meant}. Check the client's base URL`;
}

function listPaths(paths: readonly string[], base: string): string {
  const shown = paths.map(path => base + path);
  return shown.length === 1 ? `only ${shown[0]} is available` : `there are ${shown.join(', ')}`;
}

/** A part of a path without its escapes. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('invalid_value', 'The URL is malformed.');
  }
}
