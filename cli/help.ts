// The help texts: for `svc`, for a group of commands, for one command. Pure: built from the tables.
import { orList } from '../lib/contract/vocabulary.js';
import packageJson from '../package.json' with { type: 'json' };
import type { Command, OptionTable } from './command.js';
import { createUnknownCommandError, findCommand, findGroup } from './lookup.js';
import { globalOptions, optionsOf } from './options.js';
import type { Style } from './style.js';

const environment: Row[] = [
  ['SVC_CLOUD_URL', 'Cloud to use instead of the last one you signed in to, or the local one'],
  ['SVC_PRODUCTION_CLOUD_URL', 'Your production cloud; its host is hidden in the header'],
  ['SVC_CLOUD_PORT', "Port for the local cloud's first start (default: 4100)"],
  ['SVC_HOME', 'Folder for credentials and data (default: ~/.svc)'],
  ['SVC_DEVICE', "What the local cloud's runs compute on, if not given by --device"],
  ['SVC_TORCH', "Python that trains the local cloud's jobs, if not given by --torch"],
  ['SVC_THREADS', 'Threads per model computation (default: one per core)'],
  ['SVC_DEBUG', 'Show the stack trace of an unexpected error'],
  ['NO_COLOR', 'Disable colors'],
];

type Row = [term: string, text: string];

/** `words` name a command or a group; if empty, this is the help for `svc` itself. */
export function renderHelp(words: string[], commands: Command[], style: Style): string {
  if (words.length === 0) return renderOverview(commands, style);
  const command = findCommand(words, commands);
  const group = findGroup(words, commands);
  if (command) return renderCommandHelp(command, group, style);
  if (group.length > 0) return renderGroupHelp(group, style);
  throw createUnknownCommandError(words, commands);
}

function renderOverview(commands: Command[], { bold }: Style): string {
  return joinSections(
    packageJson.description,
    `${bold('Usage')}  svc <command> [options]`,
    renderRows(bold('Commands'), toCommandRows(commands)),
    renderRows(bold('Options'), toOptionRows(globalOptions)),
    renderRows(bold('Environment'), environment),
    'Run "svc help <command>" for details on a command.',
  );
}

function renderGroupHelp(group: Command[], { bold }: Style): string {
  const [name = ''] = group[0]?.name.split(' ') ?? [];
  return joinSections(
    `${bold('Usage')}  svc ${name} <command> [options]`,
    renderRows(bold('Commands'), toCommandRows(group)),
  );
}

function renderCommandHelp(command: Command, group: Command[], { bold }: Style): string {
  const usage = ['svc', command.name, command.usage, '[options]'].filter(Boolean).join(' ');
  return joinSections(
    command.summary,
    `${bold('Usage')}  ${usage}`,
    renderRows(bold('Options'), toOptionRows(optionsOf(command))),
    ...(group.length > 0 ? [renderRows(bold('Commands'), toCommandRows(group))] : []),
  );
}

function joinSections(...sections: string[]): string {
  return `${sections.join('\n\n')}\n`;
}

function renderRows(title: string, rows: Row[]): string {
  const width = Math.max(...rows.map(([term]) => term.length));
  return [title, ...rows.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`)].join('\n');
}

function toCommandRows(commands: Command[]): Row[] {
  return commands.map(({ name, usage, summary }) => [[name, usage].filter(Boolean).join(' '), summary]);
}

/** More text than this beside one option would push what all options do off the screen. */
const MOST_CHOICES = 40;

function toOptionRows(options: OptionTable): Row[] {
  return Object.entries(options).map(([name, { short, value, choices, summary }]) => {
    const row = (taken: string | undefined, text: string): Row => [
      [`${short ? `-${short}, ` : '    '}--${name}`, taken].filter(Boolean).join(' '),
      text,
    ];
    const chosen = choices?.join('|') ?? '';
    return chosen.length > MOST_CHOICES
      ? row(name.toUpperCase(), `${summary}: ${orList(choices!)}`)
      : row(value ?? (chosen || undefined), summary);
  });
}
