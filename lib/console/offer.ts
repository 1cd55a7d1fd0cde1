// What an endpoint's owner added to it: operations beside chat, origins whose web pages may call it, and what it follows;
// and what it served before.
import { DEFAULT_OPERATION, type Deployment } from '../contract/index.js';
import { formatLocalTime } from './format.js';
import { followLabel, targetLabel } from './labels.js';

interface OfferRow {
  readonly label: 'Operations' | 'CORS' | 'Follows' | 'Before';
  readonly values: readonly string[];
}

/** How many of its earlier targets are shown. */
const SHOWN_EARLIER = 3;

/** Empty if nothing was added. `timeText` shows an ISO time. */
export function offerRows(
  {
    operations,
    corsOrigins,
    follows,
    earlierTargets = [],
  }: Pick<Deployment, 'operations' | 'corsOrigins' | 'follows' | 'earlierTargets'>,
  timeText: (iso: string) => string = formatLocalTime,
): OfferRow[] {
  const earlierText = ({ target, since }: (typeof earlierTargets)[number]) =>
    `${targetLabel(target)} since ${timeText(since)}`;
  const isDefault = operations.every(name => name === DEFAULT_OPERATION);
  return [
    ...(isDefault ? [] : [{ label: 'Operations', values: operations } as const]),
    ...(corsOrigins.length === 0 ? [] : [{ label: 'CORS', values: corsOrigins } as const]),
    ...(follows ? [{ label: 'Follows', values: [followLabel(follows)] } as const] : []),
    ...(earlierTargets.length === 0
      ? []
      : [{ label: 'Before', values: earlierTargets.slice(0, SHOWN_EARLIER).map(earlierText) } as const]),
  ];
}
