// Rows of a run that learns from rewards, as tokens: whoever trains on them asks by their places, and the rows and the texts
// of answers are read where they are.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RewardGroup, RewardQuestion, RewardRequest } from '../../../lib/contract/index.js';
import { openText } from '../../../lib/engine/text/index.js';
import type { RewardMethod } from '../../../lib/engine/train/options.js';
import type { Score } from '../../../lib/engine/train/rewards/objective.js';
import { openPrompts } from '../../../lib/engine/train/rewards/prompt-file.js';
import { writeTokens } from '../../../lib/engine/train/tokens.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { lossesOf, prepareAndRun, SIZES, trainRequest } from './support.js';

const modelFolder = await tinyModel();
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const grader = { type: 'string_check', name: 'any', input: '', reference: '', operation: 'eq' } as const;
const method: RewardMethod = {
  ...{
    type: 'grpo',
    reward: grader,
    group: 3,
    updates: 1,
    beta: 0.02,
    epsilon: 0.2,
    temperature: 1,
    maxTokens: 6,
  },
};
const options = { loraR: 4, loraAlpha: 8, batchSize: 2, maxSteps: 3, evalSteps: 2, threads: 1, method };
const rows = Array.from({ length: 12 }, (_, i) => ({
  system: 'Be brief.',
  messages: [{ role: 'user', content: `Number ${i}` }],
  wanted: i,
}));

const request = (name: string, data: readonly object[] = rows) =>
  trainRequest(folder, name, data, { modelFolder, options, evaluationFraction: 0.3 });

/** Rewards long answers, and remembers what it is asked. */
const scoreTo =
  <Request extends RewardQuestion>(asked: Request[]): Score =>
  async given => {
    asked.push(given as unknown as Request);
    return { rewards: given.groups.map(group => group.answers.map(({ text }) => ({ reward: text.length }))) };
  };

async function write(size = {}, data: readonly object[] = rows) {
  const target = join(folder, 'tokens');
  await mkdir(target, { recursive: true });
  return { target, written: await writeTokens({ ...(await request('scratch', data)), target }, size) };
}

describe.each(SIZES)('a %s data set', { timeout: JOURNEY_TIMEOUT_MS }, (_, size) => {
  it('has the same answers, losses and rewards as tokens, and its rows where they are', async () => {
    const [home, away]: [RewardRequest[], RewardQuestion[]] = [[], []];
    const read = await prepareAndRun({ ...(await request('home')), score: scoreTo(home) }, size);
    const { target, written } = await write(size);
    expect(written.answers!.hasTools).toBe(false);
    const { source: _1, ...rest } = await request('away');
    const sent = await prepareAndRun({ ...rest, tokens: written, score: scoreTo(away) });
    expect(lossesOf(sent)).toEqual(lossesOf(read));
    const prompts = await openPrompts(target, modelFolder);
    const whole = away.map(({ step, groups }) => ({ step, groups: prompts.read(groups) }));
    expect(whole).toEqual(home);
    const [{ item, messages }] = home[0]!.groups as [RewardGroup];
    expect(item).toHaveProperty('wanted');
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    prompts.close();
  });
});

describe('answers that come as tokens', () => {
  it('are read as the model means them', async () => {
    const { target, written } = await write();
    const text = await openText(modelFolder);
    expect(written.answers!.ends).toEqual(text.endIds);
    const prompts = await openPrompts(target, modelFolder);
    const ids = [...text.encode('The fox'), text.endIds[0]!];
    const [group] = prompts.read([{ row: 7, answers: [{ ids }, { text: 'told' }, { ids: [] }] }]);
    expect(group).toEqual({
      row: 7,
      item: rows[7],
      messages: [{ role: 'system', content: rows[7]!.system }, ...rows[7]!.messages],
      answers: [{ text: 'The fox' }, { text: 'told' }, { text: '' }],
    });
    prompts.close();
  });

  it('may not call tools, which whoever prepares them is told', async () => {
    const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
    const { written } = await write({}, [...rows, { ...rows[0], tools }]);
    expect(written.answers!.hasTools).toBe(true);
  });
});
