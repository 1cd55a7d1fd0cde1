// svc data from-requests SLUG: exports an endpoint's kept requests as training rows.
import { isChosen, plural, type RowChoice, toKeptRow } from '../../../lib/console/index.js';
import { CommandError, UsageError } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { writeNewRows } from '../files/row-files.js';
import { findDeployment } from '../project/find.js';
import { textOption } from '../project/option-values.js';
import { type SessionContext, sessionCommand } from '../project/session-command.js';
import { readKept } from './requests.js';

export const run = sessionCommand(async input => {
  const { positionals, session, io, svc, answer } = input;
  const choice = readChoice(input);
  const { cloud, deployment } = await findDeployment(session, positionals[0]!);
  const out = textOption(input, 'out') ?? `${deployment.slug}.jsonl`;
  const { requests } = await readKept(cloud, deployment, {});
  const chosen = requests.filter(request => isChosen(request, choice)).toReversed();
  const rows = chosen.map(toKeptRow).filter(row => row !== null);
  if (rows.length === 0)
    throw new CommandError(
      `${toSafeLine(deployment.slug)} has no such answers (${plural(requests.length, 'kept request')}). To mark them, run "${svc} endpoints requests ${toSafeLine(deployment.slug)} ID --good".`,
    );
  await writeNewRows(io.cwd, out, new Blob(rows.map(row => `${JSON.stringify(row)}\n`)));
  const skipped = chosen.length - rows.length;
  answer({ file: out, rows: rows.length, skipped }, () => {
    const unfinished = `${plural(skipped, 'answer')} left out, because ${skipped === 1 ? 'it is' : 'they are'} not whole. Correct ${skipped === 1 ? 'it to use it' : 'them to use them'}.\n`;
    return `Wrote ${plural(rows.length, 'row')} to ${toSafeLine(out)}.\n${skipped > 0 ? unfinished : ''}`;
  });
});

function readChoice({ values }: Pick<SessionContext, 'values'>): RowChoice {
  const choices = (['good', 'corrected', 'all'] as const).filter(name => values[name]);
  if (choices.length > 1) throw new UsageError('use one of "--good", "--corrected" and "--all".');
  return choices[0] ?? 'usual';
}
