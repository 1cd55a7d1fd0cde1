// The bash completion script: word tables, one `case` each.
import { type CompletionTree, leavesOf } from './tree.js';

export function bashScript(tree: CompletionTree): string {
  const { words } = tree;
  const groups = words.filter(word => word.words.length > 0);
  const leaves = leavesOf(tree);
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
${groups.map(group => `    ${group.name}) words='${join(group.words.map(({ name }) => name))}' ;;`).join('\n')}
  esac
  if [[ -n $words ]]; then
    if ((COMP_CWORD == 2)); then
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      return
    fi
    command="$command \${COMP_WORDS[2]}" first=3 words=''
  fi
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
