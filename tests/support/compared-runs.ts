// Runs of a comparison, from the events that their jobs would send.
import { type CompareView, reduceCompare, startCompare } from '../../lib/console/index.js';
import { isUuid, type Job } from '../../lib/contract/index.js';
import { sampleJob } from './samples.js';

export const RUN_IDS = ['a', 'b', 'c', 'd', 'e', 'f'].map(
  letter => `${letter.repeat(8)}-0000-4000-8000-000000000001`,
);

const START = Date.UTC(2026, 0, 1);
const at = (second: number) => new Date(START + 1000 * second).toISOString();

export interface ToldRun {
  job?: Partial<Job>;
  /** One a second, at steps 10, 20… */
  losses?: readonly number[];
  evalLosses?: readonly number[];
  /** Of a run that learns from them. */
  rewards?: readonly number[];
  evalRewards?: readonly number[];
  isDone?: boolean;
}

function eventsOf({ losses = [], evalLosses = [], rewards = [], evalRewards = [], isDone = true }: ToldRun) {
  const events: [string, number, object][] = [
    ['training.started', 0, { totalSteps: 10 * losses.length }],
    ...losses.map((loss, index): [string, number, object] => [
      'training.log',
      index + 1,
      {
        ...{ step: 10 * (index + 1), tokens: 100, tokensPerSecond: 50 },
        ...{ loss, evalLoss: evalLosses[index], reward: rewards[index], evalReward: evalRewards[index] },
      },
    ]),
    ...(isDone
      ? [['training.completed', losses.length, { artifacts: [{}, {}] }] as [string, number, object]]
      : []),
  ];
  return events.map(([event, second, fields], index) => ({
    id: `${index + 1}`,
    event,
    data: JSON.stringify({ timestamp: at(second), ...fields }),
  }));
}

export function compareRuns(...told: readonly ToldRun[]): CompareView {
  const start = startCompare(RUN_IDS.slice(0, told.length), isUuid);
  return told.reduce<CompareView>((runs, run, index) => {
    const id = RUN_IDS[index]!;
    const status = run.isDone === false ? 'running' : 'completed';
    const job = sampleJob({
      id,
      name: `run-${index + 1}`,
      status,
      startedAt: at(0),
      completedAt: null,
      ...run.job,
    });
    const polled = reduceCompare(runs, { type: 'job', id, action: { type: 'polled', job } });
    return reduceCompare(polled, { type: 'job', id, action: { type: 'events', parts: eventsOf(run) } });
  }, start);
}
