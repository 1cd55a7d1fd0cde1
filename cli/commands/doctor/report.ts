// The report as text: a glyph and a status, the check, what was found, and below it what to do.
import type { Style } from '../../style.js';
import type { Check } from './check.js';

const glyphs = { ok: '✔', warning: '!', problem: '✖' };
const statusWidth = '✔ problem'.length;

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
