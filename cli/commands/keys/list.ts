// svc keys list SLUG: the keys of an endpoint or of the project, including revoked ones.
import { enabledLabel, shortId } from '../../../lib/console/index.js';
import type { Key } from '../../../lib/contract/index.js';
import type { Screen } from '../../screen.js';
import { toSafeLine } from '../../style.js';
import { sessionCommand } from '../project/session-command.js';
import { ageText, type Column, renderTable, timeText } from '../terminal/table.js';
import { findKeyOwner } from './find-owner.js';

export const run = sessionCommand(async input => {
  const { screen, svc, answer } = input;
  const owner = await findKeyOwner(input);
  const { keys } = await owner.list();
  answer({ keys }, () =>
    keys.length === 0
      ? `No keys yet. To issue one, run "${svc} keys issue ${toSafeLine(owner.argument)} --label TEXT".\n`
      : renderTable(columnsFor(screen), keys, screen),
  );
});

function columnsFor(screen: Screen): Column<Key>[] {
  const { green, dim } = screen.style;
  return [
    { title: 'Label', text: ({ label }) => label, least: 12 },
    { title: 'Prefix', text: ({ prefix }) => prefix },
    {
      title: 'State',
      text: key => (key.enabled ? enabledLabel(key) : 'revoked'),
      paint: (text, { enabled }) => (enabled ? green(text) : dim(text)),
    },
    {
      title: 'Last used',
      text: ({ lastUsedAt }) => timeText(lastUsedAt, screen),
      short: ({ lastUsedAt }) => ageText(lastUsedAt),
      spare: true,
    },
    {
      title: 'Created',
      text: ({ createdAt }) => timeText(createdAt, screen),
      short: ({ createdAt }) => ageText(createdAt),
      spare: true,
    },
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => shortId(id), paint: dim },
  ];
}
