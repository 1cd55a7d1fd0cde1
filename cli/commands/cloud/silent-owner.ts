// Messages for a process that owns the data folder but does not respond.
import type { FolderOwner } from '../../../lib/cloud/index.js';
import { CommandError } from '../../command-error.js';

export function describeSilentOwner(folder: string, owner: FolderOwner | null): string {
  return owner?.pid
    ? `The cloud on ${folder} (process ${owner.pid}) is not responding.`
    : `A cloud is running on ${folder} but is not responding.`;
}

/** Where the system does not name the process, only the user can find it. */
export function silentOwnerHint(folder: string, owner: FolderOwner | null): string {
  return owner?.pid
    ? `It may be busy, starting or stopping. To stop it, run "svc cloud stop --data ${folder}".`
    : 'It may be busy, starting or stopping. If this persists, kill the process whose command line contains "cloud start --foreground".';
}

export function silentOwner(folder: string, owner: FolderOwner | null): CommandError {
  return new CommandError(`${describeSilentOwner(folder, owner)}\n${silentOwnerHint(folder, owner)}`);
}
