// A piece of writing to produce, and the values already named for it.
import type { Intent, Named } from '../../intent.js';

export interface Wanted {
  intent: Intent;
  named: Named;
}
