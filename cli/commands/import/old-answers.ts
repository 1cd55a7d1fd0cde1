// The answers of the fine-tuned models: says what they cost in rows and tokens, and asks only if someone agrees.
import { formatCount, plural } from '../../../lib/console/index.js';
import {
  type AccountJob,
  type AccountStore,
  type AnswerPlan,
  askAnswers,
  inProject,
  isKind,
  type MovedJob,
  type OpenAiAccount,
  planAnswers,
} from '../../../lib/sdk/openai-account/index.js';
import { UsageError } from '../../command.js';
import { canAsk } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import type { SessionContext } from '../project/session-command.js';
import { askYesNo } from '../terminal/ask.js';

export interface AskedAnswers {
  id: string;
  model: string;
  /** Relative to the project. */
  path: string;
  rows: number;
  /** Asked by this call; the others were there. */
  asked: number;
  skipped: number;
}

/** Why a job was not imported, or its model not asked. */
export interface Failure {
  id: string;
  error: string;
}

/** Throws before anything is done if nobody can be asked. */
export function requireConsent({ values, json, io }: SessionContext): void {
  if (values.answers !== true || values.list === true || values.yes === true) return;
  if (json || !canAsk(io))
    throw new UsageError(
      'option "--answers" sends rows to models that OpenAI bills, so it asks first. Without a terminal to ask on, add "--yes".',
    );
}

interface Ways {
  account: OpenAiAccount;
  store: AccountStore;
  signal: AbortSignal;
  watch: { onAnswers(done: number, all: number): void; clear(): void };
}

interface Imported {
  jobs: readonly AccountJob[];
  moved: readonly (MovedJob & { id: string })[];
}

export async function askOldModels(
  ways: Ways,
  imported: Imported,
  input: SessionContext,
): Promise<{ answers: AskedAnswers[]; unasked: Failure[] }> {
  const { io, note } = input;
  const plans = await makePlans(ways, imported, note);
  const open = plans.filter(({ questions }) => questions.length > 0);
  const asked = await agreesTo(open, ways, input);
  const answers: AskedAnswers[] = [];
  const unasked: Failure[] = [];
  const all = open.reduce((sum, { questions }) => sum + questions.length, 0);
  let done = 0;
  for (const plan of plans) {
    const { job, model, questions, answered, skipped } = plan;
    if (questions.length > 0 && !asked) continue;
    const onAnswer = () => ways.watch.onAnswers(++done, all);
    try {
      const path = inProject(io.cwd, await askAnswers({ ...ways, onAnswer }, plan));
      const rows = { rows: answered + questions.length, asked: questions.length, skipped };
      answers.push({ id: job.id, model, path, ...rows });
    } catch (error) {
      // Such as a model that was deleted there: the others can still be asked.
      if (!isKind(error, 'unexpected', 'missing', 'refused')) throw error;
      unasked.push({ id: job.id, error: (error as Error).message });
    }
  }
  ways.watch.clear();
  return { answers, unasked };
}

async function makePlans(
  { store }: Ways,
  { jobs, moved }: Imported,
  note: (line: string) => void,
): Promise<AnswerPlan[]> {
  const plans: AnswerPlan[] = [];
  for (const job of jobs) {
    const files = moved.find(({ id }) => id === job.id)?.files ?? [];
    const found = files.find(({ role }) => role === 'validation')?.file;
    const path = found && 'path' in found ? found.path : null;
    if (job.fine_tuned_model === null) note(`${toSafeLine(job.id)} made no model to ask.`);
    else if (path === null) note(`${toSafeLine(job.id)} has no validation rows to ask with.`);
    else plans.push(await planAnswers(store, { ...job, fine_tuned_model: job.fine_tuned_model }, path));
  }
  return plans;
}

async function agreesTo(
  plans: readonly AnswerPlan[],
  { account, signal }: Ways,
  input: SessionContext,
): Promise<boolean> {
  if (plans.length === 0) return false;
  const sum = (read: (plan: AnswerPlan) => number) => plans.reduce((total, plan) => total + read(plan), 0);
  const rows = plural(
    sum(({ questions }) => questions.length),
    'row',
  );
  const [asked, answered] = [sum(({ tokens }) => tokens.asked), sum(({ tokens }) => tokens.answered)];
  input.note(
    `${rows} for ${plural(plans.length, 'model')} on ${account.host}: about ${formatCount(asked)} tokens to read and ${formatCount(answered)} to write, at 4 characters a token. The account pays for them.`,
  );
  if (input.values.yes === true) return true;
  const answer = await askYesNo('Ask for these answers? [y/N] ', input.io, signal);
  if (answer === 'yes') return true;
  input.note('No answers were asked for.');
  return false;
}
