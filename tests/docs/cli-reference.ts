// The reference of the command line, out of its own tables.
import type { Command } from '../../cli/command.js';
import { globalOptions, optionsOf } from '../../cli/options.js';

export function renderCliReference(commands: readonly Command[]): string {
  const head = `# The command line

Every command takes \`--help\`; all but a few take \`--json\`, which puts the answer on stdout as the API has it: one document, or
one object a line for what goes on. IDs may be shortened to any prefix that is unique. In place of a job's
ID, \`latest\` is the newest job, and \`latest:NAME\` the newest with that name; where an adapter is asked for, the newest that has completed.
Exit codes: 0 done, 1 failed, 2 not understood, 4 not signed in, 130 interrupted.
`;
  return [head, ...commands.map(renderCommand)].join('\n');
}

function renderCommand(command: Command): string {
  const usage = ['svc', command.name, command.usage, '[options]'].filter(Boolean).join(' ');
  const own = Object.entries(optionsOf(command)).filter(([name]) => !(name in globalOptions));
  const rows = own.map(([name, { short, value, choices, summary, type }]) => {
    const taken = type === 'string' ? ` ${value ?? choices?.join('|') ?? 'VALUE'}` : '';
    return `| \`${short ? `-${short}, ` : ''}--${name}${escapeCell(taken)}\` | ${escapeCell(summary)} |`;
  });
  const table = rows.length === 0 ? [] : ['', '| option | |', '|---|---|', ...rows];
  return [`## \`${usage}\``, '', `${command.summary}.`, ...table, ''].join('\n');
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|');
