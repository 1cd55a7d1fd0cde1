// svc import openai [JOB…]: moves fine-tuning jobs of an OpenAI account into the project. Repeating it after an interruption
// does what is left.
import { resolve } from 'node:path';
import { cutToWidth, formatBytes, formatCount, formatDuration, plural } from '../../../lib/console/index.js';
import { ApiError } from '../../../lib/contract/index.js';
import {
  type AccountJob,
  hasEnded,
  isKind,
  type MoveContext,
  type MovedJob,
  moveJob,
  type OpenAiAccount,
  OpenAiError,
  openAccount,
  suffixOf,
  withStore,
} from '../../../lib/sdk/openai-account/index.js';
import { CommandError, type Context, exitCode, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';
import { interruptible } from '../terminal/interruptible.js';
import { createLiveLine } from '../terminal/live-line.js';
import { type AskedAnswers, askOldModels, type Failure, requireConsent } from './old-answers.js';
import { renderJobs, renderMoved } from './render.js';

export const run = sessionCommand(async input => {
  requireConsent(input);
  if (input.values.list === true && input.positionals.length > 0)
    throw new UsageError('option "--list" lists all jobs; leave out the IDs.');
  const { io, note, svc } = input;
  const clock = input.session.clock;
  const line = createLiveLine(io.stdout, { isLive: input.screen.isLive && !input.json });
  const watch = createWatch(input, line);
  try {
    const code = await interruptible(io, async signal => {
      const account = openGiven(input, { clock, signal, onWait: watch.onWait });
      const jobs = await chooseJobs(account, input);
      if (input.values.list === true) list(account, jobs, input);
      else await importJobs({ account, clock, signal, watch }, jobs, input);
    });
    if (code === exitCode.interrupted) note(`Stopped. To continue, run: ${svc} import openai`);
    return code;
  } catch (error) {
    throw explain(error);
  } finally {
    line.clear();
  }
});

const ADDRESS = 'https://api.openai.com/v1';

type AccountWays = Pick<Parameters<typeof openAccount>[0], 'clock' | 'signal' | 'onWait'>;

/** The same variables as OpenAI's own clients read. */
function openGiven(input: SessionContext, ways: AccountWays): OpenAiAccount {
  const read = (name: string) => input.io.env[name]?.trim() || undefined;
  const apiKey = read('OPENAI_API_KEY');
  if (apiKey === undefined)
    throw new CommandError(
      'Set the environment variable OPENAI_API_KEY to a key of the account. svc uses it for this command and does not store it.',
    );
  try {
    return openAccount({
      ...ways,
      apiKey,
      baseUrl: textOption(input, 'base-url') ?? read('OPENAI_BASE_URL') ?? ADDRESS,
      organization: read('OPENAI_ORG_ID'),
      project: read('OPENAI_PROJECT_ID'),
    });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message);
    throw error;
  }
}

async function chooseJobs(account: OpenAiAccount, { positionals }: SessionContext): Promise<AccountJob[]> {
  const chosen: AccountJob[] = [];
  for (const id of new Set(positionals)) {
    const job = await account.getJob(id).catch((error: unknown) => {
      if (!isKind(error, 'missing')) throw error;
      throw new CommandError(
        `The account has no fine-tuning job ${id}. To see all, run "svc import openai --list".`,
      );
    });
    chosen.push(job);
  }
  if (positionals.length === 0) for await (const job of account.listJobs()) chosen.push(job);
  return chosen;
}

function list(
  { host }: OpenAiAccount,
  jobs: readonly AccountJob[],
  { answer, screen }: SessionContext,
): void {
  answer({ account: host, jobs }, () =>
    jobs.length === 0 ? `No fine-tuning jobs on ${host}.\n` : renderJobs(jobs, screen),
  );
}

interface Import extends Pick<MoveContext, 'account' | 'clock' | 'signal'> {
  watch: ReturnType<typeof createWatch>;
}

/** More than this many are not imported by accident. */
const MANY = 20;

