// svc ship SLUG --job ID: serves an adapter if it does not lose against what is served now, nor forgets what the base model knew.
import { isDeepStrictEqual } from 'node:util';
import { operationUrl, shippingReport, shippingText, targetLabel } from '../../lib/console/index.js';
import {
  adapterNotation,
  type Deployment,
  type Evaluation,
  type EvaluationRow,
  type Target,
} from '../../lib/contract/index.js';
import {
  judge,
  publish,
  requireSlug,
  resolveAdapter,
  type Session,
  type ShipOptions,
} from '../../lib/sdk/index.js';
import { exitCode, UsageError } from '../command.js';
import { print } from '../print.js';
import { type Screen, toWritable } from '../screen.js';
import { toSafeLine } from '../style.js';
import { shareOption } from './endpoints/canary.js';
import { assertSlug, whoMayCall } from './endpoints/create.js';
import { createProgress, openTrainerData, sourceOption, toSource, warnAbout } from './evaluation/asking.js';
import { REPORTED_ROWS, renderEvaluation, SHOWN_ROWS } from './evaluation/render.js';
import { countOption, jobWord, textOption } from './project/option-values.js';
import { projectCommand, type SessionContext } from './project/session-command.js';
import { interruptible } from './terminal/interruptible.js';
import { findWeightTests, runWeightTests, WEIGHT_TESTS } from './test/project-vitest.js';

type AdapterTarget = Target & { kind: 'adapter' };
type TestsCheck = NonNullable<ShipOptions['tests']>;

export const run = projectCommand(async context => {
  const { positionals, session, io, note, values } = context;
  const [slug = ''] = positionals;
  const asked = readOptions(context);
  assertSlug(slug);
  const cloud = await session.projectClient();
  const candidate = await resolveAdapter(cloud, asked.job);
  const target = candidate.subject.target as AdapterTarget;
  const { deployments } = await cloud.listDeployments();
  const served = deployments.find(({ slug: other }) => other === slug) ?? null;
  if (!served && asked.share !== null)
    throw new UsageError(`"--canary" is for an endpoint that serves something already; ${slug} is new.`);
  if (served && isDeepStrictEqual(served.target, target)) return sayServed(context, served);
  if (!served) await requireSlug(cloud, { slug, candidate });
  const progress = createProgress(context);
  const trainer = openTrainerData(context);
  const isTrial = values['dry-run'] === true;
  let refused = false;
  const code = await interruptible(io, async signal => {
    const tests = await runTests(context, target, asked.tests, signal);
    const { job } = await cloud.getJob(target.adapter.jobId, { signal });
    const data = asked.data ?? (await trainer.heldOutRows(cloud, job, signal));
    if (asked.data?.type === 'file')
      await warnAbout(context, cloud, job, { path: asked.data.path, part: null }, signal);
    const options: ShipOptions = {
      ...{ slug, served, candidate, data, signal, margin: asked.margin },
      trial: isTrial ? 'dry_run' : asked.share === null ? undefined : 'canary',
      general: asked.general ?? usualGeneral(candidate.task !== null),
      tests,
      limit: countOption(context, 'limit'),
      score: textOption(context, 'score'),
      reward: trainer.reward,
      maxTokens: countOption(context, 'max-tokens'),
      onProgress: progress.show,
    };
    const { evaluation, general } = await judge(session, options)
      .catch(error => {
        if (signal.aborted)
          note('Interrupted. The answers so far are kept: the same command resumes from them.');
        throw error;
      })
      .finally(progress.clear);
    refused = evaluation.gate?.passed !== true;
    const deployment = refused || isTrial ? served : await publish(cloud, options, asked.share);
    const shipped = refused || isTrial ? null : asked.share === null ? 'all' : 'canary';
    const done = shippingText({ slug, target, served, passed: !refused, share: asked.share, isTrial });
    const isNew = served === null && shipped !== null;
    await report(context, { evaluation, general, deployment, shipped, isNew, done });
    if (hasFailed(evaluation))
      note(
        'If the endpoint answers nothing but what it was trained for, "--no-general" leaves general rows out.',
      );
  });
  return code === exitCode.ok && refused ? exitCode.failure : code;
});

interface Asked {
  job: string;
  data: ReturnType<typeof sourceOption>;
  margin: number | null;
  share: number | null;
  /** Parts of the paths of tests for weights; null to run none. */
  tests: readonly string[] | null;
  /** Undefined for what is usual. */
  general: ShipOptions['general'] | undefined;
}

function readOptions(context: SessionContext): Asked {
  const { values, json } = context;
  if (json && values.markdown) throw new UsageError('use either "--json" or "--markdown", not both.');
  return {
    job: jobOption(context),
    data: sourceOption(context),
    margin: marginOption(context),
    share: shareOption(context, 'canary') ?? null,
    tests: testsOption(context),
    general: generalOption(context),
  };
}

function jobOption(context: SessionContext): string {
  const word = jobWord(context);
  if (word !== undefined) return word;
  throw new UsageError('missing option "--job": the job to ship, or latest.');
}

