// The answers of a step of a run that learns from rewards, shared by both faces and the command line: the best and the worst to a
// prompt, side by side.
import type { JobAnswers, JobConfig, StepAnswer, StepGroup } from '../../contract/index.js';
import { toSafeText } from '../safe-text.js';
import { padToWidth } from '../text/display-width.js';
import { formatCount, formatNumber, plural } from '../text/format.js';
import { fitText, paragraphRows, type Span, spansWidth, wrapWords } from '../text/spans.js';

export interface ShownAnswer {
  /** `best`, `worst`, or `same` if all answers got the same reward. */
  readonly kind: 'best' | 'worst' | 'same';
  readonly label: string;
  readonly reward: string;
  /** What the reward was computed from: `right 1, brief 0.5`; empty if it has no parts. */
  readonly parts: string;
  /** With the calls of functions. */
  readonly text: string;
  /** Shown in place of the text, or after it. */
  readonly note: string | null;
}

export interface ShownGroup {
  readonly row: string;
  /** How many answers there were, and their mean reward. */
  readonly about: string;
  readonly prompt: string;
  readonly answers: readonly ShownAnswer[];
  /** Why answers have no reward. */
  readonly problem: string | null;
}

export function learnsFromRewards(config: JobConfig | null | undefined): boolean {
  return (config?.method as { type?: unknown } | null | undefined)?.type === 'grpo';
}

export function shownGroups({ groups }: Pick<JobAnswers, 'groups'>): ShownGroup[] {
  return groups.map(group => {
    const { row, prompt, answers, failed, error, mean, best, worst } = group;
    return {
      row: `Row ${formatCount(row + 1)}`,
      about: [
        plural(answers, 'answer'),
        ...(mean === null ? [] : [`mean reward ${formatNumber(mean)}`]),
      ].join(', '),
      prompt,
      answers: [
        ...(best ? [toShown(worst ? 'best' : 'same', best, group)] : []),
        ...(worst ? [toShown('worst', worst, group)] : []),
      ],
      problem: failed === 0 ? null : `${formatCount(failed)} without a reward${error ? `: ${error}` : ''}`,
    };
  });
}

function toShown(kind: ShownAnswer['kind'], answer: StepAnswer, { answers, failed }: StepGroup): ShownAnswer {
  const { text, calls, cutFrom, reward, parts } = answer;
  const written = calls.map(call => `${call.name}(${call.arguments})`);
  const whole = [...(text.trim() === '' && written.length > 0 ? [] : [text]), ...written].join('\n');
  const rewarded = answers - failed;
  return {
    kind,
    label: kind === 'same' ? (rewarded === 1 ? 'Only one' : `All ${formatCount(rewarded)}`) : LABELS[kind],
    reward: formatNumber(reward),
    parts: Object.entries(parts)
      .map(([name, value]) => `${name} ${formatNumber(value)}`)
      .join(', '),
    text: whole,
    note: cutFrom === null ? (whole.trim() === '' ? 'Empty answer' : null) : cutNote(cutFrom),
  };
}

const LABELS = { best: 'Best', worst: 'Worst' } as const;

const cutNote = (characters: number) => `The beginning of ${plural(characters, 'character')}`;

/** What is shown of a step, and what is not. */
export function answersNote({
  groups,
  total,
  quiet,
}: Pick<JobAnswers, 'groups' | 'total' | 'quiet'>): string {
  const shown =
    groups.length < total
      ? `${formatCount(groups.length)} of ${plural(total, 'prompt')}, those whose rewards differ most`
      : plural(total, 'prompt');
  if (quiet === 0) return shown;
  if (quiet === total)
    return `${shown} · All answers to a prompt got the same reward, so this step taught nothing`;
  return `${shown} · All answers to ${formatCount(quiet)} of them got the same reward`;
}

export function answersStepLabel({ steps, step }: Pick<JobAnswers, 'steps' | 'step'>): string {
  return step === null
    ? ''
    : `Step ${formatCount(step)} (${steps.indexOf(step) + 1} of ${steps.length} kept)`;
}

/** Why there are none. */
export function noAnswersText(config: JobConfig | null | undefined): string {
  return learnsFromRewards(config)
    ? 'No answers yet: they are kept once a step is rewarded.'
    : 'This job does not learn from rewards, so it has no answers.';
}

/** The kept step to show for a step of the chart, as the cloud chooses it. Null if there are none. */
export function answersStepAt({ steps }: Pick<JobAnswers, 'steps'>, step: number): number | null {
  return steps.findLast(each => each <= step) ?? steps[0] ?? null;
}

/** The kept step before or after this one; null at the ends. */
export function neighborAnswers(
  { steps, step }: Pick<JobAnswers, 'steps' | 'step'>,
  direction: -1 | 1,
): number | null {
  return step === null ? null : (steps[steps.indexOf(step) + direction] ?? null);
}

const GAP = '  ';
/** Narrower screens show one answer below the other. */
const BESIDE_WIDTH = 64;
const MOST_PROMPT_ROWS = 6;
const TONES = { best: 'completed', worst: 'failed', same: undefined } as const;

/** A group as terminal rows. */
export function groupRows({ row, about, prompt, answers, problem }: ShownGroup, width: number): Span[][] {
  const dim = { dim: true };
  const isBeside = answers.length === 2 && width >= BESIDE_WIDTH;
  const half = isBeside ? Math.floor((width - GAP.length) / 2) : width;
  const columns = answers.map(answer => answerRows(answer, half));
  return [
    [
      { text: row, style: { bold: true } },
      { text: fitText(` · ${about}`, Math.max(0, width - row.length)).trimEnd(), style: dim },
    ],
    ...paragraphRows(prompt, width, MOST_PROMPT_ROWS).map(text => [{ text, style: dim }]),
    ...(isBeside ? beside(columns, half) : columns.flat()),
    ...(problem === null
      ? []
      : wrapWords([{ text: toSafeText(problem), style: { tone: 'warning' } }], width)),
  ];
}

function answerRows({ kind, label, reward, parts, text, note }: ShownAnswer, width: number): Span[][] {
  const head: Span[] = [
    { text: `${label} `, style: { tone: TONES[kind] } },
    { text: reward, style: { tone: TONES[kind], bold: true } },
    ...(parts === '' ? [] : [{ text: `  ${toSafeText(parts)}`, style: { dim: true } }]),
  ];
  const body = text.trim() === '' ? [] : paragraphRows(text, width).map(line => [{ text: line }]);
  return [
    ...wrapWords(head, width),
    ...body,
    ...(note === null ? [] : paragraphRows(note, width).map(text => [{ text, style: { dim: true } }])),
  ];
}

function beside([left = [], right = []]: readonly Span[][][], half: number): Span[][] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const row = left[at] ?? [];
    const rest = padToWidth('', half - spansWidth(row)) + GAP;
    return [...row, { text: rest }, ...(right[at] ?? [])];
  });
}
