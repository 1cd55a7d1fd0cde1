// svc jobs samples ID: the answers of the base model, each checkpoint and the final adapter to the job's
// samples.
import {
  addSample,
  readSampleAnswer,
  type Samples,
  type ShownSample,
  samplePrompts,
  sampleStepLabel,
  sampleSteps,
  samplesAt,
} from '../../../lib/console/index.js';
import type { Job, SampleGenerated } from '../../../lib/contract/index.js';
import { CommandError } from '../../command.js';
import { type Style, toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { countOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';
import { readEventsSoFar } from '../training/event-log.js';

export const run = sessionCommand(async input => {
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
