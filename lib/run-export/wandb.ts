// A run in Weights & Biases, through the two APIs that its own client uses: GraphQL makes the run, under the job's ID, and says
// how many lines of its history are there; the file stream takes the others, each with its place.
import type { SentRun } from './mlflow.js';
import { type MeasuredRow, measuredRows, type RunRecord } from './run-record.js';
import { TrackingError, type TrackingServer } from './tracking-server.js';

const UPSERT = `mutation UpsertBucket($name: String!, $project: String!, $entity: String, $displayName: String, $groupName: String, $notes: String, $tags: [String!], $config: JSONString, $program: String) {
  upsertBucket(input: { name: $name, modelName: $project, entityName: $entity, displayName: $displayName, groupName: $groupName, notes: $notes, tags: $tags, config: $config, program: $program }) {
    bucket { id name historyLineCount project { name entity { name } } }
  }
}`;

interface Bucket {
  name: string;
  historyLineCount?: number | null;
  project: { name: string; entity: { name: string } };
}

/** Lines of a request. */
const MOST_LINES = 2000;

/** `project`: `triage` or `team/triage`. */
export async function sendToWandb(server: TrackingServer, project: string, run: RunRecord): Promise<SentRun> {
  const bucket = await server.patiently(() => upsert(server, project, run));
  const { name: projectName, entity } = bucket.project;
  const place = [entity.name, projectName, bucket.name].map(encodeURIComponent);
  const stream = (body: object) =>
    server.patiently(() => server.ask('POST', `/files/${place.join('/')}/file_stream`, body));
  const rows = measuredRows(run);
  const there = Math.min(bucket.historyLineCount ?? 0, rows.length);
  for (let at = there; at < rows.length; at += MOST_LINES) {
    const content = rows.slice(at, at + MOST_LINES).map((row, index) => toLine(row, at + index, run));
    await stream({ files: { 'wandb-history.jsonl': { offset: at, content } } });
  }
  await stream({
    files: { 'wandb-summary.json': { offset: 0, content: [JSON.stringify(summaryOf(rows))] } },
  });
  if (run.status !== 'running')
    await stream({ complete: true, exitcode: run.status === 'completed' ? 0 : 1 });
  const [entityPart, projectPart, runPart] = place;
  return {
    url: `${server.url.replace(/\/\/api\.wandb\.ai$/, '//wandb.ai')}/${entityPart}/${projectPart}/runs/${runPart}`,
    sent: rows.length - there,
    total: rows.length,
  };
}

async function upsert(server: TrackingServer, project: string, run: RunRecord): Promise<Bucket> {
  const slash = project.indexOf('/');
  const config = Object.fromEntries(run.settings.map(({ name, value }) => [name, { value, desc: null }]));
  const variables = {
    name: run.id.replaceAll('-', ''),
    project: project.slice(slash + 1),
    entity: slash < 0 ? null : project.slice(0, slash),
    displayName: run.name,
    groupName: run.group,
    notes: run.note || null,
    tags: run.tags,
    config: JSON.stringify(config),
    program: 'svc',
  };
  const { data, errors } = (await server.ask('POST', '/graphql', { query: UPSERT, variables })) as {
    data?: { upsertBucket?: { bucket?: Bucket } | null } | null;
    errors?: { message?: string }[];
  };
  const bucket = data?.upsertBucket?.bucket;
  if (bucket) return bucket;
  const reason = errors?.[0]?.message ?? 'it made no run';
  throw new TrackingError(`${server.url}/graphql refused the run: ${reason}`, { status: 400 });
}

/** Lines must be in the order of `_step`, but a score may be measured after later steps: `_step` counts lines. */
function toLine({ step, time, values }: MeasuredRow, index: number, { startedAt }: RunRecord): string {
  const seconds = time / 1000;
  return JSON.stringify({
    _step: index,
    _timestamp: seconds,
    _runtime: Math.max(0, seconds - startedAt / 1000),
    'train/global_step': step,
    ...values,
  });
}

/** The last value of each. */
function summaryOf(rows: readonly MeasuredRow[]): object {
  const last = {};
  for (const { step, values } of rows) Object.assign(last, { 'train/global_step': step }, values);
  return last;
}
