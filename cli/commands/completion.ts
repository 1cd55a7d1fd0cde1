// svc completion SHELL: a completion script built from the table of commands.
import type { Command, RunCommand } from '../command.js';
import { countArguments, optionsOf } from '../options.js';
import { print } from '../print.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionOf(commands: readonly Command[]): RunCommand {
  return async ({ positionals, io }) => {
    print(io.stdout, SCRIPTS[positionals[0] as keyof typeof SCRIPTS](toCompletionTree(commands)));
  };
}

/** Bash: word tables, one `case` each. */
function bashScript(words: readonly Word[]): string {
  const leaves = leavesOf(words);
  const values = leaves.flatMap(([name, { options }]) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, choices }) => [`${name} ${flag}`, choices] as const),
  );
  const places = leaves.flatMap(([name, { arguments: all }]) =>
    all
      .map((choices, place) => [`${name} ${place}`, choices] as const)
      .filter(([, choices]) => choices.length > 0),
  );
  return `# svc completion for bash. Add to ~/.bashrc:  source <(svc completion bash)
_svc() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" first=2 place=0 words='' index
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${join(words.map(({ name }) => name))}' -- "$current"))
    return
  fi
  case "$command" in
${words
  .filter(isGroup)
  .map(group => `    ${group.name}) words='${join(group.words.map(({ name }) => name))}' ;;`)
  .join('\n')}
  esac
  if [[ -n $words && \${COMP_WORDS[2]} != -* ]]; then
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
    command="$command \${COMP_WORDS[2]}" first=3
  fi
  words=''
  case "$command \${COMP_WORDS[COMP_CWORD - 1]}" in
${caseLines(values, choices => `COMPREPLY=($(compgen -W '${join(choices)}' -- "$current")); return`)}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${caseLines(
  leaves.map(([name, { options }]) => [name, options.map(({ flag }) => flag)] as const),
  flags => `words='${join(flags)}'`,
  6,
)}
    esac
  else
    for ((index = first; index < COMP_CWORD; index++)); do
      [[ \${COMP_WORDS[index]} == -* ]] || place=$((place + 1))
    done
    case "$command $place" in
${caseLines(places, choices => `words='${join(choices)}'`, 6)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`;
}

function caseLines(
  cases: readonly (readonly [pattern: string, words: readonly string[]])[],
  action: (words: readonly string[]) => string,
  indent = 4,
): string {
  return cases.map(([pattern, words]) => `${' '.repeat(indent)}'${pattern}') ${action(words)} ;;`).join('\n');
}

const join = (words: readonly string[]) => words.join(' ');

/** Zsh: the same tables, with descriptions. */
function zshScript(words: readonly Word[]): string {
  const leaves = leavesOf(words);
  return `#compdef svc
# svc completion for zsh. Add to ~/.zshrc, after compinit:  source <(svc completion zsh)
_svc() {
  local -a choices
  local command=$words[2] place=0 first=3 index
  if (( CURRENT == 2 )); then
    choices=(${describe(words)})
    _describe 'command' choices
    return
  fi
  case $words[2] in
${words.filter(isGroup).map(groupCase).join('\n')}
  esac
  case "$command $words[CURRENT-1]" in
${leaves.flatMap(valueCases).join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    case $command in
${leaves.map(optionCase).join('\n')}
    esac
    _describe -o 'option' choices
    return
  fi
  for (( index = first; index < CURRENT; index++ )); do
    [[ $words[index] == -* ]] || (( place += 1 ))
  done
  case "$command $place" in
${leaves.flatMap(placeCases).join('\n')}
  esac
  _files
}
if [[ $funcstack[1] == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

const isGroup = ({ words }: Word) => words.length > 0;

function groupCase({ name, words }: Word): string {
  return `    ${name})
      if [[ $words[3] != -* ]]; then
        if (( CURRENT == 3 )); then
          choices=(${describe(words)})
          _describe 'command' choices
          return
        fi
        command="$words[2] $words[3]" first=4
      fi ;;`;
}

function valueCases([name, { options }]: NamedLeaf): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, choices }) => {
      const action = choices.length > 0 ? `compadd ${choices.join(' ')}` : '_files';
      return `    '${name} ${flag}') ${action}; return ;;`;
    });
}

function optionCase([name, { options }]: NamedLeaf): string {
  return `      '${name}') choices=(${describe(options.map(({ flag, summary }) => ({ name: flag, summary })))}) ;;`;
}

function placeCases([name, { arguments: all }]: NamedLeaf): string[] {
  return all.flatMap((choices, place) =>
    choices.length === 0 ? [] : [`    '${name} ${place}') compadd ${choices.join(' ')}; return ;;`],
  );
}

function describe(words: readonly { name: string; summary: string }[]): string {
  return words
    .map(({ name, summary }) => `'${name}:${summary.replaceAll(':', '\\:').replaceAll("'", "'\\''")}'`)
    .join(' ');
}

/** Fish: one `complete` per word. */
function fishScript(words: readonly Word[]): string {
  const wordLines = words.flatMap(word => [
    `complete -c svc -f -n '__svc_exactly' -a ${word.name} -d ${quote(word.summary)}`,
    ...word.words.map(
      inner =>
        `complete -c svc -f -n '__svc_exactly ${word.name}' -a ${inner.name} -d ${quote(inner.summary)}`,
    ),
  ]);
  const lines = [...wordLines, ...leavesOf(words).flatMap(([name, leaf]) => leafLines(name, leaf))];
  return `# svc completion for fish. Add to ~/.config/fish/config.fish:  svc completion fish | source
