// What a watched run did that svc must not do.
import type { Attempt } from './recorder/record.js';
import type { Watched } from './watch.js';

/** A sentence each. */
export function findBreaches({
  exitCode,
  lookups,
  connections,
  packets,
  writable,
  home,
  tmp,
}: Watched): string[] {
  const tell = (what: string) => (attempt: Attempt) => `${what} ${attempt.target}, by ${attempt.process}`;
  const seen = [...lookups.map(tell('Looked up')), ...connections.map(tell('Connected to'))];
  const strangers = home.filter(file => !file.startsWith('.svc/'));
  return [
    ...(exitCode === 0 ? [] : [`The program ended with ${exitCode}: what it does was not all seen.`]),
    ...seen,
    ...(packets > 0 && connections.length === 0
      ? [`Sent ${packets} packets beyond this machine, by a socket that was closed at once`]
      : []),
    ...strangers.map(file => `Wrote ~/${file}`),
    ...tmp.map(file => `Left ${file} among the temporary files`),
    ...writable.map(path => `${path} could not be protected, so what was written there was not seen`),
  ];
}
