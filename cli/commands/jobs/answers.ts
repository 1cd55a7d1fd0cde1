// svc jobs answers ID: the best and the worst answer to the prompts of a step, with their rewards. svc jobs samples ID: the answers
// of the base model, each checkpoint and the final adapter to the job's samples.
import {
  addSample,
  answersNote,
  answersStepLabel,
  noAnswersText,
  readSampleAnswer,
  type Samples,
  type ShownAnswer,
  type ShownGroup,
  type ShownSample,
  samplePrompts,
  sampleStepLabel,
  sampleSteps,
  samplesAt,
  shownGroups,
} from '../../../lib/console/index.js';
import type { Job, JobAnswers, SampleGenerated } from '../../../lib/contract/index.js';
import { CommandError } from '../../command.js';
import { type Style, toSafeLine, toSafeText } from '../../style.js';
import { findJob } from '../project/find.js';
import { countOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { readEventsSoFar } from '../training/event-log.js';

export const showAnswers = sessionCommand(async input => {
  const { positionals, session, screen, answer } = input;
  const step = countOption(input, 'step');
  const { cloud, id } = await findJob(session, positionals[0]!);
  const [found, { job }] = await Promise.all([cloud.listJobAnswers(id, { step }), cloud.getJob(id)]);
  if (step !== undefined && found.step !== step)
    throw new CommandError(found.step === null ? noAnswersText(job.config) : notKept(step, found));
  answer(found, () =>
    found.step === null ? `${noAnswersText(job.config)}\n` : renderAnswers(found, screen.style),
  );
});

function notKept(step: number, { steps }: JobAnswers): string {
  return `no answers are kept of step ${step}. There are answers of step ${steps.join(', ')}.`;
}

function renderAnswers(found: JobAnswers, style: Style): string {
  const head = `${style.bold(answersStepLabel(found))}  ${style.dim(answersNote(found))}\n`;
  return [head, ...shownGroups(found).map(group => renderGroup(group, style))].join('\n');
}

function renderGroup({ row, about, prompt, answers, problem }: ShownGroup, style: Style): string {
  return [
    `${style.bold(row)}  ${style.dim(about)}\n`,
    indented(prompt, '  ', style.dim),
    ...answers.map(answer => renderAnswer(answer, style)),
    ...(problem === null ? [] : [`  ${style.yellow(toSafeLine(problem))}\n`]),
  ].join('');
}

function renderAnswer({ kind, label, reward, parts, text, note }: ShownAnswer, style: Style): string {
  const paint = { best: style.green, worst: style.red, same: style.bold }[kind];
  const head = [paint(`${label} ${reward}`), ...(parts === '' ? [] : [style.dim(toSafeLine(parts))])];
  return [
    `  ${head.join('  ')}\n`,
    text.trim() === '' ? '' : indented(text, '    '),
    note === null ? '' : `    ${style.yellow(note)}\n`,
  ].join('');
}

function indented(text: string, indent: string, paint = (line: string) => line): string {
  return toSafeText(text)
    .split('\n')
    .map(line => `${indent}${paint(line)}`.trimEnd())
    .join('\n')
    .concat('\n');
}

export const showSamples = sessionCommand(async input => {
  const { positionals, session, screen, answer } = input;
  const step = countOption(input, 'step');
  const { cloud, id } = await findJob(session, positionals[0]!);
  const { job } = await cloud.getJob(id);
  const all: SampleGenerated[] = [];
  for await (const { event, data } of readEventsSoFar(cloud, job))
    if (event === 'sample.generated') all.push(JSON.parse(data) as SampleGenerated);
  const samples = toSamples(all);
  const steps = sampleSteps(samples);
  if (step !== undefined && !steps.includes(step)) throw noSuchStep(step, steps, job);
  const shown = step === undefined ? all : all.filter(each => each.step === step);
  answer({ samples: shown }, () => {
    if (steps.length === 0) return `${noneText(job)}\n`;
    return (step === undefined ? steps : [step])
      .map(each => renderStep(each, job, samples, screen.style))
      .join('\n');
  });
});

function toSamples(all: readonly SampleGenerated[]): Samples {
  return all.reduce<Samples>((samples, each) => {
    const answer = readSampleAnswer(each);
    return answer ? addSample(samples, answer) : samples;
  }, []);
}

function noSuchStep(step: number, steps: readonly number[], job: Job): Error {
  if (steps.length === 0) return new CommandError(noneText(job));
  return new CommandError(`no samples at step ${step}. There are samples at step ${steps.join(', ')}.`);
}

function noneText({ config }: Job): string {
  if (samplePrompts(config).length > 0) return 'No samples yet. They are answered at each checkpoint.';
  return 'This job has no samples. Add `samples: [{ messages: […] }]` to your trainer.';
}

function renderStep(step: number, { config, totalSteps }: Job, samples: Samples, style: Style): string {
  const rows = samplesAt(samples, samplePrompts(config), step).map(row => renderSample(row, style));
  return `${style.bold(sampleStepLabel(step, totalSteps))}\n${rows.join('')}`;
}

/** Text that changed since the previous step is bold. */
function renderSample({ prompt, answer, note }: ShownSample, { dim, bold, yellow }: Style): string {
  const paint = (isNew: boolean) => (isNew ? bold : (text: string) => text);
  const text = answer.map(run => paint(run.isNew)(toSafeLine(run.text))).join('');
  return `  ${dim(toSafeLine(prompt))}\n    ${[text, note && yellow(note)].filter(Boolean).join('  ')}\n`;
}
