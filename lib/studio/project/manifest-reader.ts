// The summary of the project's trainer. Builds the entry and inspects the new build before it replaces the old one, or
// inspects the build that there is. Concurrent requests share one build.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ApiError, type Manifest } from '../../contract/index.js';
import {
  buildEntry,
  type Env,
  type FoundData,
  type FoundTrainer,
  findBuild,
  findEntry,
  inspectBuild,
  type Session,
} from '../../sdk/index.js';

export interface ManifestReader {
  /** Of a new build. */
  read(): Promise<Manifest>;
  /** Of the build that a run would use; of a new one if there is none. */
  reread(): Promise<Manifest>;
  /** Stops a load in progress. */
  close(): void;
}

type TrainerData = NonNullable<NonNullable<Manifest['trainer']>['data']>;

/** The model of a trainer that names none, until the cloud's name for it is known. */
const UNNAMED_MODEL = 'base model';
const LOAD_LIMIT_MS = 10_000;

interface Place {
  session: Session;
  /** The environment for running the project's code. */
  env: Env;
}

export function createManifestReader({ session, env }: Place): ManifestReader {
  const closed = new AbortController();
  const read = shared(async () => describe(await build()));
  const reread = shared(async () => {
    const current = await findBuild(session.folder);
    return current ? describe(await inspect(current.path).catch(failBuild)) : read();
  });

  async function inspect(path: string): Promise<FoundTrainer | null> {
    const { folder, clock } = session;
    const limits = { limitMs: LOAD_LIMIT_MS, signal: closed.signal, clock };
    return (await inspectBuild(path, { folder, env, ...limits }))?.trainer ?? null;
  }

  async function build(): Promise<FoundTrainer | null> {
    const { folder } = session;
    let found: FoundTrainer | null = null;
    const entry = await findEntry(folder).catch((error: Error) => {
      throw new ApiError('project_missing', error.message, { cause: error });
    });
    await buildEntry(folder, entry, async path => {
      found = await inspect(path);
    }).catch(failBuild);
    return found;
  }

  async function describe(found: FoundTrainer | null): Promise<Manifest> {
    if (!found) return { trainer: null };
    const { name, model = await nameModel(), maxSteps, data } = found;
    const described = await describeData(data);
    return {
      trainer: {
        name,
        model,
        ...(maxSteps !== undefined && { maxSteps }),
        ...(Object.keys(described).length > 0 && { data: described }),
      },
    };
  }

  /** Other requests say what is wrong with the credentials. */
  async function nameModel(): Promise<string> {
    const known = await session.credentials().catch(() => null);
    return known?.baseModel ?? UNNAMED_MODEL;
  }

  /** Omits the size of a file that cannot be read; a run reports why. */
  async function describeData({ name, rows, path }: FoundData): Promise<TrainerData> {
    const file = path === undefined ? null : await stat(resolve(session.folder, path)).catch(() => null);
    return {
      ...(name !== undefined && { name }),
      ...(rows !== undefined && { rows }),
      ...(file?.isFile() && { bytes: file.size }),
    };
  }

  return { read, reread, close: () => closed.abort() };
}

function failBuild(error: Error): never {
  throw new ApiError('manifest_build_failed', error.message, { cause: error });
}

function shared<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let running: Promise<Value> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
