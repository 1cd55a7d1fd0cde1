// Runs stages side by side, as far as the cores go: a stage begins when those it needs have passed and its cores are free,
// the first in the list before the others. Knows nothing of processes.

export interface Stage {
  name: string;
  /** How many cores it keeps busy; more than the machine has count as all of them. */
  cores: number;
  /** Stages that have to pass first. */
  needs?: readonly string[];
}

export type Outcome = 'passed' | 'failed' | 'not run';

/** Every stage's outcome, in the list's order. What needs a stage that did not pass is not run. */
export async function runStages<S extends Stage>(
  stages: readonly S[],
  { cores, run }: { cores: number; run: (stage: S) => Promise<boolean> },
): Promise<Map<S, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const running = new Map<S, Promise<void>>();
  const want = ({ cores: wanted }: Stage) => Math.min(wanted, cores);

  async function begin(stage: S): Promise<void> {
    outcomes.set(stage.name, (await run(stage)) ? 'passed' : 'failed');
    running.delete(stage);
  }

  function beginAll(): void {
    let free = cores;
    for (const stage of running.keys()) free -= want(stage);
    for (const stage of stages) {
      if (outcomes.has(stage.name) || running.has(stage)) continue;
      const needed = (stage.needs ?? []).map(name => outcomes.get(name));
      if (needed.some(outcome => outcome === 'failed' || outcome === 'not run'))
        outcomes.set(stage.name, 'not run');
      else if (needed.every(outcome => outcome === 'passed') && want(stage) <= free) {
        free -= want(stage);
        running.set(stage, begin(stage));
      }
    }
  }

  for (;;) {
    beginAll();
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return new Map(stages.map(stage => [stage, outcomes.get(stage.name) ?? 'not run']));
}
