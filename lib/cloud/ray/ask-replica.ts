// A request to the replicas. Retried until a response begins, since a replica may die, or none may be running yet.
import type { Clock } from '../../clock/index.js';
import {
  type AskKind,
  type Asks,
  EngineError,
  type EngineErrorCode,
  readOutput,
} from '../../engine/index.js';
import { askForLines, type Elsewhere, type LineResponse } from '../backends/elsewhere.js';
import type { Tickets } from '../backends/tickets.js';
import { type Question, unavailable } from '../seams/backend.js';

interface AskedReplicas {
  /** The application's. */
  url: string;
  /** Identify the cloud, and grant access to the adapter that a replica may have to fetch. */
  tickets: Pick<Tickets, 'callerToken' | 'forAdapter'>;
  application: Pick<Elsewhere, 'state' | 'problem'>;
  patience: AskPatience;
  clock: Clock;
  counts: ServingCounts;
}

export interface AskPatience {
  firstMs: number;
  longestMs: number;
  totalMs: number;
}

/** Request counts since the cloud was started. */
export interface ServingCounts {
  /** Requests for an adapter that the replica already had, and those for which it had to fetch it. */
  loaded: number;
  fetched: number;
  /** Attempts after the first. */
  repeated: number;
}

/** No response has begun, so another replica may be tried. */
class NoAnswer extends Error {}

export async function* askReplicas<K extends AskKind>(
  to: AskedReplicas,
  kind: K,
  task: Question<K>,
  signal: AbortSignal,
): AsyncGenerator<Asks[K]['output']> {
  const { firstMs, longestMs, totalMs } = to.patience;
  const deadline = to.clock.elapsed() + totalMs;
  const { isLowPriority = false } = task as Partial<Question<'chat'>>;
  // Requests that give way to others can wait until the replicas have started.
  const isOver = () =>
    to.clock.elapsed() > deadline && !(isLowPriority && to.application.state === 'starting');
  for (let wait = firstMs; ; wait = Math.min(2 * wait, longestMs)) {
    let hasBegun = false;
    try {
      for await (const output of askOnce(to, kind, task, signal)) {
        hasBegun = true;
        yield output as Asks[K]['output'];
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof NoAnswer)) throw error;
      if (hasBegun) throw unavailable('The replica that was answering stopped. Try again.');
      if (isOver()) throw unavailable(describeAbsence(to, error));
    }
    to.counts.repeated++;
    await to.clock.sleep(wait, signal);
  }
}

async function* askOnce(
  to: AskedReplicas,
  kind: AskKind,
  task: Question,
  signal: AbortSignal,
): AsyncGenerator<Asks[AskKind]['output']> {
  const adapter = 'adapter' in task ? task.adapter : null;
  const answer = await open(to, JSON.stringify({ kind, task }), adapter, signal);
  let isOver = false;
  try {
    for await (const line of untilGone(answer)) {
      const space = line.indexOf(' ');
      const [word, json] = [line.slice(0, space), line.slice(space + 1)];
      isOver = word === 'failed' || word === 'ended';
      if (word === 'output') yield readOutput(json);
      else if (word === 'failed') throw toEngineError(json);
      else if (isOver) return;
    }
  } finally {
    answer.close(isOver);
  }
  throw new NoAnswer('an answer ended in the middle');
}

async function open(
  to: AskedReplicas,
  body: string,
  adapter: string | null,
  signal: AbortSignal,
): Promise<LineResponse> {
  const headers = {
    authorization: `Bearer ${to.tickets.callerToken}`,
    // Serve routes it to a replica that has the adapter.
    ...(adapter !== null && {
      serve_multiplexed_model_id: adapter,
      'x-svc-ticket': to.tickets.forAdapter(adapter),
    }),
  };
  const answer = await askForLines(to.url, { headers, body, signal }).catch(error => {
    throw signal.aborted ? error : new NoAnswer((error as NodeJS.ErrnoException).code ?? error.message);
  });
  if (answer.status !== 200) {
    answer.close(true);
    throw new NoAnswer(`HTTP ${answer.status}`);
  }
  if (adapter !== null) to.counts[answer.headers['x-svc-adapter'] === 'fetched' ? 'fetched' : 'loaded']++;
  return answer;
}

async function* untilGone({ lines }: LineResponse): AsyncGenerator<string> {
  try {
    yield* lines;
  } catch (error) {
    throw new NoAnswer((error as NodeJS.ErrnoException).code ?? String(error));
  }
}

function toEngineError(json: string): EngineError {
  const { code, message, part } = JSON.parse(json) as {
    code: EngineErrorCode;
    message: string;
    part?: EngineError['part'];
  };
  return new EngineError(code, message, part);
}

function describeAbsence({ application }: AskedReplicas, { message }: NoAnswer): string {
  const { state, problem } = application;
  if (problem !== null) return `The Ray cluster cannot answer chats: ${problem}`;
  return state === 'starting'
    ? 'The replicas on the Ray cluster are starting. Try again in a minute.'
    : `No replica on the Ray cluster answers (${message}). Try again in a minute.`;
}
