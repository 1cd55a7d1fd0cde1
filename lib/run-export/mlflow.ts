// A run in MLflow, through its REST API. The run's tags say which job it is and how much of it has arrived, and are written in
// the same request as what arrives, so nothing is there twice. What people can change of a job is sent each time.
import { type MeasuredRow, measuredRows, type RunRecord } from './run-record.js';
import { TrackingError, type TrackingServer } from './tracking-server.js';

export interface SentRun {
  /** Where people see it. */
  url: string;
  /** Rows of measurements that were sent now, and that are there. */
  sent: number;
  total: number;
}

const JOB_TAG = 'svc.job';
const ROWS_TAG = 'svc.rows';
/** Before each of the job's own tags. */
const TAG = 'tag.';

/** Of metrics, parameters and tags, a request may have 1000, 100 and 100. */
const MOST_METRICS = 900;
const MOST_PARAMS = 90;
const LONGEST_PARAM = 500;
const LONGEST_TAG = 5000;

interface MlflowRun {
  info: { run_id: string; experiment_id: string };
  data?: { tags?: { key: string; value: string }[] };
}

export async function sendToMlflow(
  server: TrackingServer,
  experiment: string,
  run: RunRecord,
): Promise<SentRun> {
  const call = <T>(method: 'GET' | 'POST', path: string, body?: object) =>
    server.ask(method, `/api/2.0/mlflow/${path}`, body) as Promise<T>;
  const experimentId = await server.patiently(() => ensureExperiment(call, experiment));
  const { info } = await server.patiently(
    async () => (await findRun(call, experimentId, run)) ?? createRun(call, experimentId, run),
  );
  const runId = info.run_id;
  const rows = measuredRows(run);
  const names = plainNames(rows.flatMap(({ values }) => Object.keys(values)));
  const readTags = async () => {
    const known = await call<{ run: MlflowRun }>('GET', `runs/get?run_id=${encodeURIComponent(runId)}`);
    return new Map(known.run.data?.tags?.map(({ key, value }) => [key, value]));
  };
  const countRows = async () => Number((await readTags()).get(ROWS_TAG) ?? 0);
  const there = await server.patiently(countRows);
  await server.patiently(async () => sendTags(call, runId, run, await readTags()));
  if (there === 0) await server.patiently(() => sendSettings(call, runId, run));
  for (let at = there; at < rows.length; ) {
    const batch = takeBatch(rows.slice(at, at + MOST_METRICS));
    at += batch.length;
    let wasSent = false;
    await server.patiently(async () => {
      // The answer may have been lost.
      if (wasSent && (await countRows()) >= at) return;
      wasSent = true;
      const tags = [{ key: ROWS_TAG, value: String(at) }];
      await call('POST', 'runs/log-batch', {
        run_id: runId,
        metrics: batch.flatMap(row => toMetrics(row, names)),
        tags,
      });
    });
  }
  await server.patiently(() =>
    call('POST', 'runs/update', { run_id: runId, run_name: run.name, ...endOf(run) }),
  );
  const url = `${server.url}/#/experiments/${experimentId}/runs/${runId}`;
  return { url, sent: Math.max(0, rows.length - there), total: rows.length };
}

type Call = <T>(method: 'GET' | 'POST', path: string, body?: object) => Promise<T>;

async function ensureExperiment(call: Call, name: string): Promise<string> {
  const find = async () => {
    const path = `experiments/get-by-name?experiment_name=${encodeURIComponent(name)}`;
    return (await call<{ experiment: { experiment_id: string } }>('GET', path)).experiment.experiment_id;
  };
  const isCode = (error: unknown, code: string) => error instanceof TrackingError && error.code === code;
  try {
    return await find();
  } catch (error) {
    if (!isCode(error, 'RESOURCE_DOES_NOT_EXIST')) throw error;
  }
  try {
    return (await call<{ experiment_id: string }>('POST', 'experiments/create', { name })).experiment_id;
  } catch (error) {
    // Someone else has made it meanwhile.
    if (!isCode(error, 'RESOURCE_ALREADY_EXISTS')) throw error;
    return find();
  }
}

