// The fastest that the base model has trained and answered here: `speeds.json` in the data folder. The fastest, since other
// programs may have slowed down the rest. Nothing else is kept of a run or a chat.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFault, type ModelSpeed, type SpeedsFile, speedsFile } from '../../contract/index.js';
import type { EngineEvent } from '../../engine/index.js';
import { createMutex, readMachine, replaceFile } from '../../system/index.js';
import type { JobRunner } from '../seams/runner.js';

export interface ModelSpeeds {
  read(): Promise<ModelSpeed | null>;
  /** In tokens a second. */
  note(kind: keyof ModelSpeed, speed: number): void;
  /** Notes how fast its runs train. */
  watch(runner: JobRunner): JobRunner;
}

const NONE: ModelSpeed = { training: null, answering: null };
const MOST_MODELS = 100;
/** A smaller gain is not written. */
const GAIN = 1.1;

export function openModelSpeeds(folder: string, digest: string): ModelSpeeds {
  const key = toKey(digest);
  const inTurn = createMutex();
  let known: Promise<ModelSpeed> | undefined;
  const readOnce = () => (known ??= readModelSpeed(folder, digest).then(found => found ?? NONE));

  async function keep(kind: keyof ModelSpeed, speed: number): Promise<void> {
    const former = await readOnce();
    const rounded = Number(speed.toPrecision(3));
    if (rounded < (former[kind] ?? 0) * GAIN) return;
    const current = { ...former, [kind]: rounded };
    known = Promise.resolve(current);
    const { [key]: _, ...others } = await readAll(folder);
    const kept = Object.entries(others).slice(1 - MOST_MODELS);
    await replaceFile(pathIn(folder), `${JSON.stringify(Object.fromEntries([...kept, [key, current]]))}\n`);
  }

  const note = (kind: keyof ModelSpeed, speed: number) => {
    // If it cannot be kept, the next run or chat tries again.
    if (Number.isFinite(speed) && speed > 0) void inTurn(() => keep(kind, speed)).catch(() => {});
  };
  return {
    note,
    read: () => readModelSpeed(folder, digest),
    watch: runner => ({
      ...runner,
      start(run, desk) {
        const watchEvent = createMedianSpeed(speed => note('training', speed));
        const record = (event: EngineEvent) => {
          watchEvent(event);
          return desk.record(event);
        };
        return runner.start(run, { ...desk, record });
      },
      async close() {
        await runner.close?.();
        // What is being written comes to its end.
        await inTurn(async () => {});
      },
    }),
  };
}

/** Null if it was not measured on this machine. `digest`: the base model's. */
export async function readModelSpeed(folder: string, digest: string): Promise<ModelSpeed | null> {
  return (await readAll(folder))[toKey(digest)] ?? null;
}

const pathIn = (folder: string) => join(folder, 'speeds.json');

function toKey(digest: string): string {
  const text = JSON.stringify([digest, readMachine()]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

async function readAll(folder: string): Promise<SpeedsFile> {
  try {
    const content: unknown = JSON.parse(await readFile(pathIn(folder), 'utf8'));
    return findFault(speedsFile, content, 'It') === null ? (content as SpeedsFile) : {};
  } catch {
    return {};
  }
}

/** The median of a run's steps, once it is completed. */
function createMedianSpeed(onSpeed: (speed: number) => void): (event: EngineEvent) => void {
  const MOST = 1000;
  const speeds: number[] = [];
  return event => {
    if (event.type === 'training.log' && event.tokensPerSecond && speeds.length < MOST)
      speeds.push(event.tokensPerSecond);
    if (event.type === 'training.completed' && speeds.length > 0)
      onSpeed(speeds.sort((a, b) => a - b)[speeds.length >> 1]!);
  };
}
