// What the model said at a checkpoint, in the place of the event log: what changed since the one before is bold.
import {
  neighborSample,
  type RowSource,
  type ShownSample,
  samplePrompts,
  sampleStepAt,
  sampleStepLabel,
  sampleSteps,
  samplesAt,
} from '../../../../lib/console/index.js';
import { type Line, line, quiet, span } from '../../drawing/line.js';
import { wrapWords } from '../../drawing/wrap-spans.js';
import type { JobPageState } from './state.js';

const INDENT = 2;

/** The step whose answers are shown: the chosen one, or the latest. Null if nothing was answered yet. */
export function sampleStep({ job, sampleStep: chosen }: JobPageState): number | null {
  return sampleStepAt(job.samples, chosen ?? Number.POSITIVE_INFINITY);
}

/** The step of the answers before or after those shown. */
export function nextSampleStep(state: JobPageState, direction: -1 | 1): number | null {
  const step = sampleStep(state);
  return step === null ? null : neighborSample(state.job.samples, step, direction);
}

export function sampleTitle(state: JobPageState): string {
  const step = sampleStep(state);
  if (step === null) return 'Samples';
  const steps = sampleSteps(state.job.samples);
  const place = `${steps.indexOf(step) + 1} of ${steps.length}`;
  return `Samples: ${sampleStepLabel(step, state.job.totalSteps)} (${place})`;
}

export function sampleLines(state: JobPageState, width: number): Line[] {
  const step = sampleStep(state);
  if (step === null) return [];
  const prompts = samplePrompts(state.job.polled?.config);
  return samplesAt(state.job.samples, prompts, step).flatMap(sample => toLines(sample, width));
}

function toLines({ prompt, answer, note }: ShownSample, width: number): Line[] {
  const texts = answer.map(({ text, isNew }) => ({ text, style: { bold: isNew } }));
  const noted = note === null ? [] : [{ text: texts.length > 0 ? `  ${note}` : note, style: quiet }];
  const wrapped = wrapWords([...texts, ...noted], Math.max(1, width - INDENT));
  return [line(prompt, quiet), ...wrapped.map(part => [span(' '.repeat(INDENT)), ...part])];
}

export function sampleSource(state: JobPageState, width: number): RowSource {
  return { first: 0, end: sampleLines(state, width).length, rowsOf: () => 1 };
}
