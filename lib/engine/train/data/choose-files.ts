// Finds the files of a split and subset in a Hub repository, only by the usual names of their paths. Does not read the
// repository's card.
import { dataExtension } from './file-format.js';

/** A data file: `data/en/train-00000-of-00002.parquet` belongs to subset `en` and split `train`. */
interface Candidate {
  readonly path: string;
  readonly subset: string;
  readonly split: string;
  /** Its name without extensions. */
  readonly stem: string;
  /** The standard split that its name stands for, if any. */
  readonly usual: string | undefined;
}

export type Choice = { readonly paths: string[] } | { readonly problem: string };

const splitWords: Record<string, readonly string[]> = {
  train: ['train', 'training'],
  validation: ['validation', 'valid', 'val', 'dev'],
  test: ['test', 'testing', 'eval', 'evaluation'],
};

const notData =
  /(^|\/)(\.[^/]*|_[^/]*|dataset_infos?\.json|dataset_dict\.json|state\.json|package(-lock)?\.json)(\/|$)/;
const formats = ['.parquet', '.jsonl', '.ndjson', '.json', '.csv', '.tsv'];

/** The paths of the split, `train` by default, in order; or why there is no clear choice. */
export function chooseFiles(paths: readonly string[], split?: string, subset?: string): Choice {
  const all = paths.filter(path => dataExtension(path) && !notData.test(path)).map(toCandidate);
  if (all.length === 0) return { problem: `it has no data files (${formats.join(', ')})` };
  const ofSubset = subset === undefined ? all : all.filter(candidate => isSubset(candidate, subset));
  if (ofSubset.length === 0)
    return { problem: `it has no subset ${JSON.stringify(subset)}; ${list('subset', all)}` };
  const matching = matchSplit(ofSubset, split);
  if (matching.length === 0)
    return { problem: `it has no split ${JSON.stringify(split ?? 'train')}; ${list('split', ofSubset)}` };
  const chosen = withDefaultSubset(matching);
  for (const kind of ['subset', 'split'] as const) {
    if (new Set(chosen.map(candidate => candidate[kind])).size > 1)
      return { problem: `choose a ${kind}; ${list(kind, chosen)}` };
  }
  return { paths: inOrder(inOneFormat(chosen.map(({ path }) => path))) };
}

/** Files with exactly this name; otherwise those of the standard split; or all, if no file is named after a split. */
function matchSplit(candidates: Candidate[], split: string | undefined): Candidate[] {
  const wanted = split ?? 'train';
  const exact = candidates.filter(({ split: own, stem }) => own === wanted || stem === wanted);
  if (exact.length > 0) return exact;
  const usual = candidates.filter(candidate => candidate.usual && candidate.usual === usualSplit(wanted));
  if (usual.length > 0) return usual;
  const isPlain = candidates.every(candidate => candidate.usual === undefined);
  return isPlain && wanted === 'train' ? candidates : [];
}

function withDefaultSubset(candidates: Candidate[]): Candidate[] {
  const own = candidates.filter(({ subset }) => subset === 'default');
  return own.length > 0 ? own : candidates;
}

/** The same rows often exist in several formats; takes the first of our list. */
function inOneFormat(paths: string[]): string[] {
  const best = formats.find(format => paths.some(path => dataExtension(path) === format));
  return paths.filter(path => dataExtension(path) === best);
}

function isSubset({ subset }: Candidate, wanted: string): boolean {
  return subset === wanted || subset.endsWith(`/${wanted}`);
}

const shard = /(^|[-_.])\d+([-_]of[-_]\d+)?(-[0-9a-f]{16,})?$/;

function toCandidate(path: string): Candidate {
  const folders = path.split('/');
  const stem = folders
    .pop()!
    .replace(/\.gz$/i, '')
    .replace(/\.[^.]+$/, '');
  const name = stem.replace(shard, '');
  const folder = usualSplit(name) ? -1 : folders.findLastIndex(part => usualSplit(part) !== undefined);
  const split = folder === -1 ? name || folders.at(-1) || stem : folders[folder]!;
  const above = folders.filter((part, index) => index !== folder && !(index === 0 && part === 'data'));
  return { path, stem, split, usual: usualSplit(split), subset: above.join('/') || 'default' };
}

function usualSplit(name: string): string | undefined {
  const words = name.toLowerCase().split(/[-_. ]|\d+/);
  const found = Object.entries(splitWords).find(([, own]) => own.some(word => words.includes(word)));
  return found?.[0];
}

function list(kind: 'subset' | 'split', candidates: Candidate[]): string {
  const names = inOrder([...new Set(candidates.map(candidate => candidate[kind]))]);
  const shown = names.slice(0, 30).concat(names.length > 30 ? ['…'] : []);
  return `available: ${shown.join(', ')}`;
}

/** Its collator is made here and not at the start of each program, where it would take 7 ms. */
function inOrder(names: readonly string[]): string[] {
  return names.toSorted(new Intl.Collator('en', { numeric: true }).compare);
}
