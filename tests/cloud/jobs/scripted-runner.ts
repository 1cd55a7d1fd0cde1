// A runner whose trainers follow a test's script. It saves and prunes folders as the engine does.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobRun, JobRunner } from '../../../lib/cloud/seams/runner.js';
import type { RunDocument } from '../../../lib/contract/index.js';
import type { EngineEvent, RunOutcome, TrainTask } from '../../../lib/engine/index.js';
import { inTime } from '../../support/in-time.js';

export interface ScriptedRunner extends JobRunner {
  readonly runs: ScriptedRun[];
  /** The next run that starts, or that has started and was not returned yet. */
  next(): Promise<ScriptedRun>;
  /** Calls back for each run that starts from now on, instead. */
  attend(react: (run: ScriptedRun) => void): void;
}

export function createScriptedRunner(): ScriptedRunner {
  const runs: ScriptedRun[] = [];
  const waiting: ((run: ScriptedRun) => void)[] = [];
  let given = 0;
  let attendant: ((run: ScriptedRun) => void) | undefined;
  const give = () => {
    while (waiting.length > 0 && given < runs.length) waiting.shift()!(runs[given++]!);
  };
  return {
    runs,
    start(...given) {
      const run = new ScriptedRun(...given);
      runs.push(run);
      // Once the caller has it.
      if (attendant) queueMicrotask(() => attendant!(run));
      else give();
      return run;
    },
    attend(react) {
      attendant = react;
    },
    next() {
      const next = new Promise<ScriptedRun>(resolve => {
        waiting.push(resolve);
        give();
      });
      return inTime(next, { beside: () => `${runs.length} runs have started` });
    },
  };
}

type AttemptDesk = Parameters<JobRunner['start']>[1];

export class ScriptedRun implements JobRun {
  readonly task: TrainTask;
  /** The commands it received, in order. */
  readonly told: string[] = [];
  readonly ended: JobRun['ended'];
  /** Handles a command; by default it obeys only `kill`. */
  onTold: (word: string) => void = word => {
    if (word === 'kill') this.die('SIGKILL');
  };
  #end!: (end: Awaited<JobRun['ended']>) => void;
  readonly document: RunDocument;
  #record: AttemptDesk['record'];
  readonly heldUp: AttemptDesk['heldUp'];
  readonly waitsFor: AttemptDesk['waitsFor'];
  readonly score: AttemptDesk['score'];
  readonly scoreRows: AttemptDesk['scoreRows'];
  readonly prepare: AttemptDesk['prepare'];

  constructor(document: RunDocument, desk: AttemptDesk) {
    this.document = document;
    this.task = desk.locate(document);
    this.heldUp = desk.heldUp;
    this.waitsFor = desk.waitsFor;
    this.score = desk.score;
    this.scoreRows = desk.scoreRows;
    this.prepare = desk.prepare;
    this.#record = desk.record;
    this.ended = new Promise(resolve => {
      this.#end = resolve;
    });
  }

  cancel = () => this.#tell('cancel');
  pause = () => this.#tell('pause');
  kill = () => this.#tell('kill');

  /** Resolves when the trainer may continue. */
  async tell(type: string, fields: Record<string, unknown> = {}): Promise<void> {
    const event = { type, jobId: this.task.jobId, timestamp: new Date().toISOString(), ...fields };
    await this.#record(event as EngineEvent);
  }

  started(fields: Record<string, unknown> = {}): void {
    const about = { model: 'svc/tiny', dataset: 'rows.jsonl', totalSteps: 10 };
    void this.tell('training.started', { ...about, trainableParameters: 5, trainTokens: 7, ...fields });
  }

  log(...steps: number[]): void {
    for (const step of steps) void this.tell('training.log', { step, loss: 1 / step });
  }

  /** Saves a checkpoint and reports it. */
  async checkpoint(step: number): Promise<void> {
    await this.save(`checkpoint-${step}`);
    void this.tell('checkpoint.saved', { step, artifacts: [artifact('checkpoint', step)] });
  }

  async save(name: string): Promise<void> {
    if ((await this.attemptFile()) !== String(this.task.request.attempt))
      throw new Error('Another attempt has begun.');
    const path = this.#path(name);
    await mkdir(path, { recursive: true });
    for (const [file, content] of Object.entries(adapterFiles(name)))
      await writeFile(join(path, file), content);
    if (name !== 'final') await writeFile(join(path, 'optimizer.safetensors'), 'moments');
  }

  /** Where it saves. */
  #path = (name: string) => join(this.task.request.folder, name);
  /** Prunes a checkpoint, as the engine does with old ones. */
  prune = (step: number) => rm(this.#path(`checkpoint-${step}`), { recursive: true });
  has = (step: number) => existsSync(this.#path(`checkpoint-${step}`));
  attemptFile = () => readFile(this.#path('attempt'), 'utf8');

  async complete(step = 10): Promise<void> {
    await this.save('final');
    const artifacts = [artifact('final', step)];
    void this.tell('training.completed', { artifacts, metrics: { trainLoss: 0.1 } });
    this.end('completed');
  }

  end(status: RunOutcome, exitCode: number | null = 0, signal: string | null = null): void {
    this.#end({ status, exitCode, signal });
  }

  /** Reports this error, and ends. */
  fail(error: string): void {
    void this.tell('training.failed', { error });
    this.end('failed', 1);
  }

  /** Ends it because the disk failed. */
  interrupt(diskFault: string): void {
    this.#end({ status: 'interrupted', exitCode: 1, signal: null, diskFault });
  }

  /** Ends it without any event. */
  die(signal: string | null, exitCode: number | null = null): void {
    this.end('failed', exitCode, signal);
  }

  #tell(word: string): void {
    this.told.push(word);
    this.onTold(word);
  }
}

function adapterFiles(name: string): Record<string, string> {
  return { 'adapter_config.json': '{}', 'adapter_model.safetensors': `weights of ${name}` };
}

export function artifact(kind: 'final' | 'checkpoint', step: number) {
  const name = kind === 'final' ? 'final' : `checkpoint-${step}`;
  const bytes = `{}weights of ${name}`.length;
  const hash = createHash('sha256');
  for (const [file, content] of Object.entries(adapterFiles(name))) hash.update(`${file}\0${content}`);
  return { name, kind, step, bytes, sha256: hash.digest('hex') };
}
