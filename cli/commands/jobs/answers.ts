// svc jobs answers ID: the best and the worst answer to the prompts of a step, with their rewards.
import {
  answersNote,
  answersStepLabel,
  noAnswersText,
  type ShownAnswer,
  type ShownGroup,
  shownGroups,
} from '../../../lib/console/index.js';
import type { JobAnswers } from '../../../lib/contract/index.js';
import { CommandError } from '../../command.js';
import { type Style, toSafeLine, toSafeText } from '../../style.js';
import { findJob } from '../project/find.js';
import { countOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async input => {
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
