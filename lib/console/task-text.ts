// A task in a line.
import type { TaskDescription } from '../contract/index.js';

const SHOWN = 6;

/** `triage: bug, wish or question`, `invoice: total, currency, note?`, `reply: text`. */
export function taskText({ name, kind, labels = [], fields = [] }: TaskDescription): string {
  if (kind === 'text') return `${name} (text)`;
  const parts =
    kind === 'labels'
      ? labels
      : fields.map(field => `${field.name}${field.optional ? '?' : ''}: ${field.type}`);
  const more = parts.length > SHOWN ? `, and ${(parts.length - SHOWN).toLocaleString('en')} more` : '';
  return `${name} (${kind}): ${parts.slice(0, SHOWN).join(', ')}${more}`;
}
