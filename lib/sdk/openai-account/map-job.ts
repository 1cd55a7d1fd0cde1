// A fine-tuning job's settings as a trainer's options: which became what, and what has no counterpart.
import {
  DPO_DEFAULTS,
  findFault,
  GRPO_DEFAULTS,
  type Grader,
  grader,
  TRAINING_DEFAULTS,
} from '../../contract/index.js';
import { findGraderFault } from '../../grading/index.js';
import { toLabel } from './names.js';
import { type AccountJob, graderOf, hyperparametersOf, methodOf } from './shapes.js';

export interface Mapping {
  /** OpenAI's name and value: `n_epochs 3`. */
  from: string;
  /** The trainer's option and its value; null if it has none. */
  to: { option: string; value: number | string } | null;
  /** Why this value, or why none. */
  note?: string;
}

export interface MappedJob {
  name: string;
  method: string;
  /** Why svc cannot train it; null if it can. */
  obstacle: string | null;
  mappings: Mapping[];
}

/** Rows that are longer are rare, and training on them takes memory that few machines have. */
const LONGEST_ROW = 4096;

/** `longestRow`: in characters, if the training file is here. */
export function mapJob(
  job: AccountJob,
  { longestRow = null }: { longestRow?: number | null } = {},
): MappedJob {
  const method = methodOf(job);
  const given = hyperparametersOf(job);
  const obstacle = findObstacle(job);
  return {
    name: nameOf(job),
    method,
    obstacle,
    mappings: obstacle
      ? []
      : [
          { from: `model ${job.model}`, to: null, note: 'svc trains the base model of its cloud' },
          ...mapNumber(given, 'n_epochs', 'epochs', value => (value > 0 ? value : null)),
          ...mapNumber(given, 'batch_size', 'batchSize', value => (isCount(value) ? value : null)),
          ...mapRate(given),
          ...(method === 'dpo'
            ? mapNumber(given, 'beta', 'method.beta', value => (value > 0 ? value : null))
            : []),
          ...(method === 'reinforcement' ? mapReinforcement(job) : []),
          ...mapSeed(job),
          ...mapLength(longestRow),
          ...(job.integrations && job.integrations.length > 0
            ? [{ from: 'integrations', to: null, note: 'svc sends nothing to other services' }]
            : []),
        ],
  };
}

const DEFAULTS: Readonly<Record<string, number>> = {
  epochs: TRAINING_DEFAULTS.numTrainEpochs,
  batchSize: TRAINING_DEFAULTS.batchSize,
  learningRate: TRAINING_DEFAULTS.learningRate,
  'method.beta': DPO_DEFAULTS.beta,
  'method.group': GRPO_DEFAULTS.group,
};

type Given = Readonly<Record<string, unknown>>;

function mapNumber(
  given: Given,
  name: string,
  option: string,
  read: (value: number) => number | null,
): Mapping[] {
  const value = given[name] ?? null;
  if (value === null) return [];
  const from = `${name} ${toLabel(String(value)).slice(0, 40)}`;
  const read1 = typeof value === 'number' && Number.isFinite(value) ? read(value) : null;
  if (read1 !== null) return [{ from, to: { option, value: read1 } }];
  const why = value === 'auto' ? 'chosen by OpenAI' : 'not a value that svc has';
  return [{ from, to: null, note: `${why}; svc's default is ${DEFAULTS[option]}` }];
}

function mapRate(given: Given): Mapping[] {
  const base = TRAINING_DEFAULTS.learningRate;
  const scaled = mapNumber(given, 'learning_rate_multiplier', 'learningRate', value =>
    value > 0 ? Number((base * value).toPrecision(6)) : null,
  );
  return scaled.map(mapping =>
    mapping.to
      ? { ...mapping, note: `OpenAI does not say of which rate; here it multiplies svc's default, ${base}` }
      : mapping,
  );
}

function findObstacle(job: AccountJob): string | null {
  const method = methodOf(job);
  if (method === 'supervised' || method === 'dpo') return null;
  if (method !== 'reinforcement') return `svc cannot train by the method ${toLabel(method)}`;
  const problem = findGraderProblem(graderOf(job));
  return problem && `svc cannot train with its grader: ${problem}`;
}

const LARGEST_GROUP = 64;

