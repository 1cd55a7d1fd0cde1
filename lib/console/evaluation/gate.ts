// Whether an endpoint may serve what was evaluated: each check with its outcome and the reason, as both faces and reports say it.
import type { ComparedScore, Deployment, Evaluation, GateCheck, Target } from '../../contract/index.js';
import { shareText } from '../deployment/canary.js';
import { targetLabel } from '../labels.js';
import { isPercent, subjectLabel, verdictText } from './figures.js';
import { trialSuffix } from './line.js';

const NAMES = {
  tests: 'Tests',
  rows: 'Held-out rows',
  general: 'General rows',
} as const satisfies Record<GateCheck['check'], string>;

interface GateLine {
  readonly label: string;
  readonly outcome: GateCheck['outcome'];
  readonly text: string;
  /** The evaluation that has the rest. */
  readonly evaluationId: string | null;
}

export interface GateView {
  readonly passed: boolean;
  /** `Passed: feedback may serve it` */
  readonly title: string;
  readonly lines: readonly GateLine[];
}

/** Null if no one asked whether to serve it. */
export function gateView({ gate, comparison, subject }: Evaluation): GateView | null {
  if (!gate) return null;
  const { passed, margin, checks } = gate;
  const what = subject.endpoint ?? subjectLabel(subject);
  const lines = checks.map(({ check, outcome, note, compared, evaluationId = null }): GateLine => {
    const score = check === 'rows' ? comparison?.scores[0] : compared;
    const text = score ? comparedText(score, check === 'rows' ? margin : null, outcome) : '';
    return { label: NAMES[check], outcome, text: [text, note ?? ''].filter(Boolean).join(' '), evaluationId };
  });
  const title = `${passed ? 'Passed' : 'Refused by'} the gate of ${what}${trialSuffix(gate)}`;
  return { passed, title, lines };
}

/** With a margin, what the interval has to show of it. */
function comparedText(compared: ComparedScore, margin: number | null, outcome: GateCheck['outcome']): string {
  const verdict = verdictText(compared);
  if (margin === null) return verdict;
  const most = isPercent(compared.kind) ? `${Number((100 * margin).toFixed(4))} points` : String(margin);
  return `${verdict} ${outcome === 'passed' ? 'A loss is' : 'A loss is not'} shown to be at most ${most}.`;
}

export const GATE_OUTCOME_LABELS = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'left out',
} as const satisfies Record<GateCheck['outcome'], string>;

interface ShippingOutcome {
  readonly slug: string;
  readonly target: Target;
  /** What was served before; null if the endpoint is new. */
  readonly served: Pick<Deployment, 'target'> | null;
  readonly passed: boolean;
  /** Of the requests, if it is a canary. */
  readonly share: number | null;
  /** Nothing was to be served. */
  readonly isTrial: boolean;
}

/** What `svc ship` did in the end. */
export function shippingText({ slug, target, served, passed, share, isTrial }: ShippingOutcome): string {
  if (!passed) {
    const still = served ? `${slug} still serves ${targetLabel(served.target)}` : `${slug} was not created`;
    return `Refused: ${still}.`;
  }
  if (isTrial) return `Passed: ${slug} may serve ${targetLabel(target)}. Nothing was changed.`;
  if (share === null) return `Shipped: ${slug} serves ${targetLabel(target)}.`;
  return `Shipped: ${shareText(share)} of the requests to ${slug} get ${targetLabel(target)}. "svc endpoints promote ${slug}" gives it all, "svc endpoints rollback ${slug}" ends it.`;
}
