// A training that an agent starts, as far as it may be called off or end without a job.
import { writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { createTrainings } from '../../../cli/mcp/train-tools.js';
import { untilFile } from '../../support/until-file.js';
import { untilGone } from '../../support/until-gone.js';
import { entryOf, projectOfEach } from '../support/project.js';

const project = projectOfEach({ isLinked: true });

it('is not started if the agent calls it off before there is a job', async () => {
  const loaded = project.path('loaded');
  await project.writeEntry(`
    import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(loaded)}, String(process.pid));
    await new Promise(() => setInterval(() => {}, 1000));
    ${entryOf()}
  `);
  const trainings = createTrainings({ folder: project.cwd, env: project.env });
  const call = new AbortController();
  const started = trainings.start([], call.signal);
  const pid = Number(await untilFile(loaded));
  call.abort();
  await expect(started).rejects.toThrow();
  await untilGone(pid);
  expect(project.cloud.calls.filter(line => line.startsWith('POST /v1/jobs'))).toEqual([]);
  await expect(trainings.start([], call.signal)).rejects.toThrow('aborted');
});

it('says the end of what the trainer printed, from a whole character on', async () => {
  await project.writeEntry(`
    process.stdout.write('😀'.repeat(2000) + 'x');
    process.exit(3);
  `);
  const trainings = createTrainings({ folder: project.cwd, env: project.env });
  const { message } = await trainings.start([], new AbortController().signal).then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
  expect(message).toBe(`${'😀'.repeat(999)}x`);
});

it('is of the sources as they are now, not of an older build, or says why they do not build', async () => {
  await project.writeEntry(entryOf({ name: 'before' }));
  await project.svc('build');
  await project.writeEntry(entryOf({ name: 'after' }));
  const trainings = createTrainings({ folder: project.cwd, env: project.env });
  onTestFinished(() => trainings.close());
  const { signal } = new AbortController();
  const { job } = await trainings.start([], signal);
  expect(project.cloud.jobs.map(({ job: { id, name } }) => [id, name])).toEqual([[job, 'after']]);
  // From the entry of the build.
  const other = project.path('other.ts');
  writeFileSync(other, entryOf({ name: 'another' }));
  await project.svc('build other.ts');
  writeFileSync(other, entryOf({ name: 'another, later' }));
  await trainings.start([], signal);
  expect(project.cloud.jobs.map(({ job: { name } }) => name)).toEqual(['another, later', 'after']);
  await project.svc('build');
  await project.writeEntry('export const service = {;');
  await expect(trainings.start([], signal)).rejects.toThrow(/^src\/svc\/index\.ts:1:25: /);
});
