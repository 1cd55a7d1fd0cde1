// What is known of a base model on this machine, as `--json` shows it.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelSpeed } from '../../../lib/contract/index.js';
import { describeModel, type ModelFacts } from '../../../lib/engine/index.js';
import type { FoundModel } from './find-models.js';

export interface DescribedModel extends ModelFacts, Pick<FoundModel, 'name' | 'source' | 'path' | 'inUse'> {
  /** What svc read of its file takes so much more. */
  readBytes: number;
  /** Null if it was not measured here. */
  speed: ModelSpeed | null;
}

export async function describeFound(model: FoundModel): Promise<DescribedModel> {
  const { name, source, path, copies, inUse } = model;
  const facts = await describeModel(model);
  const problem = model.problem ?? facts.problem;
  const sizes = await Promise.all(copies.map(measure));
  return {
    ...{ name, source, path, inUse },
    ...facts,
    ...{ problem, memory: problem === null ? facts.memory : null },
    speed: null,
    readBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

async function measure(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async name => (await stat(join(folder, name)).catch(() => null))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
