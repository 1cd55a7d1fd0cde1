// svc jobs show ID: a job's details, progress, settings and saved adapters. svc jobs manifest ID: everything its results depend on,
// so that it can be repeated.
import {
  formatBytes,
  formatCount,
  formatDuration,
  type JobView,
  metadataRows,
  runSummary,
  settingRows,
} from '../../../lib/console/index.js';
import type { Artifact, Job, RunEnvironment, RunManifest } from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { findJob } from '../project/find.js';
import { sessionCommand } from '../project/session-command.js';
import { type Column, type Fact, renderFacts, renderTable, timeText } from '../terminal/table.js';
import { readView } from '../training/event-log.js';
import { drawStatus } from '../training/progress.js';

export const showJob = sessionCommand(async ({ positionals, session, screen, json, answer }) => {
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { job } = await cloud.getJob(id);
  const { artifacts } = job.artifactCount === 0 ? { artifacts: [] } : await cloud.listArtifacts(id);
  const view = await readView(cloud, job);
  const summary = json ? runSummary(view, Date.now()) : null;
  answer({ job, artifacts, summary }, () => renderJob(job, view, artifacts, screen));
});

function renderJob(job: Job, view: JobView, artifacts: readonly Artifact[], screen: Screen): string {
  const { style } = screen;
  const settings = configFacts(job);
  const parts = [
    `${drawStatus(job.status, style)}\n${renderFacts(jobFacts(job, view, screen), style)}`,
    settings.length === 0 ? '' : renderFacts(settings, style),
    artifacts.length === 0 ? '' : renderTable(ARTIFACT_COLUMNS, artifacts, screen),
  ];
  return parts.filter(Boolean).join('\n');
}

/** Rows that this command renders itself. */
const OWN_ROWS = new Set(['Waiting', 'Step', 'Elapsed', 'Artifacts', 'Created', 'ID']);

function jobFacts(job: Job, view: JobView, screen: Screen): Fact[] {
  const { step, totalSteps, startedAt, completedAt } = job;
  const until = completedAt ? Date.parse(completedAt) : Date.now();
  const took = startedAt ? until - Date.parse(startedAt) : null;
  const rows = metadataRows(view, job.id).filter(({ label }) => !OWN_ROWS.has(label));
  return [
    ['Name', job.name],
    ['ID', job.id],
    ['Error', job.error],
    ['Waiting', job.waitingFor],
    ['Steps', totalSteps === null ? null : `${step ?? 0} of ${totalSteps}`],
    ['Created', timeText(job.createdAt, screen)],
    ['Started', startedAt && timeText(startedAt, screen)],
    ['Ended', completedAt && timeText(completedAt, screen)],
    ['Duration', took === null ? null : formatDuration(took)],
    ...rows.map(({ label, value }): Fact => [label, value]),
    ['Artifacts', String(job.artifactCount)],
  ];
}

const ARTIFACT_COLUMNS: Column<Artifact>[] = [
  { title: 'Artifact', text: ({ name }) => name, least: 8 },
  { title: 'Kind', text: ({ kind }) => kind },
  { title: 'Step', text: ({ step }) => String(step) },
  { title: 'Size', text: ({ bytes }) => formatBytes(bytes) },
  { title: 'SHA-256', text: ({ sha256 }) => sha256, short: ({ sha256 }) => sha256.slice(0, 12), spare: true },
];

/** With the field names of the API; a star marks those that differ from the defaults. */
function configFacts(job: Partial<Pick<Job, 'config' | 'customSettings'>>): Fact[] {
  return settingRows(job).map(({ name, value, isCustom }) => [`${isCustom ? '*' : ' '} ${name}`, value]);
}

export const showManifest = sessionCommand(async ({ positionals, session, screen, answer }) => {
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { manifest } = await cloud.getJobManifest(id);
  answer({ manifest }, () => {
    const environments = manifest.run?.environments ?? [];
    return [commonFacts(manifest), ...environments.map(environmentFacts)]
      .map(facts => renderFacts(facts, screen.style))
      .join('\n');
  });
});

function commonFacts({ jobId, model, config, run: started, seed, adapter }: RunManifest): Fact[] {
  const isImported = config.imported === true;
  return [
    ['Job', jobId],
    ['Model', model.name],
    ['Model digest', model.digest],
    ['Origin', isImported ? 'imported' : null],
    ['Data', started ? dataText(started.data.training) : isImported ? null : 'not read yet'],
    ['Evaluation', started?.data.evaluation ? dataText(started.data.evaluation) : null],
    ['Weights', started?.weights ?? null],
    ['Seed', seed === null ? null : String(seed)],
    ['Adapter', adapter?.sha256 ?? null],
  ];
}

function dataText({ digest, rows }: { digest: string; rows: number }): string {
  return `${digest} (${formatCount(rows)} rows)`;
}

function environmentFacts({ fromStep, svc, node, onnxruntime, machine }: RunEnvironment): Fact[] {
  const { platform, arch, cpu, features, cores, threads, provider, gpu } = machine;
  return [
    ['From step', fromStep === 0 ? null : formatCount(fromStep)],
    ['svc', `${svc.version} (${svc.digest})`],
    ['Node.js', node],
    ['ONNX Runtime', `${onnxruntime} (${provider})`],
    ['Machine', `${platform} ${arch}, ${cpu}, ${cores} cores`],
    ['GPU', gpu ?? null],
    ['Threads', threads === null ? 'default' : String(threads)],
    ['Instructions', features.length === 0 ? null : features.join(' ')],
  ];
}
