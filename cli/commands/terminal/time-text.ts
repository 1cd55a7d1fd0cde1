// Times for people and for programs.
import { formatLocalTime, formatRelativeTime } from '../../../lib/console/index.js';
import type { Screen } from './screen.js';

/** Local time on a terminal, ISO 8601 elsewhere; a dash for no time. */
export function timeText(iso: string | null, { isTerminal }: Pick<Screen, 'isTerminal'>): string {
  if (iso === null) return '–';
  return isTerminal ? formatLocalTime(iso) : iso;
}

/** A short form: how long ago. */
export function ageText(iso: string | null): string {
  return iso === null ? '–' : formatRelativeTime(iso, new Date());
}
