// svc jobs edit ID: renames a job, changes its tags, or gives it a note.
import { EDITABLE_FIELDS, readField, shortId } from '../../../lib/console/index.js';
import { type JobPatch, jobPatch } from '../../../lib/contract/index.js';
import { CommandError, type Input, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { assertFits, textOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async input => {
  const { positionals, session, answer } = input;
  const { added, removed, ...patch } = readChange(input);
  const { cloud, id } = await findJob(session, positionals[0]!);
  if (added.length > 0 || removed.length > 0)
    patch.tags = changeTags((await cloud.getJob(id)).job.tags, added, removed);
  const { job } = await cloud.updateJob(id, patch);
  answer({ job }, () => {
    const tags = job.tags.map(tag => ` #${toSafeLine(tag)}`).join('');
    return `${toSafeLine(job.name)} (${shortId(job.id)})${tags}${job.note ? `\n${toSafeLine(job.note)}` : ''}\n`;
  });
});

function readChange(input: Pick<Input, 'values'>): JobPatch & { added: string[]; removed: string[] } {
  const [added, removed] = ['tag', 'untag'].map(option =>
    ((input.values[option] as string[] | undefined) ?? []).map(tag => tag.trim()),
  ) as [string[], string[]];
  const typed = EDITABLE_FIELDS.flatMap(({ name, kind }) => {
    const text = textOption(input, name);
    const isRemoved = input.values[`no-${name}`] === true;
    if (isRemoved && text !== undefined)
      throw new UsageError(`options "--${name}" and "--no-${name}" cannot be combined.`);
    return isRemoved || text !== undefined ? [[name, readField(kind, text ?? '')]] : [];
  });
  const patch: JobPatch = Object.fromEntries(typed);
  const names = Object.fromEntries(EDITABLE_FIELDS.map(({ name }) => [name, `option "--${name}"`]));
  assertFits(jobPatch, { ...patch, tags: [...added, ...removed] }, { ...names, tags: 'a tag' });
  if (typed.length + added.length + removed.length === 0)
    throw new UsageError('say what to change, such as --name, --tag or --note.');
  return { ...patch, added, removed };
}

function changeTags(
  known: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const missing = removed.find(tag => !known.includes(tag));
  if (missing !== undefined) throw new CommandError(`The job has no tag "${missing}".`);
  return [...new Set([...known.filter(tag => !removed.includes(tag)), ...added])];
}
