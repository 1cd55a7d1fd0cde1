// svc jobs export ID: a job's measurements for TensorBoard, MLflow or Weights & Biases.
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { realClock } from '../../../lib/clock/index.js';
import { plural, settingRows, shortId } from '../../../lib/console/index.js';
import { isFinalStatus, type Job, type LogPart } from '../../../lib/contract/index.js';
import {
  collectRows,
  measuredRows,
  openServer,
  type RunRecord,
  type SentRun,
  sendToMlflow,
  sendToWandb,
  tfeventsName,
  toTfevents,
} from '../../../lib/run-export/index.js';
import { makeFolder, toNotWritable } from '../../../lib/sdk/index.js';
import { replaceFile, unlessMissing } from '../../../lib/system/index.js';
import { CommandError, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { interruptible } from '../terminal/interruptible.js';
import { readLog } from '../training/event-log.js';
import { safeFileName } from './download/artifact.js';

export const run = sessionCommand(async input => {
  const { positionals, session, io, answer, note } = input;
  return interruptible(io, async signal => {
    const send = chooseTools(input, signal);
    const { cloud, id } = await findJob(session, positionals[0]!);
    const { job } = await cloud.getJob(id);
    const parts: LogPart[] = [];
    for await (const some of readLog(cloud, job)) parts.push(...some);
    const record = toRecord(job, parts);
    const { projectSlug } = await session.ensureProject();
    const project = textOption(input, 'project') ?? projectSlug;
    const results: Record<string, object> = {};
    const lines: string[] = [];
    for (const [tool, work] of Object.entries(send)) {
      const { result, line } = await work(record, project);
      results[tool] = result;
      lines.push(`${toSafeLine(line)}\n`);
    }
    answer({ job: id, ...results }, () => lines.join(''));
    if (!isFinalStatus(job.status))
      note('The job is still running. Run this again later to add what is new.');
  });
});

interface Exported {
  result: object;
  line: string;
}

type Send = (run: RunRecord, project: string) => Promise<Exported>;

/** Bad addresses are refused before anything is read. */
function chooseTools(input: SessionContext, signal: AbortSignal): Record<string, Send> {
  const { values, io } = input;
  if (values.tensorboard !== true && textOption(input, 'out') !== undefined)
    throw new UsageError('option "--out" requires "--tensorboard".');
  const tools: Record<string, Send> = {
    ...(values.tensorboard === true && { tensorboard: run => writeTensorboard(input, run) }),
    ...serverTool(input, signal, 'mlflow', mlflowKey, sendToMlflow),
    ...serverTool(input, signal, 'wandb', wandbKey, sendToWandb),
  };
  if (Object.keys(tools).length === 0)
    throw new UsageError('choose at least one of "--tensorboard", "--mlflow" and "--wandb".');
  if (tools.wandb && wandbKey(io.env) === undefined)
    throw new CommandError('Weights & Biases needs an API key. Set WANDB_API_KEY.');
  const project = textOption(input, 'project');
  if (project?.trim() === '') throw new UsageError('option "--project" must not be empty.');
  if (project !== undefined && !tools.mlflow && !tools.wandb)
    throw new UsageError('option "--project" requires "--mlflow" or "--wandb".');
  return tools;
}

function serverTool(
  input: SessionContext,
  signal: AbortSignal,
  tool: 'mlflow' | 'wandb',
  readKey: (env: Env) => string | undefined,
  sendTo: typeof sendToMlflow,
): Record<string, Send> {
  const url = textOption(input, tool);
  if (url === undefined) return {};
  const authorization = readKey(input.io.env);
  const server = openFor(`--${tool}`, () =>
    openServer({ url, authorization, signal, clock: input.io.clock ?? realClock }),
  );
  return {
    [tool]: async (run, project) => {
      const sent = await sendTo(server, project, run);
      return { result: sent, line: describeSent(sent) };
    },
  };
}

function openFor<T>(option: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`option "${option}" ${error.message}`);
    throw error;
  }
}

type Env = SessionContext['io']['env'];

function mlflowKey({ MLFLOW_TRACKING_TOKEN, MLFLOW_TRACKING_USERNAME, ...env }: Env): string | undefined {
  if (MLFLOW_TRACKING_TOKEN) return `Bearer ${requireToken('MLFLOW_TRACKING_TOKEN', MLFLOW_TRACKING_TOKEN)}`;
  if (!MLFLOW_TRACKING_USERNAME) return undefined;
  return basic(MLFLOW_TRACKING_USERNAME, env.MLFLOW_TRACKING_PASSWORD ?? '');
}

function wandbKey({ WANDB_API_KEY }: Env): string | undefined {
  return WANDB_API_KEY ? basic('api', WANDB_API_KEY) : undefined;
}

/** One with other characters is refused by `fetch`, whose error would show it. */
function requireToken(variable: string, given: string): string {
  const token = given.trim();
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CommandError(
    `${variable} has characters that a token cannot have, such as blanks or line breaks.`,
  );
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function describeSent({ url, sent, total }: SentRun): string {
  const rows = plural(total, 'row');
  if (sent === total) return `${url}  ${rows}`;
  return `${url}  ${rows}, ${sent === 0 ? 'nothing' : sent} new`;
}

/** TensorBoard follows a file that grows, so what is new is appended. */
async function writeTensorboard(input: SessionContext, run: RunRecord): Promise<Exported> {
  const { cwd } = input.io;
  const folder = resolve(
    cwd,
    textOption(input, 'out') ?? join('runs', await nameFolder(join(cwd, 'runs'), run)),
  );
  const path = join(folder, tfeventsName(run));
  const bytes = toTfevents(run);
  makeFolder(folder);
  try {
    const before = await unlessMissing(readFile(path), null);
    if (before && bytes.subarray(0, before.length).equals(before))
      await appendFile(path, bytes.subarray(before.length));
    else await replaceFile(path, [bytes]);
  } catch (error) {
    throw toNotWritable(error, path);
  }
  const rows = measuredRows(run).length;
  return { result: { file: path, rows }, line: `${path}  ${plural(rows, 'row')}` };
}

/** As when it was first exported: in a folder of another name, TensorBoard would show the run twice. */
async function nameFolder(runs: string, { id, name }: RunRecord): Promise<string> {
  const ending = `-${shortId(id)}`;
  const named = `${safeFileName(name, 'job')}${ending}`;
  const there = (await readdir(runs).catch(() => [])).filter(other => other.endsWith(ending)).sort();
  return there.includes(named) ? named : (there[0] ?? named);
}

function toRecord(job: Job, parts: readonly LogPart[]): RunRecord {
  const { id, name, note, tags, group, status, startedAt, createdAt, completedAt } = job;
  return {
    ...{ id, name, tags },
    note: note ?? '',
    group: group?.id ?? null,
    status: isFinalStatus(status) ? (status as RunRecord['status']) : 'running',
    startedAt: Date.parse(startedAt ?? createdAt),
    endedAt: completedAt === null ? null : Date.parse(completedAt),
    settings: settingRows(job).map(({ name, value }) => ({ name, value })),
    rows: collectRows(parts),
  };
}
