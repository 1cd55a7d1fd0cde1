// Jobs that learn from rewards, as their users start them: with PyTorch on this machine from a grader's, and on a cluster from
// those of the user's own function, where a worker is lost.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, it, onTestFinished } from 'vitest';
import type { JobEvent } from '../../lib/contract/index.js';
import { findPackage } from '../../lib/system/index.js';
import { createHome, type Home } from '../endurance/home.js';
import { mustSucceed } from '../endurance/reference.js';
import { until } from '../support/until.js';
import { findNodeProcesses, TASK } from './support/kept-node.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const python = join(findPackage(), 'ray/.venv/bin/python');
const cluster = inject('cluster');

const BY_GRADER = `{
    type: 'string_check',
    name: 'named',
    input: '{{sample.output_text}}',
    reference: '{{item.name}}',
    operation: 'ilike',
  }`;
/** Takes its time for the step at which the worker is killed. */
const BY_FUNCTION = `async (answer, { row, step }) => {
      if (step === 3) await new Promise(resolve => setTimeout(resolve, 3000));
      return { reward: answer.length / 100 + row.name.length, parts: { length: answer.length } };
    }`;

const entry = (reward: string, options = '') => `import { createService, createTrainer } from 'svc';
const rows = ['red', 'green', 'blue', 'gray', 'pink', 'black'].map(name => ({
  messages: [{ role: 'user', content: 'Say ' + name + '.' }],
  name,
}));
const trainer = createTrainer({
  name: 'colors',
  dataset: { type: 'rows', rows },
  evalFraction: 0.4,
  maxSteps: 4,
  saveSteps: 2,
  batchSize: 2,${options}
  method: { type: 'grpo', group: 4, maxTokens: 8, reward: ${reward} },
});
export const service = createService({ trainer });
`;

async function openHome(source: string, cloudOptions: readonly string[]): Promise<Home> {
  const home = await createHome({ hasBundledModel: true, cloudOptions });
  onTestFinished(() => home.end());
  await home.wake();
  mustSucceed(await home.svc('init', '--template', 'blank'));
  const { cwd } = home.place;
  await mkdir(join(cwd, 'node_modules'));
  await symlink(root, join(cwd, 'node_modules', 'svc'));
  await writeFile(join(cwd, 'src', 'svc', 'index.ts'), source);
  return home;
}

/** Starts the project's trainer; what it has printed so far. */
function follow(home: Home) {
  const events: JobEvent[] = [];
  const program = home.start('start', 'src/svc/index.ts', '--json');
  program.onLine(line => events.push(JSON.parse(line) as JobEvent));
  return {
    events,
    async toEnd() {
      mustSucceed(await program.ended);
      return events;
    },
  };
}

type EventOf<T> = Extract<JobEvent, { type: T }>;

function all<T extends JobEvent['type']>(events: readonly JobEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

const measured = (events: readonly JobEvent[]) =>
  all(events, 'training.log').map(({ step, loss, reward, kl, evalReward }) => [
    ...[step, loss, reward, kl, evalReward],
  ]);

it('PyTorch on this machine learns from the rewards of a grader', async () => {
  const home = await openHome(entry(BY_GRADER), ['--torch', python]);
  const events = await follow(home).toEnd();
  expect(all(events, 'training.started')[0]!.device!.software).toMatch(/^PyTorch /);
  const logs = all(events, 'training.log');
  expect(logs.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
  for (const log of logs)
    expect(log).toMatchObject({ failedRewards: 0, kl: expect.any(Number), reward: expect.any(Number) });
  expect(logs.at(-1)!.evalReward).toEqual(expect.any(Number));
  expect(all(events, 'training.completed')[0]!.metrics).toHaveProperty('evalReward');
});

it('a cluster learns from the function of the program that started the job, as at home, also when its worker is killed', async () => {
  const f32 = ['--base-weights', 'f32'];
  const home = await openHome(entry(BY_FUNCTION), f32);
  const expected = measured(await follow(home).toEnd());
  expect(expected).toHaveLength(4);
  const options = ['--ray', cluster.url, '--ray-token-file', cluster.tokenFile];
  const onRay = await openHome(entry(BY_FUNCTION, "\n  engine: 'node',"), [...f32, ...options]);
  const run = follow(onRay);
  await until(() => all(run.events, 'checkpoint.saved')).toHaveLength(1);
  const found = await Promise.all(cluster.nodes.map(node => findNodeProcesses(node, TASK)));
  process.kill(found.flat()[0]!, 'SIGKILL');
  const events = await run.toEnd();
  expect(all(events, 'training.started').at(-1)!.resumedFromStep).toBe(2);
  expect(measured(events)).toEqual(expected);
});
