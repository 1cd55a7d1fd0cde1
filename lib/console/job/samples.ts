// The answers of a job's adapters to its samples at each step, and what changed between steps.

import { textOfContent } from '../../contract/index.js';
import { toSafeText } from '../safe-text.js';
import { formatCount } from '../text/format.js';
import { type Span, wrapWords } from '../text/spans.js';

export interface SampleAnswer {
  readonly step: number;
  /** The index of its conversation in the job's samples. */
  readonly sample: number;
  /** Null if answering failed. */
  readonly answer: string | null;
  readonly isCut: boolean;
  readonly error: string | null;
}

/** For each sample, its answers by step. */
export type Samples = readonly (readonly SampleAnswer[])[];

/** One sample at one step, as shown. */
export interface ShownSample {
  readonly sample: number;
  /** The last user message, on one line; empty if unknown. */
  readonly prompt: string;
  /** Null if there is no answer yet. */
  readonly step: number | null;
  readonly answer: readonly WordRun[];
  /** Shown in place of the answer, or after it. */
  readonly note: string | null;
}

/** Null for a malformed payload. */
export function readSampleAnswer(payload: Readonly<Record<string, unknown>>): SampleAnswer | null {
  const { step, sample, answer, finishReason, error } = payload;
  if (!isCount(step) || !isCount(sample)) return null;
  return {
    step,
    sample,
    answer: typeof answer === 'string' ? answer : null,
    isCut: finishReason === 'length',
    error: typeof error === 'string' ? error : null,
  };
}

const LINE = 120;
/** The maximum length of a question in a scrolling view. */
export const MOST_PROMPT = 1000;

/** The log message. */
export function sampleMessage({ step, sample, answer, error }: SampleAnswer): string {
  const text = answer === null ? (error ?? 'no answer') : JSON.stringify(toLine(answer));
  return `step=${step} sample=${sample + 1} ${text}`;
}

export function addSample(samples: Samples, answer: SampleAnswer): Samples {
  const all = [...samples];
  while (all.length <= answer.sample) all.push([]);
  const others = all[answer.sample]!.filter(({ step }) => step !== answer.step);
  all[answer.sample] = [...others, answer].sort((a, b) => a.step - b.step);
  return all;
}

/** The steps that have answers, in order. */
export function sampleSteps(samples: Samples): number[] {
  const steps = new Set(samples.flatMap(answers => answers.map(({ step }) => step)));
  return [...steps].sort((a, b) => a - b);
}

/**
 * The step with answers to show for a step of the chart: the last one at or before it, or else the first.
 * Null if there are none.
 */
export function sampleStepAt(samples: Samples, step: number): number | null {
  const steps = sampleSteps(samples);
  return steps.findLast(each => each <= step) ?? steps[0] ?? null;
}

/** The step with answers before or after this one; null at the ends. */
export function neighborSample(samples: Samples, step: number, direction: -1 | 1): number | null {
  const steps = sampleSteps(samples);
  return steps[steps.indexOf(step) + direction] ?? null;
}

/** Each sample's answer at a step, with the changes since the previous answer. */
export function samplesAt(samples: Samples, prompts: readonly string[], step: number): ShownSample[] {
  const count = Math.max(samples.length, prompts.length);
  return Array.from({ length: count }, (_, sample) => {
    const answers = samples[sample] ?? [];
    const at = answers.findIndex(answer => answer.step === step);
    const prompt = prompts[sample] ?? '';
    const found = answers[at];
    if (!found) return { sample, prompt, step: null, answer: [], note: 'Not answered yet' };
    const before = answers.slice(0, at).findLast(({ answer }) => answer !== null);
    return { sample, prompt, step, answer: changesOf(found, before), note: noteOf(found) };
  });
}

/** Whether any answer contains new text. */
export function hasChanges(shown: readonly ShownSample[]): boolean {
  return shown.some(({ answer }) => answer.some(({ isNew }) => isNew));
}

function changesOf({ answer }: SampleAnswer, before: SampleAnswer | undefined): WordRun[] {
  if (answer === null || answer === '') return [];
  if (!before) return [{ text: answer, isNew: false }];
  return wordChanges(before.answer ?? '', answer);
}

function noteOf({ answer, isCut, error }: SampleAnswer): string | null {
  if (answer === null) return error ?? 'No answer';
  if (isCut) return 'Cut at its token limit';
  return answer === '' ? 'Empty answer' : null;
}

/** `step 0` is the base model. */
export function sampleStepLabel(step: number, totalSteps: number | null): string {
  if (step === 0) return 'Base model';
  return step === totalSteps ? `Final, step ${formatCount(step)}` : `Step ${formatCount(step)}`;
}

/** The last user message of each sample in a job's config, on one line and cut to this length. */
export function samplePrompts(
  config: Readonly<Record<string, unknown>> | null | undefined,
  limit = LINE,
): string[] {
  const samples = Array.isArray(config?.samples) ? config.samples : [];
  return samples.map(sample => {
    const messages: unknown = (sample as { messages?: unknown } | null)?.messages;
    const last = Array.isArray(messages) ? messages.findLast(({ role }) => role === 'user') : undefined;
    return toLine(textOfContent((last as { content?: unknown } | undefined)?.content) ?? '', limit);
  });
}

function toLine(text: string, limit = LINE): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

const INDENT = '  ';

/**
 * A sample as terminal rows: the question is dim, and text that changed since the previous answer is bold.
 */
export function answerRows({ prompt, answer, note }: ShownSample, width: number): Span[][] {
  const texts = answer.map(({ text, isNew }): Span => ({ text: toSafeText(text), style: { bold: isNew } }));
  const noted = note === null ? [] : [{ text: texts.length > 0 ? `  ${note}` : note, style: { dim: true } }];
  const answered = wrapWords([...texts, ...noted], Math.max(1, width - INDENT.length));
  return [
    ...wrapWords([{ text: toSafeText(prompt), style: { dim: true } }], width),
    ...answered.map(row => [{ text: INDENT }, ...row]),
  ];
}

interface WordRun {
  readonly text: string;
  /** Whether the run is absent from the earlier text. */
  readonly isNew: boolean;
}

/** Beyond this many comparisons, everything counts as new. */
const MOST_CELLS = 1_000_000;

/**
 * The word-by-word changes between two texts: the later text as runs, including spaces. Joined, they equal
 * the later text. @internal
 */
export function wordChanges(before: string, after: string): WordRun[] {
  const [old, now] = [toWords(before), toWords(after)];
  if (old.length * now.length > MOST_CELLS) return [{ text: after, isNew: before !== after }];
  return toRuns(now, commonWords(old, now));
}

/** Words, runs of spaces, and punctuation. */
function toWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The indexes in `now` of a longest common subsequence. */
function commonWords(old: readonly string[], now: readonly string[]): Set<number> {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const common = new Set<number>();
  for (let i = 0, j = 0; i < old.length && j < now.length; ) {
    if (old[i] === now[j]) {
      common.add(j++);
      i++;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return common;
}

function toRuns(words: readonly string[], common: ReadonlySet<number>): WordRun[] {
  const runs: { text: string; isNew: boolean }[] = [];
  words.forEach((word, i) => {
    const isNew = !common.has(i);
    const last = runs.at(-1);
    if (last?.isNew === isNew) last.text += word;
    else runs.push({ text: word, isNew });
  });
  return runs;
}
