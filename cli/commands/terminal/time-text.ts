// Times as people read them, and as programs do.
import { formatLocalTime, formatRelativeTime } from '../../../lib/console/index.js';
import type { Screen } from './screen.js';

/** The viewer's own time on a terminal; ISO 8601 elsewhere, and where there is none a dash. */
export function timeText(iso: string | null, { isTerminal }: Pick<Screen, 'isTerminal'>): string {
  if (iso === null) return '–';
  return isTerminal ? formatLocalTime(iso) : iso;
}

/** The same in few columns. */
export function ageText(iso: string | null): string {
  return iso === null ? '–' : formatRelativeTime(iso, new Date());
}
