// svc jobs show ID: the details of one job and its saved adapters.
import { formatBytes, formatDuration } from '../../../lib/console/index.js';
import type { Artifact, Job } from '../../../lib/contract/index.js';
import { exitCode } from '../../exit-code.js';
import { findJob } from '../project/find-job.js';
import { sessionCommand } from '../project/session-command.js';
import { type Fact, renderFacts } from '../terminal/facts.js';
import type { Screen } from '../terminal/screen.js';
import { type Column, renderTable } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';
import { drawStatus } from '../training/status.js';
import { configFacts } from './config-facts.js';

export const run = sessionCommand(async ({ positionals, session, screen, json, answer }) => {
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { job } = await cloud.getJob(id);
  const { artifacts } = json || job.artifactCount === 0 ? { artifacts: [] } : await cloud.listArtifacts(id);
  answer({ job }, () => renderJob(job, artifacts, screen));
  return exitCode.ok;
});

function renderJob(job: Job, artifacts: readonly Artifact[], screen: Screen): string {
  const { style } = screen;
  const parts = [
    `${drawStatus(job.status, style)}\n${renderFacts(jobFacts(job, screen), style)}`,
    renderFacts(configFacts(job.config ?? {}), style),
    artifacts.length === 0 ? '' : renderTable(ARTIFACT_COLUMNS, artifacts, screen),
  ];
  return parts.filter(Boolean).join('\n');
}

function jobFacts(job: Job, screen: Screen): Fact[] {
  const { step, totalSteps, startedAt, completedAt } = job;
  const took = startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null;
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
