// The jobs of an account, and what was imported of them, as text.
import { formatBytes, formatCount, plural, shortId } from '../../../lib/console/index.js';
import {
  type AccountJob,
  inProject,
  type MovedFile,
  type MovedJob,
  mappingText,
  methodOf,
  suffixOf,
} from '../../../lib/sdk/openai-account/index.js';
import type { Context } from '../../command.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { type Column, type Fact, renderFacts, renderTable, timeText } from '../terminal/table.js';
import type { AskedAnswers } from './old-answers.js';

export function renderJobs(jobs: readonly AccountJob[], screen: Screen): string {
  const columns: Column<AccountJob>[] = [
    { title: 'Job', text: ({ id }) => toSafeLine(id), least: 12 },
    { title: 'Name', text: job => toSafeLine(suffixOf(job) ?? '–'), least: 6 },
    { title: 'Model', text: ({ model }) => toSafeLine(model), least: 8, spare: true },
    { title: 'Method', text: job => toSafeLine(methodOf(job)) },
    { title: 'Status', text: ({ status }) => toSafeLine(status) },
    {
      title: 'Created',
      text: ({ created_at }) => timeText(new Date(created_at * 1000).toISOString(), screen),
      spare: true,
    },
  ];
  return renderTable(columns, jobs, screen);
}

interface Rendered {
  account: string;
  jobs: readonly AccountJob[];
  moved: readonly (MovedJob & { id: string })[];
  answers: readonly AskedAnswers[];
}

export function renderMoved(
  { account, jobs, moved, answers }: Rendered,
  { io, screen, svc }: Pick<Context, 'io' | 'screen' | 'svc'>,
): string {
  if (jobs.length === 0) return `No fine-tuning jobs to import on ${account}.\n`;
  const parts = moved.map(job => {
    const source = jobs.find(({ id }) => id === job.id)!;
    const asked = answers.find(({ id }) => id === job.id);
    const facts = renderFacts(factsOf(source, job, io.cwd, asked), screen.style);
    const mappings = job.trainer?.state === 'written' ? job.mappings : [];
    const lines = mappings.map(mapping => `    ${toSafeLine(mappingText(mapping))}\n`);
    return `${screen.style.bold(toSafeLine(job.name))}\n${facts}${lines.join('')}`;
  });
  const first = moved.find(
    ({ trainer, mappings }) => trainer && trainer.state !== 'taken' && mappings.length > 0,
  );
  const next = first ? [`To train one again, run: ${svc} start ${first.trainer!.path}\n`] : [];
  const isNew = moved.filter(job => job.isNew).length;
  const count = `${plural(isNew, 'job')} imported from ${account}, ${formatCount(moved.length - isNew)} here before.\n`;
  return [...parts, count + next.join('')].join('\n');
}

function factsOf(
  source: AccountJob,
  job: MovedJob,
  project: string,
  answers: AskedAnswers | undefined,
): Fact[] {
  const { trainer, grader, steps, thinnedFrom, sources, events } = job;
  const model = source.fine_tuned_model === null ? '' : `, ${source.fine_tuned_model}`;
  const from = Object.entries(sources).map(([measure, name]) => `${measure} from ${name}`);
  const thinned = thinnedFrom === null ? '' : ` of ${formatCount(thinnedFrom)}`;
  return [
    ['OpenAI job', toSafeLine(`${source.id}, ${job.method}, ${source.status}`)],
    ['Model', toSafeLine(`${source.model}${model}`)],
    ['Job', `${shortId(job.jobId)}${job.isNew ? '' : ' (here before)'}`],
    ...job.files.map((moved): Fact => [FILE_LABELS[moved.role], toSafeLine(fileText(moved, project))]),
    ['Events', formatCount(events)],
    ['Steps', steps === 0 ? 'none recorded' : `${formatCount(steps)}${thinned}: ${from.join(', ')}`],
    ['Grader', grader],
    ['Answers', answers ? `${answersText(answers)}, ${answers.path}` : null],
    ['Trainer', trainer ? trainerText(trainer) : null],
  ];
}

const FILE_LABELS = { training: 'Training', validation: 'Validation', results: 'Results' } as const;

function fileText({ file, rows }: MovedFile, project: string): string {
  switch (file.state) {
    case 'elsewhere':
      return `${file.id}: not a file of the account`;
    case 'deleted':
      return `${file.id}: deleted from the account`;
    case 'refused':
      return `${file.id}: the account does not give it out. ${file.why}`;
  }
  const path = inProject(project, file.path);
  if (file.state === 'changed')
    return `${path}: changed since it was downloaded, and left so. Delete it to download it again.`;
  const size = rows === undefined ? formatBytes(file.note.bytes) : plural(rows, 'row');
  return `${path}, ${size}${STATES[file.state]}`;
}

const STATES = { downloaded: '', here: ' (here before)', same: ' (the same bytes as another file)' } as const;

function trainerText({ path, state }: NonNullable<MovedJob['trainer']>): string {
  if (state === 'taken') return `not written: ${path} and its like are other files`;
  return state === 'kept' ? `${path} (here before, left as it is)` : path;
}

function answersText({ rows, asked, skipped }: AskedAnswers): string {
  const before = rows - asked;
  const known = before === 0 ? '' : `, ${formatCount(before)} of them here before`;
  const left = skipped === 0 ? '' : `, ${plural(skipped, 'row')} without a question left out`;
  return `${plural(rows, 'row')}${known}${left}`;
}
