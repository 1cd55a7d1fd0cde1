// Asks a model rows whose answers are known, and scores it, alone or beside another one.
import { join } from 'node:path';
import type { EvaluationInput } from '../contract/index.js';
import { buildEvaluation, inferTask, type RowAnswer } from '../evaluation/index.js';
import { type AskableRows, answerSchema, askRows, type RowSource, readAskableRows } from '../sdk/index.js';
import { openTaskRows } from '../task/index.js';
import { keepReply, knownReply, replyKey, toRequest } from './ask.js';
import type { TestedModel } from './choose-model.js';

/** A file in the project's folder, a data set of the Hugging Face Hub, or the rows themselves. */
export type TestRows = string | readonly object[] | RowSource;

export interface OnRows {
  /** Rows as trainers read them: `{ input, output }`, `{ messages }` or `{ prompt, completion }`. */
  on: TestRows;
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
  const data = await readRows(model, rows);
  const answers = await askAll(model, data);
  return buildEvaluation({
    data: { name: data.name, digest: data.digest, rows: data.rows.length },
    taskName: model.task?.name ?? null,
    task: model.task ?? inferTask(data.rows),
    rows: data.rows,
    candidate: { subject: model.subject, answers },
    against: against && { subject: against.subject, answers: await askAll(against, data) },
    score,
  });
}

async function readRows(model: TestedModel, { on, limit }: OnRows): Promise<AskableRows> {
  const { session, own, task } = model;
  const { folder, home } = session;
  const read = own && openTaskRows(own);
  return readAskableRows(toSource(on), {
    ...{ folder, cacheFolder: join(home, 'cache', 'data'), task, limit },
    ...(read && { map: row => ('input' in row && 'output' in row ? read.read(row) : row) }),
  });
}

function toSource(on: TestRows): RowSource {
  if (typeof on === 'string') return { type: 'file', path: on };
  return 'type' in on ? on : { type: 'rows', rows: on };
}

/** Of each model and data set: one that is being asked is waited for. */
const asked = new Map<string, Promise<RowAnswer[]>>();

function askAll(model: TestedModel, data: AskableRows): Promise<RowAnswer[]> {
  const { subject, task, maxTokens } = model;
  const key = JSON.stringify([subject.target, data.digest, task?.output, maxTokens]);
  let answers = asked.get(key);
  if (!answers) {
    answers = askMissing(model, data);
    asked.set(key, answers);
    const forget = () => asked.delete(key);
    answers.then(forget, forget);
  }
  return answers;
}

/** Rows whose question was asked before, by a test or with other rows, have their answer. */
async function askMissing(model: TestedModel, { rows }: AskableRows): Promise<RowAnswer[]> {
  const { session, subject, task, maxTokens } = model;
  const keys = new Map(
    rows.map(({ row, messages, tools }) => [row, replyKey(toRequest(model, messages, { tools }))]),
  );
  const known = new Map<number, RowAnswer>();
  for (const [row, key] of keys) {
    const reply = await knownReply(key)?.catch(() => undefined);
    if (reply) known.set(row, { answer: reply.text, calls: reply.toolCalls });
  }
  return askRows(rows, {
    target: subject.target,
    schema: answerSchema(task),
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
