// The zsh completion script: the same tables, with descriptions.
import { type CompletionTree, type Leaf, leavesOf, type Word } from './tree.js';

export function zshScript(tree: CompletionTree): string {
  const { words } = tree;
  const leaves = leavesOf(tree);
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

type Named = readonly [name: string, leaf: Leaf];

const isGroup = ({ words }: Word) => words.length > 0;

function groupCase({ name, words }: Word): string {
  return `    ${name})
      if (( CURRENT == 3 )); then
        choices=(${describe(words)})
        _describe 'command' choices
        return
      fi
      command="$words[2] $words[3]" first=4 ;;`;
}

function valueCases([name, { options }]: Named): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flag, choices }) => {
      const action = choices.length > 0 ? `compadd ${choices.join(' ')}` : '_files';
      return `    '${name} ${flag}') ${action}; return ;;`;
    });
}

function optionCase([name, { options }]: Named): string {
  return `      '${name}') choices=(${describe(options.map(({ flag, summary }) => ({ name: flag, summary })))}) ;;`;
}

function placeCases([name, { arguments: all }]: Named): string[] {
  return all.flatMap((choices, place) =>
    choices.length === 0 ? [] : [`    '${name} ${place}') compadd ${choices.join(' ')}; return ;;`],
  );
}

function describe(words: readonly { name: string; summary: string }[]): string {
  return words
    .map(({ name, summary }) => `'${name}:${summary.replaceAll(':', '\\:').replaceAll("'", "'\\''")}'`)
    .join(' ');
}
