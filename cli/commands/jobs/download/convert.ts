// Converts a downloaded adapter to another format, never overwriting a file. Loads the engine.
import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BASE_MODEL_NAME } from '../../../../lib/base-model/index.js';
import type { RunCloudOptions } from '../../../../lib/cloud/index.js';
import {
  BASE_MODEL_DIGEST_HEADER,
  type Job,
  readThinking,
  templateVariablesOf,
} from '../../../../lib/contract/index.js';
import {
  type Quantization,
  writeGgufAdapter,
  writeGgufModel,
  writeMergedModel,
  writeMlxAdapter,
} from '../../../../lib/engine/index.js';
import { explainTemporary, inTemporaryFolder, makeFolder, toNotWritable } from '../../../../lib/sdk/index.js';
import { cloudFolder } from '../../../../lib/sdk/local-cloud/index.js';
import { isThere } from '../../../../lib/system/index.js';
import { CommandError } from '../../../command.js';
import { chooseBaseModel } from '../../cloud/choose-base-model.js';
import { type LastingOptions, readOptions, toLasting } from '../../cloud/lasting-options.js';
import { fillFolder, placeFile, requireEmpty, unpackInto } from '../../files/fill-folder.js';
import { textOption } from '../../project/option-values.js';
import type { SessionContext } from '../../project/session-command.js';
import { everyQuarter } from '../../terminal/live-line.js';
import { type Download, nameFor, openArchive, type Saved } from './artifact.js';

export function saveMerged(download: Download, folder: string): Promise<Saved> {
  return saveFolder(download, folder, (partial, source) => {
    download.input.note('Merging the adapter into its base model…');
    return writeMergedModel(partial, { ...source, variables: variablesOf(download) });
  });
}

export function saveMlx(download: Download, folder: string): Promise<Saved> {
  return saveFolder(download, folder, writeMlxAdapter);
}

export function saveMergedGguf(download: Download, folder: string): Promise<Saved> {
  return saveFolder(download, folder, async (partial, source) => {
    const { files } = await mergeAsGguf(download, partial, source);
    return files;
  });
}

/** Writes a GGUF file and a Modelfile into the folder. */
export async function mergeAsGguf(download: Download, folder: string, source: Source) {
  const { input, job, artifact } = download;
  const { note } = input;
  note('Merging the adapter into its base model, as GGUF…');
  const show = everyQuarter(percent => note(`Writing: ${percent}%`));
  const written = await writeGgufModel(folder, {
    ...source,
    name: nameFor(job.name, artifact),
    quantization: textOption(input, 'quantize') as Quantization | undefined,
    variables: variablesOf(download),
    onProgress: show,
  });
  if (written.hasChatTemplate && written.template === null)
    note(
      "! Ollama cannot have this model's chat template: it uses one of its own if it knows the model's, or else none. llama.cpp and LM Studio read it from the file.",
    );
  return written;
}

/** What the chat template was told in training. */
const variablesOf = ({ job }: Download) => templateVariablesOf({ enableThinking: readThinking(job.config) });

/** `fill` writes into an empty folder, and returns the names of the files. */
async function saveFolder(
  download: Download,
  folder: string,
  fill: (partial: string, source: Source) => Promise<string[]>,
): Promise<Saved> {
  // Checked before the conversion, which may take minutes.
  await requireEmpty(folder);
  const files = await fillFolder(folder, partial => withSource(download, source => fill(partial, source)));
  return { folder, files };
}

/** `out`: the target file, or an existing folder to put it in. */
export async function saveGguf(download: Download, out: string, name: string): Promise<Saved> {
  const isFolder = await stat(out).then(
    found => found.isDirectory(),
    () => false,
  );
  const path = isFolder ? join(out, `${name}.gguf`) : out;
  if (await isThere(path)) throw alreadyThere(path);
  const [folder, file] = [dirname(path), basename(path)];
  makeFolder(folder);
  const partial = join(folder, `.svc-download-${randomBytes(4).toString('hex')}`);
  try {
    await withSource(download, source => writeGgufAdapter(partial, source));
    await placeFile(partial, path);
    return { folder, files: [file] };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? alreadyThere(path)
      : toNotWritable(error, path);
  } finally {
    await rm(partial, { force: true });
  }
}

function alreadyThere(path: string): CommandError {
  return new CommandError(`${path} already exists. Move it, or choose another file with --out.`);
}

export interface Source {
  adapterFolder: string;
  modelFolder: string;
  signal: AbortSignal;
}

/** Unpacks the adapter into a temporary folder and finds its base model. */
export async function withSource<Result>(
  download: Download,
  use: (source: Source) => Promise<Result>,
): Promise<Result> {
  const { input, job, signal } = download;
  const base = await findBaseModel(input, job);
  return inTemporaryFolder('svc-adapter', async adapterFolder => {
    const { body, headers } = await openArchive(download);
    requireSameBase(base, job, headers.get(BASE_MODEL_DIGEST_HEADER));
    await explainTemporary(unpackInto(body, adapterFolder, signal));
    return await use({ adapterFolder, modelFolder: base.folder, signal });
  });
}

interface FoundBaseModel {
  folder: string;
  name: string;
  digest?: string;
  /** The user named it with an option, perhaps under a different name. */
  isNamed: boolean;
}

/** A base model on this machine: the one named by the user, the local cloud's, or the one in the package. */
async function findBaseModel(input: SessionContext, job: Job): Promise<FoundBaseModel> {
  const named = textOption(input, 'base-model');
  const open = (options: LastingOptions): Promise<RunCloudOptions['baseModel']> =>
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

/**
 * Throws if the adapter was trained on another base model. `digest` identifies the expected weights, if the
 * cloud knows them.
 */
function requireSameBase(base: FoundBaseModel, job: Job, digest: string | null): void {
  const isKnown = digest !== null && base.digest !== undefined;
  const model = String(job.config?.model);
  if (isKnown ? digest === base.digest : base.isNamed || base.name === model) return;
  const other = base.name === model ? 'has other weights than' : 'is not';
  throw new CommandError(
    `The base model in ${base.folder} ${other} the one that the adapter is for, ${model}. Choose that one with --base-model.`,
  );
}
