// Adapters for other programs: as files for llama.cpp and mlx-lm, and merged into their base model.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TemplateVariables } from '../../contract/index.js';
import { writeSynced } from '../../system/index.js';
import { KEPT_METADATA, type Metadata, readKeptMetadata } from '../gguf/index.js';
import {
  type ModelConfig,
  moduleShape,
  openModel,
  openModelAdapter,
  readModelConfig,
  readModelSettings,
} from '../model/index.js';
import { type ModelText, openText } from '../text/index.js';
import {
  copyAdapterInside,
  type OpenedAdapter,
  openWeights,
  PROJECTIONS,
  transpose,
  writeSafetensors,
} from '../weights/index.js';
import { encodeGgufAdapter } from './gguf-adapter.js';
import { modelMetadata } from './gguf-metadata.js';
import { encodeGgufModel } from './gguf-model.js';
import { mainFloat, planTensors, type Quantization } from './gguf-tensors.js';
import { addsBos, tokenizerMetadata, updateTemplates } from './gguf-tokenizer.js';
import { toOllamaTemplate } from './ollama-template.js';
import { writeMerged } from './write-merged.js';

export type { Quantization } from './gguf-tensors.js';

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

/** Writes the files that mlx-lm reads into an empty folder. Returns their names. */
export async function writeMlxAdapter(
  folder: string,
  { adapterFolder, modelFolder }: Source,
): Promise<string[]> {
  const model = await readModelConfig(modelFolder);
  return writeMlx(folder, await openModelAdapter(adapterFolder, model), model);
}

/**
 * The folder that vLLM applies to the base model: the adapter's own, or `copy` if the model also sees, which is written unless it
 * is there.
 */
export async function adapterForVllm(copy: string, { adapterFolder, modelFolder }: Source): Promise<string> {
  const { text_config: text } = await readModelSettings(modelFolder);
  if (text === undefined) return adapterFolder;
  if (!existsSync(copy)) await copyAdapterInside(copy, adapterFolder);
  return copy;
}

interface MergedSource extends Source {
  /** Of the adapter's job, for the chat template. */
  variables?: TemplateVariables | undefined;
}

/** Writes a whole model into an empty folder. Returns the names of its files. Checks both before it writes. */
export async function writeMergedModel(
  folder: string,
  { adapterFolder, modelFolder, variables, signal }: MergedSource,
): Promise<string[]> {
  const { config } = await openModel(modelFolder);
  const adapter = await openModelAdapter(adapterFolder, config);
  return writeMerged(folder, modelFolder, adapter, { variables, signal });
}

interface GgufSource extends MergedSource {
  /** Of the file, and of the model in it. */
  name: string;
  quantization: Quantization | undefined;
  /** Bytes of the file. */
  onProgress?: (done: number, total: number) => void;
}

interface WrittenGguf {
  /** The GGUF file, and a Modelfile for Ollama. */
  files: [gguf: string, modelfile: string];
  /** The tokens that end an answer. */
  stops: string[];
  /** For Ollama. Null if the model has no chat template, or Ollama cannot have it. */
  template: string | null;
  hasChatTemplate: boolean;
}

/** Writes a whole model as GGUF into an empty folder. Checks both before it writes. */
export async function writeGgufModel(folder: string, source: GgufSource): Promise<WrittenGguf> {
  const { adapterFolder, modelFolder, name, quantization, variables, signal, onProgress } = source;
  const { config } = await openModel(modelFolder);
  const adapter = await openModelAdapter(adapterFolder, config);
  const weights = await openWeights(modelFolder);
  const text = await openText(modelFolder);
  const metadata = await describeModel(modelFolder, config, text, variables);
  const precision = quantization ?? mainFloat(planTensors(config, weights.describe, undefined)).toLowerCase();
  const file = `${name}-${precision}.gguf`;
  const stops = text.endIds.map(id => text.decode([id]));
  const { hasChatTemplate } = text;
  const bos = addsBos(metadata) ? text.facts.bosToken : undefined;
  const template = hasChatTemplate ? toOllamaTemplate(text, variables, bos) : null;
  await writeSynced(
    join(folder, file),
    encodeGgufModel({
      ...{ config, weights, adapter, quantization, signal, onProgress },
      metadata: { ...metadata, 'general.name': { type: 'string', value: name } },
    }),
  );
  await writeFile(join(folder, 'Modelfile'), modelfile(file, stops, template));
  return { files: [file, 'Modelfile'], stops, template, hasChatTemplate };
}

/** Of another GGUF file, everything but how its numbers are stored and what its parts are. */
const NOT_KEPT = /^(?:split\.|quantize\.|general\.(?:alignment|file_type|quantization_version)$)/;

async function describeModel(
  folder: string,
  config: ModelConfig,
  text: ModelText,
  variables: TemplateVariables | undefined,
): Promise<Metadata> {
  const path = join(folder, KEPT_METADATA);
  if (!existsSync(path))
    return {
      ...modelMetadata(config, folder),
      ...(await tokenizerMetadata(folder, config.vocabulary, variables)),
    };
  const kept = Object.entries(await readKeptMetadata(path, config.layers));
  return updateTemplates(Object.fromEntries(kept.filter(([key]) => !NOT_KEPT.test(key))), text, variables);
}

function modelfile(file: string, stops: readonly string[], template: string | null): string {
  return [
    `FROM ./${file}`,
    ...(template === null ? [] : [`TEMPLATE """${template}"""`]),
    ...stops.map(stop => `PARAMETER stop ${JSON.stringify(stop)}`),
    '',
  ].join('\n');
}

const CONFIG = 'adapter_config.json';
const TENSORS = 'adapters.safetensors';

/** Into an empty folder. Returns the names of its files. */
async function writeMlx(
  folder: string,
  { config: { rank }, scaling, sites, readPair }: OpenedAdapter,
  { layers, mlxLayers }: ModelConfig,
): Promise<string[]> {
  const tensors = [];
  const names = new Set<string>();
  for (const site of sites) {
    const { a, b } = await readPair(site);
    // Of several, each has the same number of the rows.
    const parts = PROJECTIONS[site.module].mlx ?? [site.module];
    const size = b.length / parts.length;
    for (const [part, name] of parts.entries()) {
      names.add(name);
      const path = `${mlxLayers}.${site.layer}.${name}`;
      const rows = b.subarray(part * size, (part + 1) * size);
      tensors.push(
        transposed(`${path}.lora_a`, a, rank),
        transposed(`${path}.lora_b`, rows, rows.length / rank),
      );
    }
  }
  const config = {
    fine_tune_type: 'lora',
    // It counts them from the end. A projection without matrices there adds nothing.
    num_layers: layers - Math.min(...sites.map(({ layer }) => layer)),
    lora_parameters: { rank, scale: scaling, dropout: 0, keys: [...names] },
  };
  await writeSafetensors(join(folder, TENSORS), tensors, { format: 'mlx' });
  await writeFile(join(folder, CONFIG), `${JSON.stringify(config, null, 2)}\n`);
  return [CONFIG, TENSORS];
}

function transposed(name: string, values: Float32Array, rows: number) {
  const columns = values.length / rows;
  return { name, dtype: 'F32', shape: [columns, rows], data: transpose(values, rows, columns) } as const;
}
