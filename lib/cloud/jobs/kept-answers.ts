// Keeps answers of a run that learns from rewards, so that people can read what is rewarded: of the first step, the last one, and
// up to 100 evenly spaced ones between, the best and the worst answer to a few prompts. At most some 8 MB for each run.
import { sql } from 'kysely';
import {
  cutText,
  type JobAnswers,
  LONGEST_KEPT_ANSWER,
  LONGEST_KEPT_PROMPT,
  MOST_KEPT_CALLS,
  MOST_KEPT_GROUPS,
  type Rewarded,
  type RewardedAnswer,
  type RewardGroup,
  type RewardRequest,
  type RewardResponse,
  type StepAnswer,
  type StepAnswers,
  type StepGroup,
  textOfContent,
} from '../../contract/index.js';
import type { Db } from '../store/db.js';

const MOST_STEPS = 100;

/** `parts`: how many parts of the step's answers are in it. Default: one. */
type KeptStep = StepAnswers & { parts?: number };

interface Rewarding {
  request: RewardRequest;
  /** A worker elsewhere asks about a large step in parts, counted from 0. */
  part: number;
  response: RewardResponse;
}

/** `loggingSteps`: those that are charted. */
export async function keepStepAnswers(
  db: Db,
  { id, loggingSteps }: { id: string; loggingSteps: number },
  { request, part, response }: Rewarding,
): Promise<void> {
  const { step } = request;
  // An evaluation asks for one answer to each prompt.
  if (!request.groups.some(({ answers }) => answers.length > 1)) return;
  const selected = selectAnswers(request, response);
  await db.transaction().execute(async transaction => {
    const before = part > 0 ? await findStep(transaction, id, step) : null;
    const payload = JSON.stringify(before ? addPart(before, part, selected) : selected);
    await transaction
      .insertInto('job_answers')
      .values({ job_id: id, step, payload })
      .onConflict(conflict => conflict.columns(['job_id', 'step']).doUpdateSet({ payload }))
      .execute();
    await transaction
      .deleteFrom('job_answers')
      .where('job_id', '=', id)
      .where('step', '>', 1)
      .where('step', '<', step)
      .where(sql<boolean>`step % ${spacingAt(step, loggingSteps)} <> 0`)
      .execute();
  });
}

async function findStep(db: Db, jobId: string, step: number): Promise<KeptStep | null> {
  const found = await db
    .selectFrom('job_answers')
    .select('payload')
    .where('job_id', '=', jobId)
    .where('step', '=', step)
    .executeTakeFirst();
  return found ? (JSON.parse(found.payload) as KeptStep) : null;
}

/** A part that is asked about again, as after the cloud was restarted, is there already. */
function addPart(before: KeptStep, part: number, added: StepAnswers): KeptStep {
  const { parts = 1 } = before;
  if (part < parts) return before;
  return {
    groups: chooseGroups([...before.groups, ...added.groups]),
    total: before.total + added.total,
    quiet: before.quiet + added.quiet,
    parts: part + 1,
  };
}

/** Doubles as the run grows, so every kept step was already on the finer grid. */
function spacingAt(step: number, loggingSteps: number): number {
  let spacing = loggingSteps;
  while (step / spacing > MOST_STEPS) spacing *= 2;
  return spacing;
}

/** `wanted`: the last step at or before it, or else the first one. Default: the last one. */
export async function readStepAnswers(db: Db, jobId: string, wanted?: number): Promise<JobAnswers> {
  const last = wanted ?? Number.MAX_SAFE_INTEGER;
  const found = await db
    .selectFrom('job_answers')
    .select([
      'step',
      'payload',
      sql<string>`(SELECT json_group_array(step) FROM job_answers WHERE job_id = ${jobId})`.as('steps'),
    ])
    .where('job_id', '=', jobId)
    .orderBy(sql`step > ${last}`)
    .orderBy(sql`abs(${last} - step)`)
    .limit(1)
    .executeTakeFirst();
  if (!found) return { steps: [], step: null, groups: [], total: 0, quiet: 0 };
  const steps = (JSON.parse(found.steps) as number[]).sort((one, other) => one - other);
  const { parts: _, ...kept } = JSON.parse(found.payload) as KeptStep;
  return { steps, step: found.step, ...kept };
}

/** @internal */
export function selectAnswers({ groups }: RewardRequest, { rewards }: RewardResponse): StepAnswers {
  const all = groups.map((group, i) => toKept(group, rewards[i] ?? []));
  return {
    groups: chooseGroups(all),
    total: all.length,
    quiet: all.filter(group => group.best && !group.worst).length,
  };
}

/** Those whose answers differ most. */
function chooseGroups(groups: readonly StepGroup[]): StepGroup[] {
  const spread = ({ best, worst }: StepGroup) => (best && worst ? best.reward - worst.reward : 0);
  return groups.toSorted((one, other) => spread(other) - spread(one)).slice(0, MOST_KEPT_GROUPS);
}

function toKept({ row, messages, answers }: RewardGroup, rewards: readonly Rewarded[]): StepGroup {
  const rewarded = answers.flatMap((answer, i) => {
    const given = rewards[i];
    return given && 'reward' in given ? [{ answer, given }] : [];
  });
  const ranked = rewarded.toSorted((one, other) => other.given.reward - one.given.reward);
  const [best, worst] = [ranked[0], ranked.at(-1)];
  const failure = rewards.find(one => 'error' in one);
  return {
    row,
    prompt: cutText(textOfContent(messages.at(-1)?.content) ?? '', LONGEST_KEPT_PROMPT),
    answers: answers.length,
    failed: answers.length - rewarded.length,
    error: failure && 'error' in failure ? failure.error : null,
    mean: rewarded.length === 0 ? null : meanOf(rewarded.map(({ given }) => given.reward)),
    best: best ? toAnswer(best) : null,
    worst: worst && worst.given.reward < best!.given.reward ? toAnswer(worst) : null,
  };
}

interface Graded {
  answer: RewardedAnswer;
  given: Extract<Rewarded, { reward: number }>;
}

/** The text goes first; its calls have the room that it leaves. */
function toAnswer({ answer: { text, toolCalls = [] }, given: { reward, parts = {} } }: Graded): StepAnswer {
  const whole = [text, ...toolCalls.map(call => call.function.arguments)].join('').length;
  let room = LONGEST_KEPT_ANSWER;
  const take = (given: string) => {
    const taken = room > 0 ? cutText(given, room) : '';
    room -= taken.length;
    return taken;
  };
  const kept = take(text);
  const calls = toolCalls.slice(0, MOST_KEPT_CALLS).map(({ function: { name, arguments: given } }) => ({
    name: cutText(name, 100),
    arguments: take(given),
  }));
  const isCut = whole > LONGEST_KEPT_ANSWER || toolCalls.length > MOST_KEPT_CALLS;
  return { text: kept, calls, cutFrom: isCut ? whole : null, reward, parts };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
