// The answers of a fine-tuned model to a job's validation rows, as what a new one has to beat. Each is written as it arrives, so
// that none is asked for again.
import { eachAtOnce } from '../../system/index.js';
import { appendLines, readWholeLines } from '../files/lines.js';
import { isKind } from '../openai-api/openai-error.js';
import { readAnswer } from '../openai-api/read-document.js';
import type { OpenAiAccount } from './account.js';
import { type Question, readRows, toQuestion } from './rows.js';
import { type AccountJob, methodOf } from './shapes.js';
import type { AccountStore } from './store.js';

const ANSWERS = 'answers.jsonl';

/** A line of `answers.jsonl`. */
interface AnswerLine {
  row: number;
  /** Of the row's text. */
  sha256: string;
  model: string;
  /** What was asked: `messages`, or a `prompt`. */
  input: Record<string, unknown>;
  expected: unknown;
  /** Null if the model called tools, or was refused an answer. */
  answer: string | null;
  toolCalls?: unknown[];
  finishReason?: string | null;
  usage?: unknown;
  /** Why there is no answer, and will be none. */
  error?: string;
}

export interface AnswerPlan {
  job: AccountJob;
  model: string;
  /** Not answered yet. */
  questions: Question[];
  answered: number;
  /** Rows that no model can be asked with. */
  skipped: number;
  tokens: { asked: number; answered: number };
}

export async function planAnswers(
  store: AccountStore,
  job: AccountJob & { fine_tuned_model: string },
  validation: string,
): Promise<AnswerPlan> {
  const done = new Set((await readWholeLines(store.jobPath(job.id, ANSWERS))).flatMap(readKey));
  const plan: AnswerPlan = {
    job,
    model: job.fine_tuned_model,
    questions: [],
    answered: 0,
    skipped: 0,
    tokens: { asked: 0, answered: 0 },
  };
  for await (const row of readRows(validation)) {
    const question = toQuestion(row);
    if (!question) plan.skipped++;
    else if (done.has(keyOf(question))) plan.answered++;
    else {
      plan.questions.push(question);
      plan.tokens.asked += question.tokens.asked;
      plan.tokens.answered += question.tokens.answered;
    }
  }
  return plan;
}

const keyOf = ({ row, sha256 }: Pick<Question, 'row' | 'sha256'>) => `${row} ${sha256}`;

function readKey(line: string): string[] {
  try {
    return [keyOf(JSON.parse(line) as AnswerLine)];
  } catch {
    return [];
  }
}

const AT_ONCE = 4;

interface AskContext {
  account: OpenAiAccount;
  store: AccountStore;
  signal: AbortSignal;
  onAnswer(): void;
}

/** The file's path. Rows are answered a few at a time; those under way when the process is killed are asked again. */
export async function askAnswers(
  { account, store, signal, onAnswer }: AskContext,
  { job, model, questions }: AnswerPlan,
): Promise<string> {
  const path = store.jobPath(job.id, ANSWERS);
  let writing = Promise.resolve();
  const isReasoning = methodOf(job) === 'reinforcement';
  await eachAtOnce(questions, AT_ONCE, async question => {
    signal.throwIfAborted();
    const line = await ask(account, question, { model, isReasoning });
    writing = writing.then(() => appendLines(path, [JSON.stringify(line)]));
    await writing;
    onAnswer();
  });
  return path;
}

async function ask(
  account: OpenAiAccount,
  { row, sha256, path, body, expected }: Question,
  { model, isReasoning }: { model: string; isReasoning: boolean },
): Promise<AnswerLine> {
  const line = { row, sha256, model, input: body, expected };
  // Models that reason refuse a temperature.
  const sampling = isReasoning ? {} : { temperature: 0 };
  try {
    return { ...line, ...readAnswer(await account.ask(path, { model, ...body, ...sampling })) };
  } catch (error) {
    // The same request would be refused again, such as a row that is too long.
    if (isKind(error, 'refused')) return { ...line, answer: null, error: error.message };
    throw error;
  }
}
