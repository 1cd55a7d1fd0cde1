// A text field for what is looked for, which has its effect while it is typed.
import type { Dashboard } from '../dashboard-context.js';

export function promptSearch(
  { prompt }: Dashboard,
  { label = '/', value, change }: { label?: string; value: string; change(text: string): void },
): void {
  prompt({
    scope: 'search',
    label,
    value,
    change,
    submit: () => null,
    leave() {
      change('');
      return false;
    },
  });
}
