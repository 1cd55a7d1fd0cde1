// svc jobs edit ID: renames a job, and changes its tags and other labels.
import { EDITABLE_FIELDS, fieldText, readField, shortId } from '../../../lib/console/index.js';
import { type Job, type JobPatch, jobPatch, orList } from '../../../lib/contract/index.js';
import { CommandError, type Input, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findJob } from '../project/find.js';
import { assertFits, LABEL_OPTIONS, textOption, textsOption } from '../project/option-values.js';
import { sessionCommand } from '../project/session-command.js';

export const run = sessionCommand(async input => {
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
  const [added, removed] = ['tag', 'untag'].map(option =>
    textsOption(input, option).map(tag => tag.trim()),
  ) as [string[], string[]];
  const typed = EDITABLE_FIELDS.flatMap(({ name, word, kind }) => {
    if (kind === 'tags') return [];
    const text = textOption(input, word);
    const isRemoved = input.values[`no-${word}`] === true;
    if (isRemoved && text !== undefined)
      throw new UsageError(`options "--${word}" and "--no-${word}" cannot be combined.`);
    return isRemoved || text !== undefined ? [[name, readField(kind, text ?? '')]] : [];
  });
  const patch: JobPatch = Object.fromEntries(typed);
  assertFits(jobPatch, { ...patch, tags: [...added, ...removed] }, { ...LABEL_OPTIONS, tags: 'a tag' });
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
  return [...new Set([...known.filter(tag => !removed.includes(tag)), ...added])];
}
