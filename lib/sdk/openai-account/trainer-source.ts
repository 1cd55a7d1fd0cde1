// The source of a trainer with a job's data and settings. Texts that come from the account are quoted as JSON, or are comments
// on one line, so that none of them can be code.
import type { MappedJob, Mapping } from './map-job.js';
import { isFileId, toLabel, toWords } from './names.js';
import { type AccountJob, methodOf } from './shapes.js';

export interface TrainerData {
  /** Relative to the project, with forward slashes; null if the account no longer has the file. */
  training: string | null;
  validation: string | null;
  /** What a job for reinforcement was graded by. */
  grader: string | null;
  /** Where to put a file that is missing. */
  missing: string;
}

/** What a file says that was written for this job, so that it is recognized. */
export const markOf = ({ id }: Pick<AccountJob, 'id'>) => `// OpenAI fine-tuning job ${toLabel(id)}`;

/** The names to try for its file, without the ending. */
export function fileNamesFor(job: Pick<AccountJob, 'id'>, name: string): string[] {
  const own = toWords(job.id.replace(/^ft(job)?-/, ''), 40) || 'job';
  const words = toWords(name, 50);
  // This one is the project's entry.
  return words === '' || words === 'index' ? [`openai-${own}`] : [words, `${words}-${own}`];
}

export function trainerSource(job: AccountJob, mapped: MappedJob, data: TrainerData): string {
  return mapped.obstacle === null
    ? trainableSource(job, mapped, data)
    : untrainableSource(job, mapped.obstacle, data);
}

function trainableSource(
  job: AccountJob,
  mapped: MappedJob,
  { training, validation, grader, missing }: TrainerData,
): string {
  const { name, method, mappings } = mapped;
  const readsGrader = method === 'reinforcement' && grader !== null;
  const to = new Map(mappings.flatMap(({ to }) => (to ? [[to.option, to.value]] : [])));
  const plain = [...to].filter(([option]) => !option.includes('.'));
  const options = [
    `name: ${quote(name)},`,
    ...methodLines(method, to, grader),
    ...(training === null
      ? [`// Its training data is ${whyMissing(job.training_file)}: put your copy here.`]
      : []),
    `dataset: { type: 'file', path: ${quote(training ?? missing)} },`,
    ...(validation === null ? [] : [`evalDataset: { type: 'file', path: ${quote(validation)} },`]),
    ...plain.map(([option, value]) => `${option}: ${typeof value === 'number' ? value : quote(value)},`),
  ];
  return `${head(job, method)}
//
// How its settings were mapped:
${[...mappings, ...describeData(job, { training, validation })].map(mapping => `// - ${mappingText(mapping)}`).join('\n')}
${readsGrader ? "import { readFileSync } from 'node:fs';\n" : ''}import { createService, createTrainer } from 'svc';

const trainer = createTrainer({
${options.map(line => `  ${line}`).join('\n')}
});

export const service = createService({ trainer });
`;
}

type Values = ReadonlyMap<string, number | string>;

function methodLines(method: string, to: Values, grader: string | null): string[] {
  const given = (name: string) => (to.has(`method.${name}`) ? `, ${name}: ${to.get(`method.${name}`)}` : '');
  if (method === 'dpo') return [`method: { type: 'dpo'${given('beta')} },`];
  if (method !== 'reinforcement' || grader === null) return [];
  return [
    `method: { type: 'grpo'${given('group')}, reward: JSON.parse(readFileSync(${quote(grader)}, 'utf8')) },`,
  ];
}

function describeData(
  job: AccountJob,
  { training, validation }: Pick<TrainerData, 'training' | 'validation'>,
): Mapping[] {
  const describe = (what: string, id: string | null, path: string | null, option: string): Mapping[] => {
    if (id === null) return [];
    const from = `${what} ${toLabel(id)}`;
    if (path === null) return [{ from, to: null, note: whyMissing(id) }];
    return [{ from, to: { option, value: path } }];
  };
  return [
    ...describe('training_file', job.training_file, training, 'dataset'),
    ...describe('validation_file', job.validation_file, validation, 'evalDataset'),
  ];
}

function whyMissing(id: string | null): string {
  return id === null || isFileId(id) ? 'no longer in the account' : 'not a file of the account';
}

function untrainableSource(
  job: AccountJob,
  obstacle: string,
  { training, validation, grader }: TrainerData,
): string {
  const why = onOneLine(obstacle).replace(/\.$/, '');
  const kept = Object.entries({ 'training data': training, 'validation data': validation, grader }).flatMap(
    ([name, path]) => (path === null ? [] : [onOneLine(`// - ${name}: ${path}`)]),
  );
  return `${head(job, methodOf(job))}
//
// There is no trainer here: ${why}. What was kept of the job:
${kept.length === 0 ? '// - nothing; its files are not in the account' : kept.join('\n')}

throw new Error(${quote(`${why}. This file only says what was kept of the job.`)});
`;
}

function head(job: AccountJob, method: string): string {
  const model = job.fine_tuned_model === null ? '' : `, which made ${toLabel(job.fine_tuned_model)}`;
  return `${markOf(job)} (${toLabel(method)}, ${toLabel(job.status)}) of ${toLabel(job.model)}${model}.
// Written once by svc import openai, which never changes it again: edit it as you like.`;
}

/** `n_epochs 3 → epochs 3`. */
export function mappingText({ from, to, note }: Mapping): string {
  const target = to === null ? 'not mapped' : `${to.option} ${to.value}`;
  return onOneLine(`${from} → ${target}${note === undefined ? '' : `: ${note}`}`);
}

/** On one line, but not shortened. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** A string of TypeScript. */
function quote(text: string): string {
  const isPlain = /^[\w ./@-]*$/.test(text);
  return isPlain
    ? `'${text}'`
    : JSON.stringify(text).replace(/[\u2028\u2029]/g, at => (at === '\u2028' ? '\\u2028' : '\\u2029'));
}
