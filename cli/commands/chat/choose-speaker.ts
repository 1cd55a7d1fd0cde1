// Picks who answers: `--job`, `--endpoint`, or by default the base model.
import { targetLabel } from '../../../lib/console/index.js';
import { inferenceRequest } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { adapterOption } from '../project/adapter-option.js';
import { findDeployment } from '../project/find-deployment.js';
import { assertFits, countOption, textOption } from '../project/option-values.js';
import type { SessionContext } from '../project/session-command.js';
import { createDeploymentSpeaker } from './deployment-speaker.js';
import { createCloudSpeaker, type Sampling, type Speaker } from './speaker.js';

const WHERE = 'chat';
const OPTIONS = {
  temperature: 'option "--temperature"',
  topP: 'option "--top-p"',
  maxTokens: 'option "--max-tokens"',
  seed: 'option "--seed"',
};

export async function chooseSpeaker(context: SessionContext): Promise<Speaker> {
  const { session } = context;
  const sampling = readSampling(context);
  const endpoint = textOption(context, 'endpoint');
  const key = textOption(context, 'key');
  if (endpoint !== undefined) {
    if (context.values.job !== undefined || context.values.step !== undefined)
      throw createUsageError('"--endpoint" cannot be combined with "--job" or "--step".', WHERE);
    const { deployment } = await findDeployment(session, endpoint);
    if (deployment.authMode === 'fixed_api_key' && key === undefined)
      throw createUsageError(`this endpoint needs a key: pass "--key KEY".`, WHERE);
    return createDeploymentSpeaker(deployment, key, sampling);
  }
  if (key !== undefined) throw createUsageError('option "--key" requires "--endpoint".', WHERE);
  const adapter = await adapterOption(context, session, WHERE);
  if (adapter) {
    const label = targetLabel({ kind: 'adapter', adapter });
    return createCloudSpeaker(await session.projectClient(), { adapter }, sampling, label);
  }
  const { baseModel } = await session.ensureIdentity();
  const label = targetLabel({ kind: 'base_model', baseModel });
  return createCloudSpeaker(await session.projectClient(), { baseModel }, sampling, label);
}

function readSampling(input: Pick<Input, 'values'>): Sampling {
  const sampling = {
    temperature: numberOption(input, 'temperature'),
    topP: numberOption(input, 'top-p'),
    maxTokens: countOption(input, 'max-tokens', WHERE),
    seed: countOption(input, 'seed', WHERE),
  };
  const given = Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
  const messages = [{ role: 'user', content: 'Hi' }];
  assertFits(inferenceRequest, { messages, baseModel: 'any', ...given }, OPTIONS, WHERE);
  return given;
}

function numberOption(input: Pick<Input, 'values'>, name: string): number | undefined {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw createUsageError(`option "--${name}" must be a number.`, WHERE);
  return value;
}
