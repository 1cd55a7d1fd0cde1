// The settings of a run, with the field names of the API: those that differ from the cloud's defaults first.
import type { Job } from '../contract/index.js';
import { formatCount } from './format.js';

interface Setting {
  readonly name: string;
  readonly value: string;
  /** It differs from the default. */
  readonly isCustom: boolean;
}

export type ConfiguredJob = Partial<Pick<Job, 'config' | 'customSettings' | 'fileNames'>>;

/** A cloud that does not say what is custom has its settings in the order of the config. */
export function settingRows({ config, customSettings = [], fileNames = {} }: ConfiguredJob): Setting[] {
  const custom = new Set(customSettings);
  const rows = Object.entries(config ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({
      name,
      value: settingText(name, value, fileNames),
      isCustom: custom.has(name),
    }));
  return [...rows.filter(({ isCustom }) => isCustom), ...rows.filter(({ isCustom }) => !isCustom)];
}

/** Conversations are shown elsewhere. */
function settingText(name: string, value: unknown, fileNames: Readonly<Record<string, string>>): string {
  if (name === 'bestBy' && typeof value === 'object' && value !== null) {
    const { score, higher } = value as { score?: unknown; higher?: unknown };
    return `${higher === false ? 'lowest' : 'highest'} ${valueText(score)}`;
  }
  const fileName = fileNames[(value as { datasetId?: string }).datasetId ?? ''];
  if (fileName !== undefined) return valueText({ ...(value as object), datasetId: fileName });
  return name === 'samples' && Array.isArray(value) ? formatCount(value.length) : valueText(value);
}

/** `upload train.jsonl`, `dpo, beta 0.1`: texts say themselves what they are. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) =>
    typeof field === 'string' ? ` ${field}` : `, ${name} ${valueText(field)}`,
  );
  return fields.join('').replace(/^,? /, '');
}
