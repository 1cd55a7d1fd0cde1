// A job's status as it is drawn: a glyph and the word, in the status's color.
import type { JobStatus } from '../../../lib/contract/index.js';
import type { Style } from '../../style.js';

const LOOKS: Readonly<Record<JobStatus, { glyph: string; colour: keyof Style }>> = {
  queued: { glyph: '○', colour: 'dim' },
  running: { glyph: '●', colour: 'blue' },
  completed: { glyph: '✔', colour: 'green' },
  failed: { glyph: '✖', colour: 'red' },
  cancelled: { glyph: '◌', colour: 'yellow' },
};

export function statusText(status: JobStatus): string {
  return `${LOOKS[status].glyph} ${status}`;
}

export function paintStatus(text: string, status: JobStatus, style: Style): string {
  return style[LOOKS[status].colour](text);
}

export function drawStatus(status: JobStatus, style: Style): string {
  return paintStatus(statusText(status), status, style);
}
