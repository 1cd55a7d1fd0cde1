// Adapters for other programs: as one file for llama.cpp, and merged into their base model.
import { writeSynced } from '../../system/index.js';
import { moduleShape, openModel, openModelAdapter, readModelConfig } from '../model/index.js';
import { encodeGgufAdapter } from './gguf-adapter.js';
import { writeMerged } from './write-merged.js';

interface Source {
  /** In PEFT layout. */
  adapterFolder: string;
  /** Its base model, in Hugging Face layout. */
  modelFolder: string;
  signal?: AbortSignal | undefined;
}

/** Writes a new GGUF file. Throws a `WeightsError` if the adapter does not fit the model. */
export async function writeGgufAdapter(path: string, { adapterFolder, modelFolder }: Source): Promise<void> {
  const model = await readModelConfig(modelFolder);
  const adapter = await openModelAdapter(adapterFolder, model);
  await writeSynced(
    path,
    encodeGgufAdapter(adapter, model, module => moduleShape(model, module)),
  );
}

/** Writes a whole model into an empty folder. Returns the names of its files. Checks both before it writes. */
export async function writeMergedModel(
  folder: string,
  { adapterFolder, modelFolder, signal }: Source,
): Promise<string[]> {
  const { config } = await openModel(modelFolder);
  const adapter = await openModelAdapter(adapterFolder, config);
  return writeMerged(folder, modelFolder, adapter, signal);
}
