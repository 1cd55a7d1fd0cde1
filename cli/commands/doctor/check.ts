// The result of one check, and the report of all of them.
import type { Style } from '../../style.js';

export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'problem';
  message: string;
  /** What to do next; null if nothing. */
  hint: string | null;
}

/** Functions that create the results of the check with this name. */
export function outcomesOf(name: string) {
  return {
    ok: (message: string): Check => ({ name, status: 'ok', message, hint: null }),
    warning: (message: string, hint: string): Check => ({ name, status: 'warning', message, hint }),
    problem: (message: string, hint: string | null): Check => ({ name, status: 'problem', message, hint }),
  };
}

const glyphs = { ok: '✔', warning: '!', problem: '✖' };
const statusWidth = '✔ problem'.length;

/** Each check with a glyph and a status, its finding, and a hint below it. */
export function renderReport(checks: Check[], style: Style): string {
  const colors = { ok: style.green, warning: style.yellow, problem: style.red };
  const nameWidth = Math.max(...checks.map(({ name }) => name.length));
  const indent = ' '.repeat(statusWidth + nameWidth + 4);
  const lines = checks.flatMap(({ name, status, message, hint }) => {
    const label = colors[status](`${glyphs[status]} ${status}`.padEnd(statusWidth));
    const found = `${label}  ${name.padEnd(nameWidth)}  ${message}`;
    return hint ? [found, `${indent}${style.dim(`→ ${hint}`)}`] : [found];
  });
  return `${lines.join('\n')}\n`;
}
