// An error thrown by the project's code, as a message with the few stack frames that are the project's own.
import { CommandError } from '../../command-error.js';

const SHOWN_FRAMES = 5;
const FOREIGN_FRAME = /\bnode:internal\b|[\\/]node_modules[\\/]/;

export function describeThrown(error: unknown, what: string): CommandError {
  if (!(error instanceof Error)) return new CommandError(`${what}: ${String(error)}`);
  const lines = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line));
  const own = lines.filter(line => !FOREIGN_FRAME.test(line)).slice(0, SHOWN_FRAMES);
  const name = error.name === 'Error' ? '' : `${error.name}: `;
  const hint = isMissingPackage(error)
    ? ['Run "npm install" in the project, or add the missing package to it.']
    : [];
  return new CommandError([`${what}: ${name}${error.message}`, ...own, ...hint].join('\n'));
}

function isMissingPackage(error: Error): boolean {
  return (
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes('Cannot find package')
  );
}
