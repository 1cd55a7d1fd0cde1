// svc endpoints canary SLUG and svc endpoints promote SLUG: a second target for a share of the requests.
import { readShare, SHARE_RULE } from '../../../lib/console/index.js';
import type { AdapterNotation, CloudTarget, Deployment, Target } from '../../../lib/contract/index.js';
import { readAdapterNotation, toAdapterRef } from '../../../lib/contract/index.js';
import { CommandError, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findDeployment } from '../project/find.js';
import { requireJobOfStep, textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { renderDeployment } from './list.js';
import { readServed } from './options.js';
import { readTarget } from './update.js';

const USUAL_SHARE = 0.1;

export const canary = sessionCommand(async context => {
  const { positionals, values, session, screen, answer } = context;
  const [slug = '', typed] = positionals;
  requireJobOfStep(context);
  const hasTarget = typed !== undefined || values.job !== undefined;
  const isOff = values.off === true;
  if (isOff && (hasTarget || values.share !== undefined))
    throw new UsageError('"--off" takes no target and no share.');
  const share = shareOption(context);
  const keepsTarget = share !== undefined && !hasTarget;
  const served = isOff || keepsTarget ? undefined : await readTrial(context, typed);
  const { cloud, deployment: found } = await findDeployment(session, slug);
  const { deployment } = await cloud.updateDeployment(found.id, {
    canary: isOff ? null : { target: targetOf(served, found), share: share ?? USUAL_SHARE },
  });
  answer({ deployment }, () => renderDeployment(deployment, screen));
});

function readTrial(context: SessionContext, typed: string | undefined) {
  return readServed(context, typed, {
    read: word => readTarget(word, context.session),
    ways: 'specify what to serve: TARGET or "--job ID"; or end it with "--off".',
  });
}

/** If only the share changes, the canary that is there. */
function targetOf(served: Awaited<ReturnType<typeof readTrial>>, found: Deployment): Target {
  if (served) return toFixed(served, found.slug, found.target);
  if (!found.canary)
    throw new CommandError(`${toSafeLine(found.slug)} has no canary. Name its target: "--job ID".`);
  return found.canary.target;
}

/** Notation without a job ID is about the job that the endpoint serves. */
function toFixed(target: CloudTarget | AdapterNotation, slug: string, stable: Target): Target {
  if (typeof target !== 'string') return target as Target;
  if (stable.kind !== 'adapter')
    throw new UsageError(`TARGET must name a job, as in JOB_ID:final: ${slug} serves a base model.`);
  const { step } = readAdapterNotation(target)!;
  return { kind: 'adapter', adapter: toAdapterRef(stable.adapter.jobId, step) };
}

/** `--share`; undefined if it is not set. */
export function shareOption(
  input: Pick<SessionContext, 'values'>,
  name: 'share' | 'canary' = 'share',
): number | undefined {
  const typed = textOption(input, name);
  if (typed === undefined) return undefined;
  const share = readShare(typed);
  if (share === null) throw new UsageError(`option "--${name}" must be ${SHARE_RULE}, not "${typed}".`);
  return share;
}

export const promote = sessionCommand(async ({ positionals, session, screen, answer }) => {
  const { cloud, deployment: found } = await findDeployment(session, positionals[0]!);
  if (!found.canary) throw new CommandError(`${toSafeLine(found.slug)} has no canary.`);
  const { deployment } = await cloud.updateDeployment(found.id, { promote: found.canary.target });
  answer({ deployment }, () => renderDeployment(deployment, screen));
});
