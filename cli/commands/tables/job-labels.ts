// The options that follow from the table of job fields: of commands that start a run, edit a job, or list jobs.
import { type JobField, jobFieldsWith } from '../../../lib/contract/index.js';
import type { OptionTable } from '../../command.js';
import { flag, text, texts } from '../../options.js';

/** `svc start --name` has a default, which its own line tells. */
export const runLabelOptions = optionsFrom(
  jobFieldsWith('edit').filter(({ name }) => name !== 'name'),
  ({ word, kind, label, edit }) => {
    const noun = label.toLowerCase();
    if (kind === 'tags') return { [word]: texts('TEXT', 'Tag the run; repeatable') };
    return { [word]: text('TEXT', edit.isLong ? `Add a ${noun} to the run` : `Set the run's ${noun}`) };
  },
);

/** Texts are set or cleared; tags are added or removed one by one. */
export const editOptions = optionsFrom(jobFieldsWith('edit'), ({ word, kind, label, missing }) => {
  if (kind === 'tags')
    return {
      [word]: texts('TEXT', 'Add a tag; repeatable'),
      [`un${word}`]: texts('TEXT', 'Remove a tag; repeatable'),
    };
  const noun = label.toLowerCase();
  return {
    [word]: text('TEXT', `Its new ${noun}`),
    ...(missing === null && { [`no-${word}`]: flag(`Remove the ${noun}`) }),
  };
});

/** Of the fields of which a list may ask for several values. */
export const filterOptions = optionsFrom(
  jobFieldsWith('filter').filter(({ filter }) => filter !== 'one'),
  ({ word }) => ({ [word]: texts('TEXT', `Only jobs with this ${word}; repeatable`) }),
);

function optionsFrom<Field extends JobField>(
  fields: readonly Field[],
  toOptions: (field: Field) => OptionTable,
): OptionTable {
  return Object.assign({}, ...fields.map(toOptions));
}
