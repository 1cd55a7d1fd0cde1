// What is known of a base model on this machine, as `--json` shows it.
import { openBaseModel, readModelSpeed } from '../../../lib/cloud/index.js';
import type { ModelSpeed } from '../../../lib/contract/index.js';
import { describeModel, type ModelFacts } from '../../../lib/engine/index.js';
import { measureFolder } from '../cloud/measure-folder.js';
import type { FoundModel } from './find-models.js';

export interface DescribedModel extends ModelFacts, Pick<FoundModel, 'name' | 'source' | 'path' | 'inUse'> {
  /** What svc read of its file takes so much more. */
  readBytes: number;
  /** Null if it was not measured here. */
  speed: ModelSpeed | null;
}

/** `folder`: the data folder. */
export async function describeFound(model: FoundModel, folder: string): Promise<DescribedModel> {
  const { name, source, path, copies, inUse } = model;
  const facts = await describeModel(model);
  const problem = model.problem ?? facts.problem;
  const sizes = await Promise.all(copies.map(measureFolder));
  return {
    ...{ name, source, path, inUse },
    ...facts,
    ...{ problem, memory: problem === null ? facts.memory : null },
    speed: problem === null ? await readSpeed(folder, copies[0] ?? path) : null,
    readBytes: sizes.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Of a model that a cloud has used. */
async function readSpeed(folder: string, place: string | null): Promise<ModelSpeed | null> {
  const [digest] = place === null ? [] : digestOf(place);
  return digest === undefined ? null : readModelSpeed(folder, digest);
}

/** None if it is not a whole model in a folder. */
export function digestOf(path: string): string[] {
  try {
    return [openBaseModel(path).digest!];
  } catch {
    return [];
  }
}
