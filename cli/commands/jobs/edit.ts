// svc jobs edit ID: renames a job, changes its tags, or gives it a note.
import { shortId } from '../../../lib/console/index.js';
import { type JobPatch, jobPatch } from '../../../lib/contract/index.js';
import { CommandError, exitCode, type Input, UsageError } from '../../command.js';
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
  return exitCode.ok;
});

function readChange(input: Pick<Input, 'values'>): JobPatch & { added: string[]; removed: string[] } {
  const [name, note] = [textOption(input, 'name'), textOption(input, 'note')];
  const list = (option: string) => (input.values[option] as string[] | undefined) ?? [];
  const [added, removed] = [list('tag'), list('untag')].map(tags => tags.map(tag => tag.trim())) as [
    string[],
    string[],
  ];
  const unsets = input.values['no-note'] === true;
  if (unsets && note !== undefined)
    throw new UsageError('options "--note" and "--no-note" cannot be combined.');
  const patch = {
    ...(name !== undefined && { name }),
    ...(unsets ? { note: '' } : note !== undefined && { note }),
  };
  assertFits(jobPatch, { ...patch, tags: [...added, ...removed] }, NAMES);
  if (Object.keys(patch).length + added.length + removed.length === 0)
    throw new UsageError('say what to change, such as --name, --tag or --note.');
  return { ...patch, added, removed };
}

const NAMES = { name: 'option "--name"', note: 'option "--note"', tags: 'a tag' };

function changeTags(
  known: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const missing = removed.find(tag => !known.includes(tag));
  if (missing !== undefined) throw new CommandError(`The job has no tag "${missing}".`);
  return [...new Set([...known.filter(tag => !removed.includes(tag)), ...added])];
}
