import { describe, expect, it } from 'vitest';
import { initialJobView, type JobView, metadataRows, reduceJobView } from '../../lib/console/index.js';
import { JOB_ID, sampleJob } from '../support/samples.js';

let seq = 0;

function frame(view: JobView, event: string, payload: object): JobView {
  const data = JSON.stringify(payload);
  return reduceJobView(view, { type: 'frame', frame: { id: String(++seq), event, data } });
}

const rows = (view: JobView) =>
  Object.fromEntries(metadataRows(view, JOB_ID).map(({ label, value }) => [label, value]));

describe('the metadata of a job', () => {
  it('are dashes until something is known', () => {
    expect(rows(initialJobView)).toEqual({ Step: '–', Artifacts: '–', Created: '–', ID: JOB_ID });
  });

  it('say of an imported adapter where it came from', () => {
    const imported = frame(initialJobView, 'training.completed', { artifacts: [{}], imported: true });
    expect(rows(imported)).toMatchObject({ Origin: 'imported', Step: '–', Artifacts: '1' });
    const trained = frame(initialJobView, 'training.completed', { artifacts: [{}] });
    expect(rows(trained)).not.toHaveProperty('Origin');
  });

  it('begin with what the job waits for, until it has ended', () => {
    const waitingFor = "The cloud's disk is full.";
    const poll = (job: Parameters<typeof sampleJob>[0]) =>
      reduceJobView(initialJobView, { type: 'polled', job: sampleJob(job) });
    expect(rows(poll({ waitingFor })).Waiting).toBe(waitingFor);
    expect(rows(poll({ waitingFor: null }))).not.toHaveProperty('Waiting');
    expect(rows(frame(poll({ waitingFor }), 'end', { status: 'completed' }))).not.toHaveProperty('Waiting');
  });

  it('have the count of artifacts once training completed, not at a checkpoint', () => {
    const saved = frame(initialJobView, 'checkpoint.saved', { step: 5, artifacts: [{}, {}] });
    expect(rows(saved).Artifacts).toBe('–');
    expect(rows(frame(saved, 'training.completed', { artifacts: [{}, {}, {}] })).Artifacts).toBe('3');
  });

  it('have the greatest step of either series, and of how many', () => {
    const logged = frame(frame(initialJobView, 'training.log', { step: 1000, loss: 1 }), 'training.log', {
      step: 1200,
      evalLoss: 1,
    });
    expect(rows(logged).Step).toBe('1,200');
    const polled = reduceJobView(logged, { type: 'polled', job: sampleJob({ totalSteps: 2000 }) });
    expect(rows(polled).Step).toBe('1,200 of 2,000');
  });

  it('know from the stream of how many, before a poll says', () => {
    const started = frame(initialJobView, 'training.started', { totalSteps: 456 });
    expect(rows(frame(started, 'training.log', { step: 135, loss: 1 })).Step).toBe('135 of 456');
  });

  it('have the time of creation in the viewer’s own format', () => {
    const job = sampleJob();
    expect(rows(reduceJobView(initialJobView, { type: 'polled', job })).Created).toBe(
      new Date(job.createdAt).toLocaleString(),
    );
  });

  it('have the rows that were read, and those that are too long, once there is something to say of them', () => {
    const tooLong = { maxLength: 512, truncated: 1200, skipped: 3, first: [] };
    const read = frame(initialJobView, 'training.preparing', { rows: 1000, totalRows: 2000 });
    expect(rows(read)).toMatchObject({ 'Rows read': '1,000 of 2,000' });
    expect(rows(read)).not.toHaveProperty('Too long');
    expect(rows(frame(read, 'training.started', { tooLong }))).toMatchObject({
      'Too long': '1,200 truncated, 3 skipped',
    });
  });

  it('have the precision of the weights, once training says it', () => {
    expect(rows(initialJobView)).not.toHaveProperty('Weights');
    expect(rows(frame(initialJobView, 'training.started', { weights: 'int8' }))).toMatchObject({
      Weights: 'int8',
    });
  });
});
