// A reference model as a base model of its own, with changed settings.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GOLDEN_MODELS, openGoldenModel } from './golden-models.js';

export type GoldenName = (typeof GOLDEN_MODELS)[number];
export type Settings = Record<string, unknown>;

/** Settings that llama.cpp computes, where a reference model has others. */
export const LLAMA_CPP_SETTINGS: Partial<Record<GoldenName, Settings>> = {
  gemma3: { query_pre_attn_scalar: 24 },
  smollm3: { no_rope_layers: null },
};

/** `folder` is new. */
export async function makeGoldenBase(
  folder: string,
  name: GoldenName,
  settings: Settings = {},
): Promise<void> {
  const golden = await openGoldenModel(name);
  cpSync(golden.folder, folder, { recursive: true });
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Settings;
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ...settings }));
}
