// What goes in and what comes out: rows, answers, scores and clients all follow from this.
import { defineTask } from 'svc';
import { z } from 'zod';

export const triage = defineTask({
  name: 'triage',
  /** What a customer wrote. */
  input: z.string(),
  output: z.object({
    /** Bills, deliveries, repairs, accounts, cancellations. */
    desk: z.enum(['coin', 'haul', 'mend', 'door', 'exit']),
    /** How urgent it is, up to 3. */
    heat: z.int().min(1).max(3),
    /** The order and the name, or - without one. */
    ref: z.string(),
    who: z.string(),
  }),
});
