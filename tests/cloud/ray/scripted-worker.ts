// A worker of a scripted Ray cluster: it speaks to the cloud as the real ones do, over HTTP, and computes nothing. Its losses
// depend on the step alone, and its adapters on the step that they were saved at.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claim, ReportResponse, RunDocument } from '../../../lib/contract/index.js';
import { toTarBlob } from '../../../lib/tar/index.js';
import type { ScriptedRay, ScriptedSubmission } from './scripted-ray.js';

const EVENTS_AT_ONCE = 50;
const RETRY_MS = 20;

type Event = { type: string; timestamp: string; [field: string]: unknown };
type Files = Record<string, string>;

/** The attempt belongs to another worker, or to none. */
class Over extends Error {}

/** Every submission from now on is worked on. */
export function letWorkersWork(ray: ScriptedRay): void {
  ray.onSubmit = submission => {
    void workOn(submission).then(isGood => {
      if (submission.status === 'RUNNING') submission.status = isGood ? 'SUCCEEDED' : 'FAILED';
    });
  };
}

async function workOn(submission: ScriptedSubmission): Promise<boolean> {
  const { svc_url: url = '', svc_token: token = '' } = submission.body.metadata ?? {};
  const isGone = () => submission.status === 'STOPPED';
  try {
    const about = { worker: '10.0.0.7', pid: 1, versions: {}, gpus: 0 };
    const claim = await ask<Claim>(`${url}/claim`, token, isGone, JSON.stringify(about));
    await train(claim, createReporter(url, claim.token, isGone));
    return true;
  } catch (error) {
    if (error instanceof Over) return false;
    throw error;
  }
}

/** As often as it takes while the cloud is away. */
async function ask<T>(
  url: string,
  token: string,
  isGone: () => boolean,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<T> {
  for (;;) {
    if (isGone()) throw new Over();
    const sent = { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body };
    const response = await fetch(url, sent).catch(() => null);
    if (response?.ok) return (await response.json()) as T;
    if (response && response.status < 500) throw new Over(await response.text());
    await sleep(RETRY_MS);
  }
}

function createReporter(url: string, token: string, isGone: () => boolean) {
  let [from, want] = [0, 'go' as ReportResponse['want']];
  let events: Event[] = [];
  async function flush(ended?: { status: string }): Promise<void> {
    const report = JSON.stringify({ from, events, ...(ended && { ended }) });
    ({ next: from, want } = await ask<ReportResponse>(`${url}/report`, token, isGone, report));
    events = [];
  }
  return {
    get want() {
      return want;
    },
    flush,
    async tell(type: string, fields: object): Promise<void> {
      events.push({ type, timestamp: new Date().toISOString(), ...fields });
      if (events.length === EVENTS_AT_ONCE) await flush();
    },
    async save(name: string, files: Files): Promise<void> {
      const list = Object.entries(files).map(([file, text]) => ({ name: file, content: new Blob([text]) }));
      const bytes = new Uint8Array(await toTarBlob(list).arrayBuffer());
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const headers = { 'content-type': 'application/octet-stream', 'x-svc-sha256': sha256 };
      await ask(`${url}/folders/${name}`, token, isGone, bytes, headers);
    },
  };
}

type Reporter = ReturnType<typeof createReporter>;

async function train({ run, rows, resume }: Claim, reporter: Reporter): Promise<void> {
  const { maxSteps, saveSteps, learningRate } = run.options;
  const totalSteps = run.dryRun ? 1 : maxSteps!;
  const from = resume?.step ?? 0;
  const counts = { totalSteps, trainableParameters: 8, trainTokens: 4 };
  const about = { model: run.model.name, dataset: rows.name, ...counts };
  await reporter.tell('training.started', { ...about, ...(from > 0 && { resumedFromStep: from }) });
  await reporter.flush();
  const saved = Math.floor(from / saveSteps!);
  const artifacts = Array.from({ length: saved }, (_, i) => describe((i + 1) * saveSteps!));
  for (let step = from + 1; reporter.want !== 'cancel'; step++) {
    if (learningRate > 1) return fail(step, reporter);
    await reporter.tell('training.log', { step, loss: 1 / step, learningRate, epoch: step / 3 });
    if (step === totalSteps) return complete(run, [...artifacts], reporter);
    if (step % saveSteps! !== 0 && reporter.want !== 'pause') continue;
    const artifact = describe(step);
    await reporter.save(artifact.name, { ...filesOf(step), 'trainer_state.json': `${step}` });
    await reporter.tell('checkpoint.saved', { step, artifacts: [artifact] });
    artifacts.push(artifact);
    if (reporter.want === 'pause') return reporter.flush({ status: 'paused' });
  }
  await reporter.flush({ status: 'cancelled' });
}

async function complete(
  { dryRun, options }: RunDocument,
  artifacts: ReturnType<typeof describe>[],
  reporter: Reporter,
): Promise<void> {
  if (!dryRun) {
    await reporter.save('final', filesOf(options.maxSteps!));
    artifacts.push(describe(options.maxSteps!, 'final'));
  }
  await reporter.tell('training.completed', { artifacts, metrics: {} });
  await reporter.flush({ status: 'completed' });
}

async function fail(step: number, reporter: Reporter): Promise<void> {
  const error = `The loss of step ${step} is not a finite number. Try a lower learning rate.`;
  await reporter.tell('training.failed', { error });
  await reporter.flush({ status: 'failed' });
}

const filesOf = (step: number): Files => ({
  'adapter_config.json': '{}',
  'adapter_model.safetensors': `weights of step ${step}`,
});

function describe(step: number, kind: 'checkpoint' | 'final' = 'checkpoint') {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const [file, content] of Object.entries(filesOf(step))) {
    hash.update(`${file}\0${content}`);
    bytes += content.length;
  }
  const name = kind === 'final' ? kind : `checkpoint-${step}`;
  return { name, kind, step, bytes, sha256: hash.digest('hex') };
}
