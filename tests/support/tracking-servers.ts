// Tracking servers on loopback: MLflow's REST API with the limits of requests and the codes of errors, and the two APIs that
// the client of Weights & Biases uses. A test can intercept any request, and sees all of them.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: each route knows what it is sent.
type Json = any;
type Fields = Record<string, Json>;

interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Fields;
}

interface Refusal {
  status: number;
  body: object;
}

type Answer = (request: SeenRequest) => object | Refusal;
/** What happens to a request instead of, or after, being handled. */
type Fate = 'answered' | 'dropped' | 'handled, then dropped' | Refusal;

const isRefusal = (answer: object): answer is Refusal => 'status' in answer && 'body' in answer;

async function serve(answer: Answer) {
  const state = { requests: [] as SeenRequest[], fate: (_: SeenRequest): Fate => 'answered' };
  const server = createServer(async (message, response) => {
    const url = new URL(message.url!, 'http://server');
    const body = message.method === 'POST' ? ((await json(message)) as Fields) : {};
    const { method, headers } = message;
    const request = { method: method!, path: url.pathname, query: url.searchParams, headers, body };
    state.requests.push(request);
    const fate = state.fate(request);
    if (fate === 'dropped') return void message.socket.destroy();
    const result = typeof fate === 'object' ? fate : answer(request);
    if (fate === 'handled, then dropped') return void message.socket.destroy();
    send(response, result);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

function send(response: ServerResponse, result: object | Refusal): void {
  const { status, body } = isRefusal(result) ? result : { status: 200, body: result };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface MlflowRun {
  info: Record<string, unknown> & { run_id: string; experiment_id: string };
  tags: Map<string, string>;
  params: Map<string, string>;
  metrics: { key: string; value: number; timestamp: number; step: number }[];
}

export async function openMlflow() {
  const experiments = new Map<string, string>();
  const runs: MlflowRun[] = [];
  const refuse = (status: number, error_code: string, message = error_code): Refusal => ({
    status,
    body: { error_code, message },
  });
  const find = (id: string | null) => runs.find(({ info }) => info.run_id === id);
  const toRun = ({ info, tags }: MlflowRun) => ({
    run: { info, data: { tags: [...tags].map(([key, value]) => ({ key, value })) } },
  });

  const routes: Record<string, Answer> = {
    'GET experiments/get-by-name': ({ query }) => {
      const id = experiments.get(query.get('experiment_name')!);
      return id === undefined
        ? refuse(404, 'RESOURCE_DOES_NOT_EXIST')
        : { experiment: { experiment_id: id, name: query.get('experiment_name') } };
    },
    'POST experiments/create': ({ body }) => {
      if (experiments.has(body.name)) return refuse(400, 'RESOURCE_ALREADY_EXISTS');
      experiments.set(body.name, String(experiments.size + 1));
      return { experiment_id: experiments.get(body.name)! };
    },
    'POST runs/search': ({ body }) => {
      const [, key, value] = /^tags\."(.+)" = '(.+)'$/.exec(body.filter)!;
      const found = runs.filter(
        ({ info, tags }) => body.experiment_ids.includes(info.experiment_id) && tags.get(key!) === value,
      );
      return found.length > 0 ? { runs: found.map(run => toRun(run).run) } : {};
    },
    'POST runs/create': ({ body: { experiment_id, run_name, start_time, tags } }) => {
      const info = { run_id: `run${runs.length + 1}`, experiment_id, run_name, start_time };
      const known = new Map<string, string>(tags.map(({ key, value }: Json) => [key, value]));
      const run: MlflowRun = { info, tags: known, params: new Map(), metrics: [] };
      runs.push(run);
      return toRun(run);
    },
    'GET runs/get': ({ query }) => {
      const run = find(query.get('run_id'));
      return run ? toRun(run) : refuse(404, 'RESOURCE_DOES_NOT_EXIST');
    },
    'POST runs/log-batch': ({ body: { run_id, metrics = [], params = [], tags = [] } }) => {
      const run = find(run_id)!;
      if (metrics.length + params.length + tags.length > 1000 || params.length > 100)
        return refuse(400, 'INVALID_PARAMETER_VALUE', 'too many');
      const names = [...metrics, ...params, ...tags].map(({ key }) => key as string);
      const isPath = (name: string) => !/(^|\/)\.{0,2}(\/|$)/.test(name);
      const odd = names.find(name => !/^[\p{L}\p{N}_./ -]{1,250}$/u.test(name) || !isPath(name));
      if (odd) return refuse(400, 'INVALID_PARAMETER_VALUE', `Invalid name: ${odd}`);
      run.metrics.push(...metrics);
      for (const { key, value } of params) run.params.set(key, value);
      for (const { key, value } of tags) run.tags.set(key, value);
      return {};
    },
    'POST runs/delete-tag': ({ body: { run_id, key } }) =>
      find(run_id)!.tags.delete(key)
        ? {}
        : refuse(404, 'RESOURCE_DOES_NOT_EXIST', `No tag with name: ${key}`),
    'POST runs/update': ({ body: { run_id, ...fields } }) => {
      const { info } = find(run_id)!;
      Object.assign(info, fields);
      return { run_info: info };
    },
  };
  const server = await serve(request => {
    const name = `${request.method} ${request.path.replace('/api/2.0/mlflow/', '')}`;
    return routes[name]?.(request) ?? refuse(404, 'ENDPOINT_NOT_FOUND', name);
  });
  return Object.assign(server, { experiments, runs });
}

export async function openWandb(key: string) {
  const files = new Map<string, string[]>();
  const runs = new Map<string, Fields>();
  const ends: object[] = [];
  const linesOf = (name: string) => files.get(name) ?? files.set(name, []).get(name)!;

  function upsert(variables: Fields): object {
    if (variables.project === 'refused')
      return { data: { upsertBucket: null }, errors: [{ message: 'permission denied' }] };
    const entity = variables.entity ?? 'me';
    runs.set(variables.name, variables);
    const project = { name: variables.project, entity: { name: entity } };
    const historyLineCount = linesOf('wandb-history.jsonl').length;
    return {
      data: { upsertBucket: { bucket: { id: '1', name: variables.name, historyLineCount, project } } },
    };
  }

  const server = await serve(({ path, headers, body }) => {
    if (headers.authorization !== `Basic ${Buffer.from(`api:${key}`).toString('base64')}`)
      return { status: 401, body: { error: 'unauthorized' } };
    if (path === '/graphql') return upsert(body.variables);
    if (!path.endsWith('/file_stream')) return { status: 404, body: { error: path } };
    for (const [name, { offset, content }] of Object.entries<Json>(body.files ?? {}))
      linesOf(name).splice(offset, content.length, ...content);
    if (body.complete) ends.push(body);
    return {};
  });
  const history = () => linesOf('wandb-history.jsonl').map(line => JSON.parse(line));
  const summary = () => linesOf('wandb-summary.json').map(line => JSON.parse(line));
  return Object.assign(server, { runs, history, summary, ends });
}
