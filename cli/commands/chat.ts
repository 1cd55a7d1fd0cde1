// svc chat: talks to an adapter, an endpoint or the base model. Interactive at a terminal; a message that is passed or
// piped in gets one answer.
import { text } from 'node:stream/consumers';
import { realClock } from '../../lib/clock/index.js';
import { chatSampling, modelWarning, targetLabel } from '../../lib/console/index.js';
import { inferenceRequest } from '../../lib/contract/index.js';
import { type Input, type Io, type Output, UsageError } from '../command.js';
import { printJson } from '../print.js';
import { canAsk } from '../screen.js';
import { converse, openRows } from './chat/converse.js';
import {
  createCloudSpeaker,
  createDeploymentSpeaker,
  createWatchedSpeaker,
  type Sampling,
  type Speaker,
  say,
} from './chat/speaker.js';
import { findDeployment } from './project/find.js';
import { adapterOption, assertFits, countOption, textOption } from './project/option-values.js';
import { type SessionContext, sessionCommand } from './project/session-command.js';

export const run = sessionCommand(async context => {
  const { positionals, json, io } = context;
  const isConversation = positionals.length === 0 && !json && canAsk(io);
  const message = isConversation ? null : await readMessage(positionals[0], io);
  const keep = openRows(context);
  const { speaker, warning } = await chooseSpeaker(context);
  if (message === null) {
    if (warning !== null) context.note(warning);
    return converse(speaker, io, keep);
  }
  const messages = [{ role: 'user', content: message } as const];
  const reply = json
    ? await answerAsJson(speaker, messages, io.stdout)
    : await say(speaker, messages, io.stdout);
  await keep([], { question: message, reply });
});

async function answerAsJson(
  speaker: Speaker,
  messages: Parameters<Speaker['answer']>[0],
  stdout: Output,
): Promise<string> {
  const completion = await speaker.answer(messages);
  printJson(stdout, completion);
  return completion.choices[0]?.message.content ?? '';
}

const OPTIONS = {
  temperature: 'option "--temperature"',
  topP: 'option "--top-p"',
  maxTokens: 'option "--max-tokens"',
  seed: 'option "--seed"',
};

/** Says what a first chat waits for, and what the base model cannot do. */
async function chooseSpeaker(context: SessionContext): Promise<{ speaker: Speaker; warning: string | null }> {
  const { session, io, note } = context;
  const typed = readSampling(context);
  const choose = await findModel(context);
  const anyone = await session.clientForAnyone();
  const readBaseModel = (signal?: AbortSignal) => anyone.getBaseModel({ signal });
  // Other implementations of the cloud may not say.
  const facts = await readBaseModel().then(
    ({ baseModel }) => baseModel.facts,
    () => null,
  );
  const speaker = choose({ ...chatSampling(facts), ...typed });
  const watch = { readBaseModel, note, clock: io.clock ?? realClock };
  return { speaker: createWatchedSpeaker(speaker, watch), warning: modelWarning(facts) };
}

/** The model to chat with: `--job`, `--endpoint`, or by default the base model. */
async function findModel(context: SessionContext): Promise<(sampling: Sampling) => Speaker> {
  const { session } = context;
  const endpoint = textOption(context, 'endpoint');
  const key = textOption(context, 'key');
  if (endpoint !== undefined) {
    if (context.values.job !== undefined || context.values.step !== undefined)
      throw new UsageError('"--endpoint" cannot be combined with "--job" or "--step".');
    const { deployment } = await findDeployment(session, endpoint);
    if (deployment.authMode === 'fixed_api_key' && key === undefined)
      throw new UsageError(`this endpoint needs a key: pass "--key KEY".`);
    return sampling => createDeploymentSpeaker(deployment, key, sampling);
  }
  if (key !== undefined) throw new UsageError('option "--key" requires "--endpoint".');
  const adapter = await adapterOption(context, session);
  if (adapter) {
    const label = targetLabel({ kind: 'adapter', adapter });
    const cloud = await session.projectClient();
    return sampling => createCloudSpeaker(cloud, { adapter }, sampling, label);
  }
  const cloud = await session.projectClient();
  const baseModel = await session.baseModel();
  const label = targetLabel({ kind: 'base_model', baseModel });
  return sampling => createCloudSpeaker(cloud, { baseModel }, sampling, label);
}

function readSampling(input: Pick<Input, 'values'>): Sampling {
  const sampling = {
    temperature: numberOption(input, 'temperature'),
    topP: numberOption(input, 'top-p'),
    maxTokens: countOption(input, 'max-tokens'),
    seed: countOption(input, 'seed'),
  };
  const definedOptions = Object.fromEntries(
    Object.entries(sampling).filter(([, value]) => value !== undefined),
  );
  const messages = [{ role: 'user', content: 'Hi' }];
  assertFits(inferenceRequest, { messages, baseModel: 'any', ...definedOptions }, OPTIONS);
  return definedOptions;
}

function numberOption(input: Pick<Input, 'values'>, name: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new UsageError(`option "--${name}" must be a number.`);
  return value;
}

/** The message of a chat that is not interactive: the argument, or stdin. */
async function readMessage(typed: string | undefined, { stdin }: Pick<Io, 'stdin'>): Promise<string> {
  if (typed === undefined && (!stdin || stdin.isTTY))
    throw missing('only an interactive chat starts without one');
  const message = typed ?? (await text(stdin!)).replace(/\r?\n$/, '');
  if (message.trim() !== '') return message;
  throw typed === undefined ? missing('nothing was piped in') : new UsageError('MESSAGE is empty.');
}

function missing(why: string): Error {
  return new UsageError(`missing MESSAGE: ${why}.`);
}
