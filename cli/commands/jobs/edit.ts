// svc jobs edit, cancel and delete.
import { EDITABLE_FIELDS, fieldText, plural, readField, shortId } from '../../../lib/console/index.js';
import {
  isFinalStatus,
  JOB_FIELDS,
  type Job,
  type JobPatch,
  jobPatch,
  orList,
} from '../../../lib/contract/index.js';
import { CommandError, type Input, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findGroup, findJob } from '../project/find.js';
import {
  assertFits,
  groupOption,
  LABEL_OPTIONS,
  textOption,
  textsOption,
  valuesOption,
} from '../project/option-values.js';
import { requireProjectClient } from '../project/project-client.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { agree } from '../terminal/ask.js';

export const edit = sessionCommand(async input => {
  const { positionals, session, answer } = input;
  const { added, removed, ...patch } = readChange(input);
  const { cloud, id } = await findJob(session, positionals[0]!);
  if (added.length > 0 || removed.length > 0)
    patch.tags = changeTags((await cloud.getJob(id)).job.tags, added, removed);
  const { job } = await cloud.updateJob(id, patch);
  answer({ job }, () => renderLabels(job));
});

/** The note is a text of its own; other values follow their labels. */
function renderLabels(job: Job): string {
  const tags = job.tags.map(tag => ` #${tag}`).join('');
  const others = EDITABLE_FIELDS.flatMap(({ name, kind, label, edit }) => {
    const text = name === 'name' || kind === 'tags' ? null : fieldText(job, name);
    return text === null ? [] : edit.isLong ? text : `${label}: ${text}`;
  });
  return [`${job.name} (${shortId(job.id)})${tags}`, ...others].map(line => `${toSafeLine(line)}\n`).join('');
}

function readChange(input: Pick<Input, 'values'>): JobPatch & { added: string[]; removed: string[] } {
  const added = textsOption(input, 'tag').map(tag => tag.trim());
  const removed = valuesOption(input, 'untag', JOB_FIELDS.tags.edit.longest);
  const typed = EDITABLE_FIELDS.flatMap(({ name, word, kind }) => {
    if (kind === 'tags') return [];
    const text = textOption(input, word);
    const isRemoved = input.values[`no-${word}`] === true;
    if (isRemoved && text !== undefined)
      throw new UsageError(`options "--${word}" and "--no-${word}" cannot be combined.`);
    return isRemoved || text !== undefined ? [[name, readField(kind, text ?? '')]] : [];
  });
  const patch: JobPatch = Object.fromEntries(typed);
  assertFits(jobPatch, { ...patch, tags: added }, { ...LABEL_OPTIONS, tags: 'a tag' });
  if (typed.length + added.length + removed.length === 0)
    throw new UsageError(
      `say what to change, such as ${orList(EDITABLE_FIELDS.map(({ word }) => `--${word}`))}.`,
    );
  return { ...patch, added, removed };
}

function changeTags(
  known: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const missing = removed.find(tag => !known.includes(tag));
  if (missing !== undefined) throw new CommandError(`The job has no tag "${missing}".`);
  const kept = known.filter(tag => !removed.includes(tag));
  const old = kept.find(tag => tag.includes(','));
  if (old !== undefined)
    throw new CommandError(`Tags can no longer contain commas. Remove this one, too: --untag "${old}".`);
  return [...new Set([...kept, ...added])];
}

/** Cancels a queued or running job, or with --group the runs of a sweep; finished ones are left unchanged. */
export const cancel = sessionCommand(async input => {
  const [typed] = input.positionals;
  const group = groupOption(input);
  if ((typed === undefined) === (group === null))
    throw new UsageError('name either a job or, with "--group", a sweep.');
  await (group === null ? cancelOne(input, typed!) : cancelAll(input, group));
});

async function cancelOne({ session, answer }: SessionContext, typed: string): Promise<void> {
  const { cloud, id } = await findJob(session, typed);
  const { job } = await cloud.cancelJob(id);
  answer({ job }, () => {
    const name = `${toSafeLine(job.name)} (${shortId(job.id)})`;
    return job.status === 'cancelled'
      ? `${name} is canceled.\n`
      : `${name} is ${job.status}; nothing was changed.\n`;
  });
}

/** Cancels queued jobs first, so that none of them starts when a running one ends. */
async function cancelAll({ session, answer }: SessionContext, typed: string): Promise<void> {
  const cloud = await requireProjectClient(session, 'jobs');
  const all = (await cloud.listJobs()).jobs;
  const id = findGroup(typed, all);
  const open = all.filter(({ group, status }) => group?.id === id && !isFinalStatus(status));
  const jobs: Job[] = [];
  for (const { id: jobId } of open.sort(
    (a, b) => Number(a.status === 'running') - Number(b.status === 'running'),
  ))
    jobs.push((await cloud.cancelJob(jobId)).job);
  answer({ jobs }, () =>
    jobs.length === 0
      ? `Every run of the sweep ${shortId(id)} has ended; nothing was changed.\n`
      : `Canceled ${plural(jobs.length, 'run')} of the sweep ${shortId(id)}.\n`,
  );
}

/** A finished job and its adapters, unless an endpoint uses or follows it. */
export const deleteJob = sessionCommand(async ({ session, answer, io, ...input }) => {
  const { cloud, id } = await findJob(session, input.positionals[0]!);
  const { name } = (await cloud.getJob(id)).job;
  await agree(`Delete ${name} (${shortId(id)}) and its adapters?`, input, io);
  const { job } = await cloud.deleteJob(id);
  answer({ job }, () => `Deleted ${toSafeLine(job.name)} (${shortId(job.id)}) and its adapters.\n`);
});