function __svc_typed
    string match -v -- '-*' (commandline -opc)[2..-1]
end
function __svc_exactly
    test "$(__svc_typed)" = "$(string join \\n -- $argv)"
end
function __svc_at
    set -l typed (__svc_typed)
    test (count $typed) -ge (count $argv); and test "$typed[1..$(count $argv)]" = "$argv"
end
function __svc_place
    set -l place $argv[1]
    set -e argv[1]
    __svc_at $argv; and test (count (__svc_typed)) -eq (math $place + (count $argv))
end
${lines.join('\n')}
`;
}

function leafLines(name: string, { options, arguments: all }: Leaf): string[] {
  const flags = options.map(({ flag, summary, takesValue, choices }) => {
    const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
    return `complete -c svc -n '__svc_at ${name}' -l ${flag.slice(2)}${value} -d ${quote(summary)}`;
  });
  const places = all.flatMap((choices, place) =>
    choices.length === 0
      ? []
      : [`complete -c svc -f -n '__svc_place ${place} ${name}' -a '${choices.join(' ')}'`],
  );
  return [...flags, ...places];
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A command, a group, or a word that may follow a group or a command that takes another command's name. */
interface Word {
  name: string;
  summary: string;
  /** What may follow it; null for a group. */
  command: Leaf | null;
  words: (Word & { command: Leaf })[];
}

interface Leaf {
  options: { flag: string; summary: string; takesValue: boolean; choices: readonly string[] }[];
  /** The allowed words for the first argument, the second, …; empty where anything is allowed. */
  arguments: (readonly string[])[];
}

/** The command table in the form that completion needs: words, and what may follow each. */
function toCompletionTree(commands: readonly Command[]): Word[] {
  const firstWords = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
  const outline = firstWords.map((name): Word => {
    const own = commands.find(command => command.name === name);
    const words = commands
      .filter(command => command.name.startsWith(`${name} `))
      .map(command => toWord(command.name.slice(name.length + 1), command.summary, toLeaf(command)));
    const summary = own?.summary ?? words.map(word => word.name).join(', ');
    const command = own ? toLeaf(own) : null;
    if (!command || words.length === 0) return { name, summary, command, words };
    // Its first argument stands where the commands of the group do.
    const [choices = [], ...others] = command.arguments;
    const chosen = choices.map(choice => toWord(choice, summary, { ...command, arguments: others }));
    return { name, summary, command: { ...command, arguments: [] }, words: [...chosen, ...words] };
  });
  return outline.map(word => {
    const taking = commands.find(({ name, takesCommand }) => takesCommand && name === word.name);
    if (!taking) return word;
    const words = outline.map(({ name, summary, words }) =>
      toWord(name, summary, { ...toLeaf(taking), arguments: [words.map(inner => inner.name)] }),
    );
    return { ...word, words };
  });
}

const toWord = (name: string, summary: string, command: Leaf) => ({ name, summary, command, words: [] });

function toLeaf(command: Command): Leaf {
  const { argumentChoices = {} } = command;
  return {
    options: Object.entries(optionsOf(command)).map(([name, { type, summary, choices: values = [] }]) => ({
      flag: `--${name}`,
      summary,
      takesValue: type === 'string',
      choices: values,
    })),
    arguments: Array.from(
      { length: countArguments(command).max },
      (_, place) => argumentChoices[place] ?? [],
    ),
  };
}

type NamedLeaf = readonly [name: string, leaf: Leaf];

/** Every command by its full name: `build`, `jobs list`. */
function leavesOf(words: readonly Word[]): NamedLeaf[] {
  return words.flatMap(({ name, command, words: inner }) => [
    ...(command ? [[name, command] as const] : []),
    ...inner.map(word => [`${name} ${word.name}`, word.command] as const),
  ]);
}
