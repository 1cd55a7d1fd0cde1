// The base model of a job on this machine: the one that was named, the local cloud's, or the one in the package.
import { BASE_MODEL_NAME } from '../../../../lib/base-model/index.js';
import type { ServeOptions } from '../../../../lib/cloud/index.js';
import type { Job } from '../../../../lib/contract/index.js';
import { cloudFolder } from '../../../../lib/sdk/local-cloud/index.js';
import { CommandError } from '../../../command-error.js';
import { chooseBaseModel } from '../../cloud/choose-base-model.js';
import { type LastingOptions, toLasting } from '../../cloud/lasting-options.js';
import { readOptions } from '../../cloud/options-file.js';
import { textOption } from '../../project/option-values.js';
import type { SessionContext } from '../../project/session-command.js';

interface FoundBaseModel {
  folder: string;
  name: string;
  digest?: string;
  /** Named by the user, who may have it under another name. */
  isNamed: boolean;
}

export async function findBaseModel(input: SessionContext, job: Job): Promise<FoundBaseModel> {
  const named = textOption(input, 'base-model');
  const open = (options: LastingOptions): Promise<ServeOptions['baseModel']> =>
    chooseBaseModel(options, cloudFolder(input.session.home), input.io);
  if (named !== undefined)
    return { ...(await open(toLasting({ 'base-model': named }, input.io.cwd))), isNamed: true };
  const { url } = await input.session.choose();
  if (url === null)
    return { ...(await open(await readOptions(cloudFolder(input.session.home)))), isNamed: false };
  if (job.config?.model === BASE_MODEL_NAME)
    return { ...(await open({ 'base-model': BASE_MODEL_NAME })), isNamed: false };
  throw new CommandError(
    `The base model of this cloud, ${String(job.config?.model)}, may not be on this machine. Name it with --base-model: a folder, or a name on the Hugging Face Hub.`,
  );
}

/** Throws if the adapter is for another one. `digest` identifies its weights, if the cloud knows them. */
export function requireSameBase(base: FoundBaseModel, job: Job, digest: string | null): void {
  const isKnown = digest !== null && base.digest !== undefined;
  const model = String(job.config?.model);
  if (isKnown ? digest === base.digest : base.isNamed || base.name === model) return;
  const other = base.name === model ? 'has other weights than' : 'is not';
  throw new CommandError(
    `The base model in ${base.folder} ${other} the one that the adapter is for, ${model}. Choose that one with --base-model.`,
  );
}
