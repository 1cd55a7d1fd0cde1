// What is said when a process owns the data folder, but cannot be asked.
import type { FolderOwner } from '../../../lib/cloud/index.js';
import { CommandError } from '../../command-error.js';

export function describeSilentOwner(folder: string, owner: FolderOwner | null): string {
  return owner?.pid
    ? `The cloud of ${folder}, process ${owner.pid}, does not answer.`
    : `A process runs a cloud on ${folder}, but does not answer.`;
}

/** Where the system does not say which process it is, nobody but the user can find it. */
export function silentOwnerHint(folder: string, owner: FolderOwner | null): string {
  return owner?.pid
    ? `It may be busy, starting or stopping. To end it: "svc cloud stop --data ${folder}".`
    : 'It may be busy, starting or stopping. If that goes on, end the process whose command line has "cloud start --foreground".';
}

export function silentOwner(folder: string, owner: FolderOwner | null): CommandError {
  return new CommandError(`${describeSilentOwner(folder, owner)}\n${silentOwnerHint(folder, owner)}`);
}