/** `2%` and `0.02` are two points of a share. */
function marginOption(context: SessionContext): number | null {
  const typed = textOption(context, 'margin');
  if (typed === undefined) return null;
  const read = /^(\d{1,9}(?:\.\d{1,6})?)(%?)$/.exec(typed);
  const margin = read ? Number(read[1]) / (read[2] === '%' ? 100 : 1) : 0;
  if (margin > 0) return margin;
  throw new UsageError(`option "--margin" must be a loss such as 2% or 0.02, not "${typed}".`);
}

function testsOption({ values }: SessionContext): Asked['tests'] {
  const typed = values.tests as string[] | undefined;
  if (values['no-tests'] !== true) return typed ?? [];
  if (typed) throw new UsageError('use either "--tests" or "--no-tests", not both.');
  return null;
}

/** The named tests, or all of the project's. Vitest's report is not part of the result. */
async function runTests(
  { io }: SessionContext,
  target: AdapterTarget,
  named: Asked['tests'],
  signal: AbortSignal,
): Promise<TestsCheck> {
  const skip = (note: string): TestsCheck => ({ check: 'tests', outcome: 'skipped', note });
  if (!named) return skip('Left out by "--no-tests".');
  if (named.length === 0 && (await findWeightTests(io.cwd)).length === 0)
    return skip('The project has no tests for weights.');
  const filters = named.length > 0 ? named : [WEIGHT_TESTS];
  const word = adapterNotation(target.adapter);
  const stderr = toWritable(io.stderr);
  const streams = { env: io.env, stdout: stderr, stderr };
  const isPassed = await runWeightTests({ folder: io.cwd, filters, io: streams, target: word, signal });
  if (isPassed) return { check: 'tests', outcome: 'passed' };
  const note = `"svc test --job ${word}" says which failed.`;
  return { check: 'tests', outcome: 'failed', note };
}

const BUILT_IN = 'built-in';

function generalOption(context: SessionContext): Asked['general'] {
  const typed = textOption(context, 'general');
  if (context.values['no-general'] !== true)
    return typed === undefined ? undefined : typed === BUILT_IN ? BUILT_IN : toSource(typed);
  if (typed !== undefined) throw new UsageError('use either "--general" or "--no-general", not both.');
  return { skipped: 'Left out by "--no-general".' };
}

function usualGeneral(hasTask: boolean): ShipOptions['general'] {
  if (!hasTask) return BUILT_IN;
  return { skipped: `Its task is all that it answers; "--general ${BUILT_IN}" asks them.` };
}

function sayServed({ answer }: SessionContext, deployment: Deployment): undefined {
  const { slug, target } = deployment;
  const nothing = { passed: null, shipped: null, evaluation: null, rows: [], general: null, generalRows: [] };
  answer(
    { ...nothing, deployment },
    () => `${toSafeLine(slug)} serves this already: ${targetLabel(target)}.\n`,
  );
}

interface Outcome {
  evaluation: Evaluation;
  general: Evaluation | null;
  deployment: Deployment | null;
  shipped: 'all' | 'canary' | null;
  /** The endpoint was created for it. */
  isNew: boolean;
  done: string;
}

async function report(
  { session, values, io, screen, svc, answer }: SessionContext,
  outcome: Outcome,
): Promise<void> {
  const { evaluation, general, deployment, shipped, isNew, done } = outcome;
  const [rows, generalRows] = [await listRows(session, evaluation), await listRows(session, general)];
  if (values.markdown === true) {
    const other = general && { evaluation: general, rows: generalRows };
    print(io.stdout, shippingReport({ evaluation, rows }, other, done));
    return;
  }
  const passed = evaluation.gate?.passed === true;
  answer({ passed, shipped, deployment, evaluation, rows, general, generalRows }, () =>
    [
      renderEvaluation(evaluation, rows.slice(0, SHOWN_ROWS), screen),
      ...(general && hasFailed(evaluation) ? [renderGeneral(general, generalRows, screen)] : []),
      `${passed ? screen.style.green(toSafeLine(done)) : screen.style.red(toSafeLine(done))}\n`,
      ...(isNew && deployment
        ? [`${toSafeLine(operationUrl(deployment))}\n${whoMayCall(deployment, svc)}\n`]
        : []),
    ].join('\n'),
  );
}

const hasFailed = ({ gate }: Evaluation) =>
  gate?.checks.some(({ check, outcome }) => check === 'general' && outcome === 'failed');

function renderGeneral(general: Evaluation, rows: readonly EvaluationRow[], screen: Screen): string {
  return `${screen.style.bold('General rows')}\n${renderEvaluation(general, rows.slice(0, SHOWN_ROWS), screen)}`;
}

/** Those whose answers changed, worst first. */
async function listRows(session: Session, evaluation: Evaluation | null): Promise<EvaluationRow[]> {
  if (!evaluation) return [];
  const cloud = await session.projectClient();
  const { rows } = await cloud.listEvaluationRows(evaluation.id, { changed: true, limit: REPORTED_ROWS });
  return rows;
}
