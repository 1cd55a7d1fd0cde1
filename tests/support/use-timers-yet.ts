// Files that have not taken a clock yet. It only gets shorter.
export const USE_TIMERS_YET = new Set<string>([]);
