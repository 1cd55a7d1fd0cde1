// Ships an adapter to an endpoint if it passes: it is compared with what is served now on held-out rows, and with the base model
// on general ones. The verdict is stored before anything is served.
import { isDeepStrictEqual } from 'node:util';
import type { CloudClient } from '../../client/index.js';
import {
  ApiError,
  type CloudDeploymentPatch,
  type Deployment,
  type Evaluation,
  type Gate,
  type Target,
} from '../../contract/index.js';
import {
  buildGate,
  findComparison,
  GENERAL_SET,
  judgeComparison,
  type OtherCheck,
} from '../../evaluation/index.js';
import {
  type EvaluateOptions,
  type EvaluationTarget,
  type Measurement,
  measure,
  storeMeasurement,
} from '../evaluation/evaluate.js';
import type { RowSource } from '../evaluation/read-rows.js';
import { ofEndpoint, resolveTarget } from '../evaluation/resolve-target.js';
import type { Session } from '../session/session.js';

export interface ShipOptions
  extends Pick<EvaluateOptions, 'limit' | 'score' | 'reward' | 'maxTokens' | 'signal' | 'onProgress'> {
  slug: string;
  /** What is served there; null if the slug is new. The base model is then what it is compared with. */
  served: Deployment | null;
  candidate: EvaluationTarget;
  data: RowSource;
  /** The largest loss on held-out rows that is allowed, if it is shown to be smaller. Null: no loss may be found. */
  margin: number | null;
  /** Undefined if all requests get it: the endpoint may then move to it at once if it follows it and requires a verdict. */
  trial?: Gate['trial'] | undefined;
  /** Rows to ask instead of the built-in ones; null to ask none, for this reason. */
  general: RowSource | 'built-in' | { skipped: string };
  /** The outcome of the project's own tests, if they were run. */
  tests?: OtherCheck | undefined;
}

export interface Shipment {
  /** With the verdict in its `gate`. */
  evaluation: Evaluation;
  /** Null if general rows were not asked. */
  general: Evaluation | null;
}

/** What the built-in general rows are called where data has a name. */
const GENERAL_NAME = 'general set of svc';

/** Asks, judges and stores; serves nothing. */
export async function judge(session: Session, options: ShipOptions): Promise<Shipment> {
  const { slug, served, candidate, margin, trial, signal } = options;
  const base = await resolveTarget(session, 'base');
  const stable = served ? ofEndpoint(served) : base;
  const asked = { subject: { ...candidate.subject, endpoint: slug }, task: candidate.task };
  const held = await measure(session, { ...options, target: asked, against: stable });
  const measuredGeneral = await measureGeneral(session, options, base);
  const general = measuredGeneral && (await storeMeasurement(session, measuredGeneral, { signal }));
  const others = [...(options.tests ? [options.tests] : []), toCheck(options.general, general)];
  const input = { ...held.input, gate: buildGate(held.input, { margin, trial }, others) };
  return { evaluation: await storeMeasurement(session, { ...held, input }, { signal }), general };
}

async function measureGeneral(
  session: Session,
  { candidate, general, maxTokens, signal, onProgress }: ShipOptions,
  base: EvaluationTarget,
): Promise<Measurement | null> {
  if (typeof general === 'object' && 'skipped' in general) return null;
  const isOwn = general !== 'built-in';
  // Neither is asked as its task would have it: this is about everything else.
  return measure(session, {
    ...{ maxTokens, signal, onProgress },
    target: { subject: candidate.subject, task: null },
    against: base,
    data: isOwn ? general : { type: 'rows', name: GENERAL_NAME, rows: GENERAL_SET },
    ...(!isOwn && { scored: { kind: 'text' } }),
  });
}

function toCheck(asked: ShipOptions['general'], general: Evaluation | null): OtherCheck {
  if (!general) return { check: 'general', outcome: 'skipped', note: (asked as { skipped: string }).skipped };
  const compared = findComparison(general);
  if (typeof compared === 'string') return { check: 'general', outcome: 'failed', note: compared };
  const outcome = judgeComparison(compared, null);
  return { check: 'general', outcome, compared, evaluationId: general.id };
}

/** Throws if a new endpoint cannot have this slug, so that nothing is measured in vain. */
export async function requireSlug(
  cloud: CloudClient,
  { slug, candidate }: Pick<ShipOptions, 'slug' | 'candidate'>,
): Promise<void> {
  const target = candidate.subject.target as Target;
  await cloud.createDeployment({ slug, target, dryRun: true }).catch(error => {
    // All else is found out when it is created: an older cloud knows no dry runs.
    if (error instanceof ApiError && error.param === 'slug') throw error;
  });
}

/** Serves what was judged: all requests of the endpoint, or a share. Throws `target_changed` if it serves something else by now. */
export async function publish(
  cloud: CloudClient,
  { slug, served, candidate }: Pick<ShipOptions, 'slug' | 'served' | 'candidate'>,
  share: number | null,
): Promise<Deployment> {
  const target = candidate.subject.target as Target;
  if (!served) return (await cloud.createDeployment({ slug, target })).deployment;
  const { deployment: now } = await cloud.getDeployment(served.id);
  // It may follow what has just passed. A new target would end that.
  const isServed = isDeepStrictEqual(now.target, target);
  if (isServed && (share !== null || !now.canary)) return now;
  // An earlier canary would keep taking its share of what all requests get.
  if (isServed) return (await cloud.updateDeployment(served.id, { canary: null })).deployment;
  const change: CloudDeploymentPatch =
    share === null ? { target, canary: null } : { canary: { target, share } };
  const replaces = served.target as Target;
  return (await cloud.updateDeployment(served.id, { ...change, replaces })).deployment;
}
