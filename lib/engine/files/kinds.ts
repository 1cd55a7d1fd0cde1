// The kinds of work on files: the lane each waits in, how long it may take, and the error if it takes longer.
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EngineError } from '../engine-error.js';
import { ADAPTER_TENSORS } from '../run-layout.js';
import { type DataSource, DatasetError } from '../train/data/index.js';
import { WeightsError } from '../weights/index.js';
import type { FileWork, WorkKind } from './messages.js';

/** `quick`: takes a moment while someone waits. `download`: waits for other machines. `long`: everything else. */
export type LaneName = 'quick' | 'long' | 'download';

interface Rules<K extends WorkKind> {
  /** A function returns the file whose size decides: with a small file, the work is quick. */
  lane: LaneName | ((input: FileWork[K]['input']) => string | null);
  /** The time limit for work that makes progress. Work that hangs is stopped earlier. */
  mostMs?: number;
  /** The caller's error if it exceeds the limit. */
  refuse(input: FileWork[K]['input'], problem: string): Error;
}

const HOUR_MS = 3_600_000;
/** Counting the rows of such a file takes a fraction of a second. */
const SMALL_BYTES = 16 * 1024 ** 2;

const unavailable = (problem: string) =>
  new EngineError('engine_unavailable', `The files on the cloud's disk could not be read: ${problem}.`);
const ofData = (name: string, problem: string) =>
  new DatasetError(name, `${problem}; split long rows, or use a smaller file`);

const RULES: { [K in WorkKind]: Rules<K> } = {
  inspect: { lane: ({ path }) => path, refuse: ({ name }, problem) => ofData(name ?? 'data', problem) },
  download: { lane: 'download', refuse: ({ source }, problem) => ofData(nameOf(source), problem) },
  digestAdapter: { lane: 'quick', refuse: (_, problem) => unavailable(problem) },
  digestFile: { lane: ({ path }) => path, refuse: (_, problem) => unavailable(problem) },
  readRows: {
    lane: ({ source }) => (source?.type === 'file' ? source.path : null),
    refuse: (_, problem) => unavailable(problem),
  },
  readAnswers: { lane: 'quick', refuse: (_, problem) => unavailable(problem) },
  checkAdapter: {
    lane: ({ folder }) => join(folder, ADAPTER_TENSORS),
    refuse: ({ folder }, problem) => new WeightsError(join(folder, ADAPTER_TENSORS), problem),
  },
  previewData: { lane: 'long', refuse: ({ request }, problem) => ofData(nameOf(request.source), problem) },
  /** A job waits for it, and it reads all rows of any data set. */
  writeTokens: {
    lane: 'long',
    mostMs: 24 * HOUR_MS,
    refuse: ({ source }, problem) => ofData(nameOf(source), problem),
  },
};

export async function laneOf<K extends WorkKind>(kind: K, input: FileWork[K]['input']): Promise<LaneName> {
  const { lane } = RULES[kind];
  if (typeof lane === 'string') return lane;
  const path = lane(input);
  const found = path === null ? null : await stat(path).catch(() => null);
  return found && found.size > SMALL_BYTES ? 'long' : 'quick';
}

export const mostMs = (kind: WorkKind): number => RULES[kind].mostMs ?? HOUR_MS;

export function refuse<K extends WorkKind>(kind: K, input: FileWork[K]['input'], problem: string): Error {
  return RULES[kind].refuse(input, problem);
}

/** Omits a URL's query, which may contain secrets. */
function nameOf(source: DataSource): string {
  if (source.type === 'huggingface') return source.name;
  if (source.type === 'file') return source.fileName ?? basename(source.path);
  return (URL.canParse(source.url) && basename(new URL(source.url).pathname)) || 'data';
}
