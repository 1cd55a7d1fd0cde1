// svc jobs export, against a cloud in memory and scripted tracking servers.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openMlflow, openWandb } from '../../support/tracking-servers.js';
import { at, completed, ended, log, score, started } from '../support/job-events.js';
import { failure, misuse, projectOfEach } from '../support/project.js';

const project = projectOfEach({ isLinked: true });
const { svc, json, addJob, print } = project;

const steps = [1, 2, 3].map(step => log({ step, loss: 1 / step, timestamp: at(step) }));
const FILE = 'runs/triage-1a2b3c4d/events.out.tfevents.1772359200.svc.1a2b3c4d';
const read = (path = FILE) => readFileSync(project.path(path));

it('writes an event file, and appends to it what is new', async () => {
  const { job, events } = addJob({ status: 'running', config: { loraR: 8 } }, [
    started(),
    ...steps.slice(0, 2),
  ]);
  const { exitCode, stdout, stderr } = await svc('jobs export 1a2b --tensorboard');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${project.path(FILE)}  2 rows\n` });
  expect(stderr).toContain('The job is still running. Run this again later to add what is new.');
  const before = read();
  expect(before.includes('| loraR | 8 |')).toBe(true);

  events.push(steps[2]!, completed(), ended());
  job.status = 'completed';
  expect(await json('jobs export 1a2b --tensorboard')).toEqual({
    job: job.id,
    tensorboard: { file: project.path(FILE), rows: 3 },
  });
  const after = read();
  expect(after.length).toBeGreaterThan(before.length);
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  await svc('jobs export 1a2b --tensorboard');
  expect(read().equals(after)).toBe(true);

  // Cut in the middle of a record, as a full disk leaves it.
  writeFileSync(project.path(FILE), after.subarray(0, -7));
  await svc('jobs export 1a2b --tensorboard');
  expect(read().equals(after)).toBe(true);
  expect(await print('jobs export 1a2b --tensorboard --out here')).toMatch(
    /\/here\/events\.out.*svc\.1a2b3c4d/,
  );
});

it('goes on in the folder of the first export, whatever the job is called now', async () => {
  const { job } = addJob({ status: 'completed' }, [started(), ...steps, completed(), ended()]);
  await svc('jobs export 1a2b --tensorboard');
  job.name = 'best';
  expect(await print('jobs export 1a2b --tensorboard')).toBe(`${project.path(FILE)}  3 rows\n`);
  expect(readdirSync(project.path('runs'))).toEqual(['triage-1a2b3c4d']);
});

it('sends a run to the servers that are named, with the keys of the environment, which it never shows', async () => {
  const [mlflow, wandb] = [await openMlflow(), await openWandb('k-wandb')];
  addJob({ status: 'completed' }, [started(), ...steps, score(), completed(), ended()]);
  const env = { WANDB_API_KEY: 'k-wandb', MLFLOW_TRACKING_TOKEN: 'k-mlflow' };
  const line = `jobs export 1a2b --mlflow ${mlflow.url} --wandb ${wandb.url}/ --project team/triage`;
  const { exitCode, stdout, stderr } = await svc(line, { env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toBe(
    `${mlflow.url}/#/experiments/1/runs/run1  4 rows\n` +
      `${wandb.url}/team/triage/runs/1a2b3c4d000040008000000000000001  4 rows\n`,
  );
  expect([...mlflow.experiments.keys()]).toEqual(['team/triage']);
  expect(mlflow.requests[0]!.headers.authorization).toBe('Bearer k-mlflow');
  expect(mlflow.runs[0]!.metrics.map(({ key }) => key)).toEqual([
    ...Array<string>(3).fill('train/loss'),
    'score/accuracy',
  ]);
  expect(wandb.history()).toHaveLength(4);

  expect((await svc(line, { env })).stdout).toContain('  4 rows, nothing new\n');
  expect(wandb.history()).toHaveLength(4);
  const wrong = await svc(line, { env: { ...env, WANDB_API_KEY: 'k-other' } });
  expect(wrong).toMatchObject(failure(1, `${wandb.url}/graphql answered 401: unauthorized`));
  expect(`${wrong.stdout}${wrong.stderr}`).not.toContain('k-other');
});

it('calls an experiment after the project', async () => {
  const mlflow = await openMlflow();
  addJob();
  expect(await svc(`jobs export 1a2b --mlflow ${mlflow.url}`)).toMatchObject({ exitCode: 0 });
  const { projectSlug } = JSON.parse(readFileSync(project.path('.svc/state.json'), 'utf8'));
  expect([...mlflow.experiments.keys()]).toEqual([projectSlug]);
});

it.each([
  ['', 'choose at least one of "--tensorboard", "--mlflow" and "--wandb".'],
  ['--out x --mlflow http://localhost:1', 'option "--out" requires "--tensorboard".'],
  ['--tensorboard --project x', 'option "--project" requires "--mlflow" or "--wandb".'],
  ['--mlflow http://me:pw@localhost', 'option "--mlflow" must not contain a user name or password'],
])('refuses "%s"', async (options, message) => {
  addJob();
  expect(await svc(`jobs export 1a2b ${options}`.trim())).toMatchObject(misuse(message));
});

it('needs a key for Weights & Biases, and an address that no one can listen to', async () => {
  addJob();
  const needed = failure(1, 'Weights & Biases needs an API key. Set WANDB_API_KEY.');
  expect(await svc('jobs export 1a2b --wandb http://localhost:1')).toMatchObject(needed);
  const env = { WANDB_API_KEY: 'k' };
  expect(await svc('jobs export 1a2b --wandb http://w.example', { env })).toMatchObject(
    misuse('option "--wandb" must start with https://'),
  );
  const broken = { MLFLOW_TRACKING_TOKEN: 'k-mlflow\nk-more' };
  const refused = await svc('jobs export 1a2b --mlflow http://localhost:1', { env: broken });
  expect(refused).toMatchObject(failure(1, 'MLFLOW_TRACKING_TOKEN has characters that a token cannot have'));
  expect(refused.stderr).not.toContain('k-m');
  expect(project.cloud.calls).toEqual([]);
});
