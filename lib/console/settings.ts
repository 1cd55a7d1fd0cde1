// The settings of a run, with the field names of the API: those that differ from the cloud's defaults first.
import type { Job } from '../contract/index.js';

interface Setting {
  readonly name: string;
  readonly value: string;
  /** It differs from the default. */
  readonly isCustom: boolean;
}

/** A cloud that does not say what is custom has its settings in the order of the config. */
export function settingRows({
  config,
  customSettings = [],
}: Partial<Pick<Job, 'config' | 'customSettings'>>): Setting[] {
  const custom = new Set(customSettings);
  const rows = Object.entries(config ?? {})
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ({ name, value: valueText(value), isCustom: custom.has(name) }));
  return [...rows.filter(({ isCustom }) => isCustom), ...rows.filter(({ isCustom }) => !isCustom)];
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(valueText).join(' ');
}
