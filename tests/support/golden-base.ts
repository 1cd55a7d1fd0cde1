// A reference model as a base model of its own, with changed settings.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGoldenModel } from './golden-models.js';

export type Settings = Readonly<Record<string, unknown>>;

/** `folder` is new. */
export async function makeGoldenBase(folder: string, name: string, settings: Settings = {}): Promise<void> {
  const golden = await openGoldenModel(name);
  cpSync(golden.folder, folder, { recursive: true });
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Settings;
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...config, ...settings }));
}