function mapReinforcement(job: AccountJob): Mapping[] {
  const given = hyperparametersOf(job);
  const toGroup = (factor: number) => {
    const group = Math.round(GRPO_DEFAULTS.group * factor);
    return group >= 2 && group <= LARGEST_GROUP ? group : null;
  };
  const asksModel = /"type": ?"(score|label)_model"/.test(JSON.stringify(graderOf(job)));
  return [
    ...mapNumber(given, 'compute_multiplier', 'method.group', toGroup),
    ...mapNumber(given, 'eval_interval', 'evalSteps', value => (isCount(value) ? value : null)),
    ...(given.reasoning_effort == null
      ? []
      : [
          {
            from: `reasoning_effort ${toLabel(String(given.reasoning_effort))}`,
            to: null,
            note: 'models of svc have none',
          },
        ]),
    ...(asksModel
      ? [
          {
            from: 'models of the grader',
            to: null,
            note: 'svc asks models of this project: name one of them in grader.json',
          },
        ]
      : []),
  ];
}

const LARGEST_SEED = 0xffffffff;

function mapSeed({ seed }: AccountJob): Mapping[] {
  if (seed === null) return [];
  if (Number.isSafeInteger(seed) && seed >= 0 && seed <= LARGEST_SEED)
    return [
      {
        from: `seed ${seed}`,
        to: { option: 'seed', value: seed },
        note: 'another program draws other numbers from it',
      },
    ];
  return [
    {
      from: `seed ${seed}`,
      to: null,
      note: `outside of svc's seeds; its default is ${TRAINING_DEFAULTS.seed}`,
    },
  ];
}

const CHARACTERS_PER_TOKEN = 3;

/** OpenAI has no such setting, and svc would cut off rows that are longer than its default. */
function mapLength(longestRow: number | null): Mapping[] {
  if (longestRow === null) return [];
  const tokens = Math.ceil(longestRow / CHARACTERS_PER_TOKEN);
  if (tokens <= TRAINING_DEFAULTS.maxLength) return [];
  const value = Math.min(LONGEST_ROW, 2 ** Math.ceil(Math.log2(tokens)));
  const cut = tokens > value ? '; what is longer is cut off' : '';
  return [
    {
      from: `longest row about ${tokens} tokens`,
      to: { option: 'maxLength', value },
      note: `svc's default is ${TRAINING_DEFAULTS.maxLength}${cut}`,
    },
  ];
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;

/** The suffix, which is part of the fine-tuned model's name, too: `ft:gpt-4.1-mini:acme:triage:abc`. */
export function suffixOf({ user_provided_suffix: own, fine_tuned_model: model }: AccountJob): string | null {
  const parts = model?.split(':') ?? [];
  const found = own ?? (parts[0] === 'ft' && parts.length >= 5 ? parts[3]! : null);
  return (found && toLabel(found)) || null;
}

function nameOf(job: AccountJob): string {
  return suffixOf(job) ?? (toLabel(`${job.model} ${job.id.slice(-8)}`) || 'imported job');
}

/** The settings of the imported job: under svc's names where it has them, so that runs can be compared. */
export function toSettings(
  job: AccountJob,
  { mappings, method }: MappedJob,
): Record<string, string | number> {
  const fields: Readonly<Record<string, string>> = { epochs: 'numTrainEpochs' };
  const mapped = mappings.flatMap(({ to }) =>
    to && to.option !== 'maxLength' && !to.option.includes('.')
      ? [[fields[to.option] ?? to.option, to.value]]
      : [],
  );
  const { learningRate: _, ...settings } = Object.fromEntries(mapped) as Record<string, string | number>;
  const others = Object.entries(hyperparametersOf(job)).flatMap(([name, value]) => {
    if (name === 'n_epochs' || name === 'batch_size' || !/^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(name)) return [];
    const isPlain = (typeof value === 'number' && Number.isFinite(value)) || typeof value === 'string';
    return isPlain ? [[name, typeof value === 'string' ? toLabel(value) : value]] : [];
  });
  return {
    ...settings,
    ...Object.fromEntries(others.slice(0, 20)),
    trainingMethod: toLabel(method),
    ...(job.trained_tokens !== null && { trainedTokens: job.trained_tokens }),
  };
}

/** Null if it can give rewards here. */
function findGraderProblem(given: unknown): string | null {
  if (given === null) return 'it has none.';
  return findFault(grader, given, 'It') ?? findGraderFault(given as Grader)?.message ?? null;
}
