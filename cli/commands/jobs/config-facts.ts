// A job's config as facts, with the field names of the API.
import type { JobConfig } from '../../../lib/contract/index.js';
import type { Fact } from '../terminal/facts.js';

export function configFacts(config: JobConfig): Fact[] {
  return Object.entries(config)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => [name, valueText(value)]);
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(valueText).join(' ');
}
