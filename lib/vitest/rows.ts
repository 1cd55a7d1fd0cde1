// Asks a model rows whose answers are known, and scores it, alone or beside another one.
import { join } from 'node:path';
import type { EvaluationInput, InferenceRequest } from '../contract/index.js';
import { buildEvaluation, inferTask, type RowAnswer } from '../evaluation/index.js';
import {
  type AskableRows,
  answerSchema,
  askRows,
  type GrpoMethod,
  openRewarding,
  type Rewarding,
  type RowSource,
  readAskableRows,
  requireScore,
  toRewardTask,
} from '../sdk/index.js';
import { openTaskRows } from '../task/index.js';
import { keepReply, knownReply, replyKey, toRequest } from './ask.js';
import type { TestedModel } from './choose-model.js';

/** A file in the project's folder, a data set of the Hugging Face Hub, or the rows themselves. */
export type TestRows = string | readonly object[] | RowSource;

export interface OnRows {
  /**
   * Rows as trainers read them: `{ input, output }`, `{ messages }` or `{ prompt, completion }`. With `reward`, prompts without
   * answers, as the method `grpo` takes them.
   */
  on: TestRows;
  /** Scores answers in place of comparing them: the function or the grader that a trainer learns from. */
  reward?: GrpoMethod['reward'];
  /** With `reward`, a JSON schema for the answers. */
  schema?: InferenceRequest['schema'];
  /** Only the first rows. */
  limit?: number;
  /** A score by its name, such as `exact` or `field.amount`. Default: the main score of the task. */
  score?: string;
}

/** `against`: what to compare it with. */
export async function scoreModel(
  model: TestedModel,
  rows: OnRows,
  against?: TestedModel,
): Promise<EvaluationInput> {
  const { score } = rows;
  const rewarding = openReward(model, rows);
  const data = await readRows(model, rows);
  const known = rewarding ? null : (model.task ?? inferTask(data.rows));
  // As `svc eval` does, before anything is asked, but for the parts of rewards.
  if (known) requireScore(known, score);
  const answer = async (of: TestedModel) => {
    const answers = await askAll(of, data, rewarding ? rewarding.schema : answerSchema(of.task));
    return rewarding ? rewarding.reward(data.rows, answers, undefined) : answers;
  };
  const answers = await answer(model);
  const others = against && (await answer(against));
  const task = known ?? toRewardTask([...answers, ...(others ?? [])]);
  requireScore(task, score);
  return buildEvaluation({
    data: { name: data.name, digest: data.digest, rows: data.rows.length },
    taskName: model.task?.name ?? null,
    task,
    rows: data.rows,
    candidate: { subject: model.subject, answers },
    against: against && { subject: against.subject, answers: others! },
    score,
  });
}

/** As `svc eval` has a trainer's. */
function openReward({ session, maxTokens }: TestedModel, { reward, schema }: OnRows): Rewarding | null {
  if (reward === undefined) return null;
  const method = { type: 'grpo', reward, maxTokens, ...(schema && { schema }) } as const;
  const { clock, env } = session;
  return openRewarding({ method }, { cloud: () => session.projectClient(), clock, env });
}

async function readRows(model: TestedModel, { on, limit, reward }: OnRows): Promise<AskableRows> {
  const { session, own, task } = model;
  const { folder, home } = session;
  const read = own && openTaskRows(own);
  const takesPrompts = reward !== undefined;
  const data = await readAskableRows(toSource(on), {
    ...{ folder, cacheFolder: join(home, 'cache', 'data'), task, takesPrompts, limit },
    ...(read && { map: row => ('input' in row && 'output' in row ? read.read(row) : row) }),
  });
  if (takesPrompts && !data.rows[0]!.item)
    throw new TypeError(
      `${data.name} has rows with answers, which are compared. A \`reward\` is for prompts without them.`,
    );
  return data;
}

function toSource(on: TestRows): RowSource {
  if (typeof on === 'string') return { type: 'file', path: on };
  return 'type' in on ? on : { type: 'rows', rows: on };
}

/** What answers are constrained to. */
type Schema = Rewarding['schema'];

/** Of each model and data set: one that is being asked is waited for. */
const asked = new Map<string, Promise<RowAnswer[]>>();

function askAll(model: TestedModel, data: AskableRows, schema: Schema): Promise<RowAnswer[]> {
  const { subject, maxTokens } = model;
  const key = JSON.stringify([subject.target, data.digest, schema, maxTokens]);
  let answers = asked.get(key);
  if (!answers) {
    answers = askMissing(model, data, schema);
    asked.set(key, answers);
    const forget = () => asked.delete(key);
    answers.then(forget, forget);
  }
  return answers;
}

/** Rows whose question was asked before, by a test or with other rows, have their answer. */
async function askMissing(model: TestedModel, { rows }: AskableRows, schema: Schema): Promise<RowAnswer[]> {
  const { session, subject, maxTokens } = model;
  const keys = new Map(
    rows.map(({ row, messages, tools }) => [
      row,
      // As they are asked, whatever the task of the model is.
      replyKey(toRequest({ ...model, task: null }, messages, tools ? { tools } : schema ? { schema } : {})),
    ]),
  );
  const known = new Map<number, RowAnswer>();
  for (const [row, key] of keys) {
    const reply = await knownReply(key)?.catch(() => undefined);
    if (reply) known.set(row, { answer: reply.text, calls: reply.toolCalls });
  }
  return askRows(rows, {
    target: subject.target,
    schema,
    maxTokens,
    cloud: () => session.projectClient(),
    file: {
      known,
      async add(row, { answer, calls = [] }) {
        if (answer !== null) keepReply(keys.get(row)!, Promise.resolve({ text: answer, toolCalls: calls }));
      },
      async remove() {},
    },
    clock: session.clock,
    onAnswers() {},
  });
}
