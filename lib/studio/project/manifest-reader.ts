// The summary of the project's trainer. Builds the entry and inspects the new build before it replaces the old one.
// Concurrent requests share one build.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ApiError, type Manifest } from '../../contract/index.js';
import {
  buildEntry,
  type Env,
  type FoundData,
  type FoundTrainer,
  findEntry,
  inspectBuild,
  type Session,
} from '../../sdk/index.js';

export interface ManifestReader {
  read(): Promise<Manifest>;
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
  let running: Promise<Manifest> | undefined;

  async function build(): Promise<FoundTrainer | null> {
    const { folder, clock } = session;
    let found: FoundTrainer | null = null;
    const entry = await findEntry(folder).catch((error: Error) => {
      throw new ApiError('project_missing', error.message, { cause: error });
    });
    try {
      await buildEntry(folder, entry, async path => {
        const limits = { limitMs: LOAD_LIMIT_MS, signal: closed.signal, clock };
        found = (await inspectBuild(path, { folder, env, ...limits }))?.trainer ?? null;
      });
    } catch (error) {
      throw new ApiError('manifest_build_failed', (error as Error).message, { cause: error });
    }
    return found;
  }

  async function read(): Promise<Manifest> {
    const found = await build();
    if (!found) return { trainer: null };
    const { name, model = (await session.credentials())?.baseModel ?? UNNAMED_MODEL, maxSteps, data } = found;
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

  /** Omits the size of a file that cannot be read; a run reports why. */
  async function describeData({ name, rows, path }: FoundData): Promise<TrainerData> {
    const file = path === undefined ? null : await stat(resolve(session.folder, path)).catch(() => null);
    return {
      ...(name !== undefined && { name }),
      ...(rows !== undefined && { rows }),
      ...(file?.isFile() && { bytes: file.size }),
    };
  }

  return {
    read() {
      running ??= read().finally(() => {
        running = undefined;
      });
      return running;
    },
    close: () => closed.abort(),
  };
}
