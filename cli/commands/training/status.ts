// A job's status as it is drawn: a glyph and the word, in the status's color.
import type { JobStatus } from '../../../lib/contract/index.js';
import type { Style } from '../../style.js';

const LOOKS: Readonly<Record<JobStatus, { glyph: string; color: keyof Style }>> = {
  queued: { glyph: '○', color: 'dim' },
  running: { glyph: '●', color: 'blue' },
  completed: { glyph: '✔', color: 'green' },
  failed: { glyph: '✖', color: 'red' },
  cancelled: { glyph: '◌', color: 'yellow' },
};

export function statusText(status: JobStatus): string {
  return `${LOOKS[status].glyph} ${status}`;
}

export function paintStatus(text: string, status: JobStatus, style: Style): string {
  return style[LOOKS[status].color](text);
}

export function drawStatus(status: JobStatus, style: Style): string {
  return paintStatus(statusText(status), status, style);
}