async function findRun(call: Call, experimentId: string, { id }: RunRecord): Promise<MlflowRun | null> {
  const { runs = [] } = await call<{ runs?: MlflowRun[] }>('POST', 'runs/search', {
    experiment_ids: [experimentId],
    filter: `tags."${JOB_TAG}" = '${id}'`,
    max_results: 1,
  });
  return runs[0] ?? null;
}

async function createRun(call: Call, experimentId: string, run: RunRecord): Promise<MlflowRun> {
  const input = {
    experiment_id: experimentId,
    run_name: run.name,
    start_time: run.startedAt,
    tags: [{ key: JOB_TAG, value: run.id }],
  };
  return (await call<{ run: MlflowRun }>('POST', 'runs/create', input)).run;
}

/** A note that was deleted stays, since the text may be one that someone wrote there. */
async function sendTags(
  call: Call,
  runId: string,
  run: RunRecord,
  known: ReadonlyMap<string, string>,
): Promise<void> {
  const wanted = new Map(Object.entries(tagsOf(run)));
  for (const key of known.keys())
    if (key.startsWith(TAG) && !wanted.has(key))
      await call('POST', 'runs/delete-tag', { run_id: runId, key });
  const tags = [...wanted].map(([key, value]) => ({ key, value: value.slice(0, LONGEST_TAG) }));
  const changed = tags.filter(({ key, value }) => known.get(key) !== value);
  if (changed.length > 0) await call('POST', 'runs/log-batch', { run_id: runId, tags: changed });
}

function tagsOf({ group, note, tags }: RunRecord): Record<string, string> {
  const names = plainNames(tags.map(tag => `${TAG}${tag}`));
  return {
    ...(group !== null && { 'svc.group': group }),
    ...(note && { 'mlflow.note.content': note }),
    ...Object.fromEntries([...names.values()].map(name => [name, 'true'])),
  };
}

async function sendSettings(call: Call, runId: string, { settings }: RunRecord): Promise<void> {
  const names = plainNames(settings.map(({ name }) => name));
  const params = settings
    .slice(0, MOST_PARAMS)
    .map(({ name, value }) => ({ key: names.get(name), value: value.slice(0, LONGEST_PARAM) }));
  if (params.length > 0) await call('POST', 'runs/log-batch', { run_id: runId, params });
}

function toMetrics({ step, time, values }: MeasuredRow, names: ReadonlyMap<string, string>): object[] {
  return Object.entries(values).map(([name, value]) => ({
    key: names.get(name),
    value,
    timestamp: time,
    step,
  }));
}

/** As many rows as a request may have; at least one. */
function takeBatch(rows: readonly MeasuredRow[]): MeasuredRow[] {
  let metrics = 0;
  const end = rows.findIndex(({ values }, index) => {
    metrics += Object.keys(values).length;
    return index > 0 && metrics > MOST_METRICS;
  });
  return rows.slice(0, end < 0 ? rows.length : end);
}

const STATUSES = {
  running: 'RUNNING',
  completed: 'FINISHED',
  failed: 'FAILED',
  cancelled: 'KILLED',
} as const;

function endOf({ status, endedAt }: RunRecord): object {
  return { status: STATUSES[status], ...(endedAt !== null && { end_time: endedAt }) };
}

/**
 * Each name as MLflow takes it. Of names that become the same, the later ones are numbered: a run that goes on keeps the names
 * that it has.
 */
function plainNames(names: readonly string[]): ReadonlyMap<string, string> {
  const plain = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of new Set(names)) {
    const wanted = plainName(name);
    let free = wanted;
    for (let number = 2; taken.has(free); number++) free = `${wanted}_${number}`;
    taken.add(free);
    plain.set(name, free);
  }
  return plain;
}

/** Names have letters, digits, and a few other signs, and are paths that cannot be written shorter. */
function plainName(name: string): string {
  const parts = name.replace(/[^\p{L}\p{N}_./ -]/gu, '_').split('/');
  return parts.filter(part => !/^\.{0,2}$/.test(part)).join('/');
}
