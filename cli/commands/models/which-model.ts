// Which base model the clouds use: the local one, as its options say, and a remote one that was chosen.

import { BASE_MODEL_NAME } from '../../../lib/base-model/index.js';
import { createCloudClient } from '../../../lib/client/index.js';
import { realClock } from '../../../lib/clock/index.js';
import { chooseCloud } from '../../../lib/sdk/index.js';
import { findHome } from '../../../lib/sdk/local-cloud/index.js';
import type { Context } from '../../command.js';
import { readOptions } from '../cloud/lasting-options.js';

/** As `--base-model` was given to the cloud on this data folder. */
export async function readWanted(folder: string): Promise<string> {
  const { 'base-model': wanted } = await readOptions(folder);
  return typeof wanted === 'string' ? wanted : BASE_MODEL_NAME;
}

export interface RemoteCloud {
  url: string;
  /** Null if the cloud does not respond. */
  baseModel: string | null;
}

const ANSWER_MS = 3000;

/** The cloud in use, if it is not the local one. */
export async function findRemote({
  io,
  values,
}: Pick<Context, 'io' | 'values'>): Promise<RemoteCloud | null> {
  if (values.data !== undefined) return null;
  const { url } = await chooseCloud(findHome(io.env), io.env);
  if (url === null) return null;
  const signal = (io.clock ?? realClock).deadline(ANSWER_MS);
  const about = await createCloudClient({ baseUrl: url })
    .getCloud(undefined, { signal })
    .catch(() => null);
  return { url, baseModel: about?.baseModel ?? null };
}
