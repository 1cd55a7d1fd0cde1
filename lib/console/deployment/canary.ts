// An endpoint's canary, shared by both faces and the command line: its share, and what both targets did.
import type { Deployment, ServedFigures } from '../../contract/index.js';
import { periodText, targetLabel } from '../labels.js';
import { formatCount, formatDuration, formatLocalTime, formatNumber } from '../text/format.js';
import type { Question } from './deployment-page.js';

/** Between these, so that both targets get requests. */
export const SHARE_RULE = 'more than 0% and less than 100%, such as 10%';

/** `10%` or `0.1`; null if it is no share. */
export function readShare(text: string): number | null {
  const read = /^(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})(%?)$/.exec(text.trim());
  if (!read) return null;
  const share = Number(read[1]) / (read[2] === '%' ? 100 : 1);
  return share > 0 && share < 1 ? share : null;
}

export const shareText = (share: number): string => `${formatNumber(share * 100)}%`;

interface SideRow {
  readonly name: 'Stable' | 'Canary';
  readonly share: string;
  readonly target: string;
  /** Of the view's period, as far as there are any. */
  readonly requests: string | null;
  readonly failed: string | null;
  readonly time: string | null;
  readonly tokens: string | null;
}

interface CanaryView {
  readonly sides: readonly [stable: SideRow, canary: SideRow];
  readonly since: string;
  /** The period of the figures. */
  readonly period: string;
  readonly problem: string | null;
}

/** Null if there is no canary. */
export function canaryView({
  target,
  canary,
  lastHour,
}: Pick<Deployment, 'target' | 'canary' | 'lastHour'>): CanaryView | null {
  if (!canary) return null;
  return {
    sides: [
      {
        name: 'Stable',
        share: shareText(1 - canary.share),
        target: targetLabel(target),
        ...figuresOf(lastHour?.target),
      },
      {
        name: 'Canary',
        share: shareText(canary.share),
        target: targetLabel(canary.target),
        ...figuresOf(lastHour?.canary ?? undefined),
      },
    ],
    since: canary.since,
    period: periodText(lastHour?.countedSince),
    problem: canary.problem
      ? `The canary cannot serve, so the stable target answers its requests: ${canary.problem}`
      : null,
  };
}

type Figures = Pick<SideRow, 'requests' | 'failed' | 'time' | 'tokens'>;

function figuresOf(figures: ServedFigures | undefined): Figures {
  if (!figures) return { requests: null, failed: null, time: null, tokens: null };
  const { requests, failed, answers, meanMs, promptTokens, completionTokens } = figures;
  const each = (tokens: number) => formatNumber(tokens / answers, 3);
  return {
    requests: formatCount(requests),
    failed: requests === 0 ? null : `${formatCount(failed)} (${formatNumber((failed / requests) * 100, 2)}%)`,
    time: meanMs === null ? null : formatDuration(meanMs),
    tokens: answers === 0 ? null : `${each(promptTokens)} in, ${each(completionTokens)} out`,
  };
}

/** A side on one line, with its figures. */
function sideText({ share, target, requests, failed, time, tokens }: SideRow, period: string): string {
  const parts = [
    `${share} of requests`,
    target,
    requests && `${requests} ${period}`,
    failed && `${failed} failed`,
    time && `${time} per answer`,
    tokens && `tokens per answer: ${tokens}`,
  ];
  return parts.filter(part => part !== null).join(' · ');
}

/** A label and a text for each side, and the time since when; empty if there is no canary. */
export function canaryRows(
  deployment: Pick<Deployment, 'target' | 'canary' | 'lastHour'>,
  timeText: (iso: string) => string = formatLocalTime,
): (readonly [label: string, text: string])[] {
  const view = canaryView(deployment);
  if (!view) return [];
  const [stable, canary] = view.sides;
  return [
    [stable.name, sideText(stable, view.period)],
    [canary.name, `${sideText(canary, view.period)} · since ${timeText(view.since)}`],
  ];
}

export function promoteQuestion({ slug, canary }: Pick<Deployment, 'slug' | 'canary'>): Question {
  return {
    title: `Promote the canary of ${slug}?`,
    consequence: `All requests get ${canary ? targetLabel(canary.target) : 'it'}, and it follows nothing. "svc endpoints rollback ${slug}" goes back.`,
    action: 'Promote',
  };
}
