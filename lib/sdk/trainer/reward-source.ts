// Where rewards come from: a function of the program, a grader that the cloud runs, or one that asks a model of a server that the
// trainer names. That one runs in the program's process, so that the server gets its own key, and the cloud gets none.
import { patientFetch } from '../../client/node.js';
import { type Clock, realClock } from '../../clock/index.js';
import {
  findFault,
  GRADED_WITHOUT,
  type Grader,
  type GraderOf,
  grader,
  type PartGrader,
} from '../../contract/index.js';
import { type AskJudge, createGrader, findGraderFault } from '../../grading/index.js';
import { readUsage } from '../distil/spending.js';
import type { Env } from '../files/files.js';
import { findKey, findServerFault, type NamedServer } from '../openai-api/address.js';
import { createReadDocument, readAnswer } from '../openai-api/read-document.js';
import { createSend } from '../openai-api/send.js';
import type { GrpoMethod, RewardFunction } from './options.js';

type RewardSource = GrpoMethod['reward'];
type ModelGrader = GraderOf<'score_model'> | GraderOf<'label_model'>;
type ServedGrader = ModelGrader & NamedServer;

/** Whether the program computes the rewards, rather than the cloud. */
export function isRewardedHere(reward: RewardSource): boolean {
  return typeof reward === 'function' || modelGradersOf(reward).some(namesServer);
}

/** Null for a grader that the cloud runs. */
export function toRewardFunction(
  reward: RewardSource,
  place: { env: Env; clock?: Clock },
): RewardFunction | null {
  if (typeof reward === 'function') return reward;
  return isRewardedHere(reward) ? gradeHere(reward, place) : null;
}

/** What is wrong with the servers that a grader names: a sentence that starts with the option; null if nothing is. */
export function findRewardFault(reward: Grader): string | null {
  const asking = modelGradersOf(reward);
  if (!asking.some(namesServer)) return null;
  const misfit = findFault(grader, withoutServers(reward), '`it`');
  if (misfit) return misfit.replace('`', '`method.reward.');
  if (!asking.every(namesServer))
    return '`method.reward` has graders with a `baseURL` and others without: name a server for each that asks a model, or for none.';
  for (const server of asking as ServedGrader[]) {
    if (typeof server.baseURL !== 'string')
      return '`baseURL` of a grader must be the address of an API like OpenAI’s.';
    if (server.apiKey != null && typeof server.apiKey !== 'string')
      return '`apiKey` of a grader must be a text, or null.';
    const fault = findServerFault(server);
    if (fault) return `\`method.reward\`, \`${server.name}\`: ${fault}`;
  }
  const fault = findGraderFault(reward);
  return fault && `\`method.reward\`: ${fault.message}`;
}

function modelGradersOf(reward: Grader): ModelGrader[] {
  const parts: PartGrader[] = reward.type === 'multi' ? Object.values(reward.graders ?? {}) : [reward];
  return parts.filter(part => part?.type === 'score_model' || part?.type === 'label_model');
}

/** As the cloud knows graders. */
function withoutServers(reward: Grader): object {
  if (reward.type !== 'multi') return withoutServer(reward);
  return { ...reward, graders: mapValues(reward.graders ?? {}, withoutServer) };
}

/** Settings that the cloud would refuse are the server's own matter. */
function withoutServer(part: object): object {
  const { baseURL: _, apiKey: __, ...rest } = part as NamedServer & { sampling_params?: object };
  const settings = Object.entries(rest.sampling_params ?? {});
  const checked = settings.filter(([name]) => !GRADED_WITHOUT.includes(name));
  return { ...rest, ...(rest.sampling_params && { sampling_params: Object.fromEntries(checked) }) };
}

const namesServer = (grader: object) => 'baseURL' in grader || 'apiKey' in grader;

function gradeHere(reward: Grader, { env, clock = realClock }: { env: Env; clock?: Clock }): RewardFunction {
  const asked = modelGradersOf(reward) as ServedGrader[];
  // A question names only its model, which several servers may have.
  const servers = new Map(asked.map(server => [nameOf(server), server]));
  const rename = (part: PartGrader): PartGrader =>
    asked.includes(part as ServedGrader) ? { ...part, model: nameOf(part as ServedGrader) } : part;
  const renamed: Grader =
    reward.type === 'multi' ? { ...reward, graders: mapValues(reward.graders, rename) } : rename(reward);
  const ask: AskJudge = ({ model, ...question }, signal = new AbortController().signal) =>
    askServer(servers.get(model)!, question, { env, clock, signal });
  const { grade } = createGrader(renamed, { ask });
  return async (text, { row, toolCalls, signal }) => {
    const given = await grade({ item: row, sample: { text, toolCalls } }, signal);
    if ('error' in given) throw new Error(given.error);
    return { reward: given.reward, parts: given.parts };
  };
}

/** In errors, too. */
const nameOf = ({ model, baseURL }: ServedGrader) => `${model} at ${baseURL}`;

function mapValues<V>(record: Readonly<Record<string, V>>, change: (value: V) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

async function askServer(
  server: ServedGrader,
  { messages, schema, sampling }: Omit<Parameters<AskJudge>[0], 'model'>,
  ways: { env: Env; clock: Clock; signal: AbortSignal },
): ReturnType<AskJudge> {
  const { env, ...rest } = ways;
  const baseUrl = server.baseURL;
  const send = createSend(
    { baseUrl, apiKey: findKey(server, env) },
    { ...rest, fetch: patientFetch, onWait: () => {} },
  );
  const readDocument = createReadDocument(send, { baseUrl, ...rest });
  const { max_completions_tokens: most, ...settings } = sampling;
  const given = Object.entries(settings).filter(([, value]) => value != null);
  const document = await readDocument({
    path: '/chat/completions',
    json: {
      model: server.model,
      messages,
      ...Object.fromEntries(given),
      ...(most != null && { max_completion_tokens: most }),
      response_format: { type: 'json_schema', json_schema: { name: 'grade', schema } },
    },
  });
  const { answer, usage } = readAnswer(document);
  const { input, output } = readUsage(usage) ?? { input: 0, output: 0 };
  return {
    text: answer ?? '',
    model: server.model,
    usage: { promptTokens: input, completionTokens: output },
  };
}
