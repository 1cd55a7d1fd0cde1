// Judges a watched run: what it did that svc must not do.
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
    ...(exitCode === 0 ? [] : [`The program ended with exit code ${exitCode}, so not everything was seen.`]),
    ...seen,
    ...(packets > 0 && connections.length === 0
      ? [`Sent ${packets} packets beyond this machine, from sockets that closed at once`]
      : []),
    ...strangers.map(file => `Wrote ~/${file}`),
    ...tmp.map(file => `Left ${file} in the temporary folder`),
    ...writable.map(path => `${path} could not be made read-only, so writes there were not seen`),
  ];
}