async function importJobs(
  { account, clock, signal, watch }: Import,
  jobs: readonly AccountJob[],
  input: SessionContext,
): Promise<void> {
  const { positionals, session, io, answer, note } = input;
  const ended = jobs.filter(hasEnded).reverse();
  const open = jobs.filter(job => !hasEnded(job));
  for (const { id, status } of open)
    note(`${toSafeLine(id)} is ${toSafeLine(status)}; import it when it has ended.`);
  if (positionals.length === 0 && ended.length > MANY)
    await agree(
      `Import all ${plural(ended.length, 'job')} of ${account.host}?`,
      input,
      io,
      'Nothing was imported.',
    );
  const folder = resolve(io.cwd, textOption(input, 'folder') ?? 'openai');
  const moved: (MovedJob & { id: string })[] = [];
  const failed: Failure[] = [];
  let answers: AskedAnswers[] = [];
  let unasked: Failure[] = [];
  if (ended.length > 0) {
    const cloud = await session.projectClient();
    const { jobs: known } = await cloud.listJobs({ signal });
    const imported = new Map(
      known.flatMap(({ id, origin }) => (origin?.provider === 'openai' ? [[origin.id, id] as const] : [])),
    );
    const onWait = () => note(`Another import writes to ${toSafeLine(folder)}. Waiting until it has ended.`);
    await withStore(folder, { signal, onWait }, async store => {
      const context = { account, store, clock, signal, project: io.cwd, cloud, imported, ...watch };
      for (const [index, job] of ended.entries()) {
        watch.onJob(job, index, ended.length);
        try {
          const wantsTrainer = job.status === 'succeeded' || positionals.length > 0;
          moved.push({ id: job.id, ...(await moveJob(context, job, wantsTrainer)) });
        } catch (error) {
          if (!isOfOneJob(error)) throw withProgress(error, moved.length, ended.length);
          failed.push({ id: job.id, error: (error as Error).message });
        }
      }
      watch.clear();
      if (input.values.answers === true)
        ({ answers, unasked } = await askOldModels(
          { account, store, signal, watch },
          { jobs: ended, moved },
          input,
        ));
    });
  }
  const document = {
    account: account.host,
    folder,
    jobs: moved,
    open: open.map(({ id, status }) => ({ id, status })),
    failed: [...failed, ...unasked],
    ...(input.values.answers === true && { answers }),
  };
  answer(document, () => renderMoved({ account: account.host, jobs: ended, moved, answers }, input));
  const lines = (of: readonly Failure[]) => of.map(({ id, error }) => `${id}: ${error}`);
  const problems = [
    ...(failed.length > 0
      ? [`${plural(failed.length, 'job')} could not be imported:`, ...lines(failed)]
      : []),
    ...(unasked.length > 0
      ? [`${plural(unasked.length, 'model')} could not be asked:`, ...lines(unasked)]
      : []),
  ];
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

/** An odd document, or a request that this cloud refuses: the other jobs can still be imported. */
function isOfOneJob(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 400;
  return isKind(error, 'unexpected', 'missing', 'refused');
}

function withProgress(error: unknown, done: number, all: number): unknown {
  if (!(error instanceof OpenAiError) || done === 0) return error;
  return new CommandError(
    `${error.message}\n${done} of ${plural(all, 'job')} are imported. Run the command again to continue.`,
  );
}

function explain(error: unknown): unknown {
  return error instanceof OpenAiError ? new CommandError(error.message) : error;
}

/** Shorter waits pass before anyone wonders. */
const TOLD_WAIT_MS = 5000;

/** What it shows while it works: a line that is redrawn on a terminal, and a line for each job elsewhere. */
function createWatch(
  { screen, json, note }: Pick<Context, 'screen' | 'json' | 'note'>,
  line: ReturnType<typeof createLiveLine>,
) {
  const isLive = screen.isLive && !json;
  let place = '';
  const draw = (text: string) => line.draw(cutToWidth(`${place}${text}`, screen.width - 1));
  return {
    onJob(job: AccountJob, index: number, all: number): void {
      const name = toSafeLine(suffixOf(job) ?? job.id);
      place = `${formatCount(index + 1)} of ${formatCount(all)}  ${name}  `;
      if (isLive) draw('');
      else note(`Importing ${name} (${formatCount(index + 1)} of ${formatCount(all)})`);
    },
    onProgress({ name, done, total }: { name: string; done: number; total: number | null }): void {
      const of = total !== null && total >= done ? ` of ${formatBytes(total)}` : '';
      draw(`${toSafeLine(name)} ${formatBytes(done)}${of}`);
    },
    onEvents: (count: number) => draw(`${formatCount(count)} events`),
    onAnswers(done: number, all: number): void {
      place = '';
      draw(`${formatCount(done)} of ${formatCount(all)} answers`);
    },
    onWait({ ms, why }: { ms: number; why: string }): void {
      if (ms >= TOLD_WAIT_MS) note(`${why} Trying again in ${formatDuration(ms)}.`);
    },
    clear: () => line.clear(),
  };
}
