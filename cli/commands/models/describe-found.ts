// What is known of a base model on this machine, as `--json` shows it.
import { openBaseModel, readModelSpeed, roundedFolder } from '../../../lib/cloud/index.js';
import type { ModelSpeed } from '../../../lib/contract/index.js';
import { describeModel, type ModelFacts } from '../../../lib/engine/index.js';
import { measureFolder } from '../cloud/local-cloud.js';
import type { FoundModel } from './find-models.js';

export interface DescribedModel extends ModelFacts, Pick<FoundModel, 'name' | 'source' | 'path' | 'inUse'> {
  /** What svc read of its file takes so much more. */
  readBytes: number;
  /** And its weights, rounded to 8 bits. */
  roundedBytes: number;
  /** Null if it was not measured here. */
  speed: ModelSpeed | null;
}

/** `folder`: the data folder. */
export async function describeFound(model: FoundModel, folder: string): Promise<DescribedModel> {
  const { name, source, path, copies, inUse } = model;
  const facts = await describeModel(model);
  const problem = model.problem ?? facts.problem;
  const sizes = await Promise.all(copies.map(measureFolder));
  const rounded = await Promise.all(roundedOf(model, folder).map(measureFolder));
  const total = (found: typeof sizes) => found.reduce((sum, { total }) => sum + total, 0);
  return {
    ...{ name, source, path, inUse },
    ...facts,
    ...{ problem, memory: problem === null ? facts.memory : null },
    speed: problem === null ? await readSpeed(folder, model) : null,
    readBytes: total(sizes),
    roundedBytes: total(rounded),
  };
}

/** Of a model that a cloud has used. */
async function readSpeed(folder: string, model: FoundModel): Promise<ModelSpeed | null> {
  const [digest] = digestsOf(model);
  return digest === undefined ? null : readModelSpeed(folder, digest);
}

/** Of the folders that a cloud can use for it: what was read of its file, or its own. */
export function digestsOf({ path, copies }: Pick<FoundModel, 'path' | 'copies'>): string[] {
  return [...new Set([...copies, ...(path === null ? [] : [path])].flatMap(digestOf))];
}

/** The folders of its rounded weights, whether or not they exist. */
export function roundedOf(model: Pick<FoundModel, 'path' | 'copies'>, folder: string): string[] {
  return digestsOf(model).map(digest => roundedFolder(folder, digest));
}

/** None if it is not a whole model in a folder. */
function digestOf(path: string): string[] {
  try {
    return [openBaseModel(path).digest!];
  } catch {
    return [];
  }
}
