// The fish completion script: one `complete` per word.
import { type CompletionTree, type Leaf, leavesOf } from './tree.js';

export function fishScript(tree: CompletionTree): string {
  const words = tree.words.flatMap(word => [
    `complete -c svc -f -n '__svc_exactly' -a ${word.name} -d ${quote(word.summary)}`,
    ...word.words.map(
      inner =>
        `complete -c svc -f -n '__svc_exactly ${word.name}' -a ${inner.name} -d ${quote(inner.summary)}`,
    ),
  ]);
  const lines = [...words, ...leavesOf(tree).flatMap(([name, leaf]) => leafLines(name, leaf))];
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
