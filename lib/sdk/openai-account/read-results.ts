// What a job measured, from its result files and the metrics in its events, as the steps of an imported job.
import {
  IMPORTED_MEASURES,
  type ImportedMeasure,
  type ImportedSteps,
  MOST_IMPORTED_STEPS,
} from '../../contract/index.js';
import type { AccountEvent } from './shapes.js';

/** One step's numbers under OpenAI's names. */
export type Metrics = Readonly<Record<string, number>>;

/** A result file's rows. Some servers send the table in Base64. */
export function readResultFile(content: string): Metrics[] {
  const text = isTable(content) ? content : Buffer.from(content.trim(), 'base64').toString('utf8');
  if (!isTable(text)) return [];
  const [head = '', ...lines] = text.split(/\r?\n/);
  const names = head.split(',').map(name => name.trim());
  return lines.flatMap(line => {
    const cells = line.split(',');
    const known = names.flatMap((name, index) => {
      const cell = cells[index]?.trim() ?? '';
      const value = Number(cell);
      return cell === '' || !Number.isFinite(value) ? [] : [[name, value] as const];
    });
    return known.length > 0 ? [Object.fromEntries(known)] : [];
  });
}

function isTable(text: string): boolean {
  return /^\uFEFF?\s*step\s*,/i.test(text);
}

export function readMetricEvents(events: readonly AccountEvent[]): (Metrics & { readonly time?: number })[] {
  return events.flatMap(({ type, data, created_at }) => {
    if (type !== 'metrics' || !data) return [];
    const known = Object.entries(data).filter(
      (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
    );
    return [{ ...Object.fromEntries(known), ...(created_at !== null && { time: created_at * 1000 }) }];
  });
}

/** The names of each measure, the one to prefer first. The last four are those of svc's own API. */
const SOURCES: Readonly<Record<ImportedMeasure, readonly string[]>> = {
  loss: ['train_loss', 'training_loss'],
  /** The full one is of all validation rows, as svc's is; the other of a batch of them. */
  evalLoss: ['full_valid_loss', 'valid_loss', 'validation_loss'],
  learningRate: ['learning_rate'],
  epoch: ['epoch'],
  rewardMargin: ['train_reward_margin'],
  rewardAccuracy: ['train_reward_accuracy'],
  evalRewardMargin: ['valid_reward_margin'],
  evalRewardAccuracy: ['valid_reward_accuracy'],
};

export interface ReadSteps {
  steps: ImportedSteps | null;
  /** How many steps there were, if too many to be imported. */
  thinnedFrom: number | null;
  /** Where each measure came from. */
  sources: Partial<Record<ImportedMeasure, string>>;
}

/** Combines several lists of metrics. Earlier lists win; later ones fill their gaps. */
export function toSteps(lists: readonly (readonly Metrics[])[]): ReadSteps {
  const all = new Map<number, Record<string, number>>();
  for (const metrics of lists.flat()) {
    const { step } = metrics;
    if (step === undefined || !Number.isSafeInteger(step) || step < 0) continue;
    all.set(step, { ...metrics, ...all.get(step) });
  }
  const given = [...all.values()].sort((a, b) => a.step! - b.step!);
  const sources = chooseSources(given);
  const measured = given.filter(metrics => Object.values(sources).some(name => metrics[name] !== undefined));
  if (measured.length === 0) return { steps: null, thinnedFrom: null, sources: {} };
  const kept = thin(
    measured,
    metrics => sources.evalLoss !== undefined && metrics[sources.evalLoss] !== undefined,
  );
  const columns = IMPORTED_MEASURES.flatMap(measure => {
    const name = sources[measure];
    return name === undefined ? [] : [[measure, kept.map(metrics => metrics[name] ?? null)] as const];
  });
  const hasTimes = kept.some(({ time }) => time !== undefined);
  return {
    steps: {
      step: kept.map(({ step }) => step!),
      ...(hasTimes && { time: kept.map(({ time }) => time ?? null) }),
      ...Object.fromEntries(columns),
    },
    thinnedFrom: kept.length < measured.length ? measured.length : null,
    sources,
  };
}

function chooseSources(given: readonly Metrics[]): Partial<Record<ImportedMeasure, string>> {
  const chosen = IMPORTED_MEASURES.flatMap(measure => {
    const name = SOURCES[measure].find(candidate => given.some(metrics => metrics[candidate] !== undefined));
    return name === undefined ? [] : [[measure, name] as const];
  });
  return Object.fromEntries(chosen);
}

/** Keeps the last step, those with an evaluation as far as they fit, and the others at equal distances. */
function thin<T>(all: readonly T[], isDear: (item: T) => boolean): readonly T[] {
  if (all.length <= MOST_IMPORTED_STEPS) return all;
  const dear = new Set(
    all.flatMap((item, index) => (isDear(item) || index === all.length - 1 ? [index] : [])),
  );
  const room = MOST_IMPORTED_STEPS - dear.size;
  if (room < 0) return all.filter((_, index) => index % Math.ceil(all.length / MOST_IMPORTED_STEPS) === 0);
  const others = all.length - dear.size;
  let passed = 0;
  return all.filter((_, index) => {
    if (dear.has(index)) return true;
    const isKept = Math.floor(((passed + 1) * room) / others) > Math.floor((passed * room) / others);
    passed++;
    return isKept;
  });
}
