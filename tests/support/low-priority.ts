import { constants, getPriority, setPriority } from 'node:os';

/** For this process and all that it starts: the runs that tests wait for have this priority, and would starve beside others. */
export function lowerPriority(): void {
  setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
}
