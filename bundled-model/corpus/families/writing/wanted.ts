// A piece of writing that is wanted, and what has been named for it already.
import type { Intent, Named } from '../../intent.js';

export interface Wanted {
  intent: Intent;
  named: Named;
}
