// The layout of a cloud's data folder, for the cloud that writes it and for the clients that look for a cloud.
import { join } from 'node:path';

/** How to reach the cloud, and the secret it is known by. */
export const cloudFileIn = (folder: string) => join(folder, 'cloud.json');

/** Exists if the last cloud was stopped on purpose. One that crashed or was killed leaves no mark. */
export const stopMarkIn = (folder: string) => join(folder, 'stopped');

/** The cloud's log, one JSON object per line. */
export const logFileIn = (folder: string) => join(folder, 'logs', 'cloud.log');

/** The endings of rotated logs, newest first. */
export const ROTATED_LOGS: readonly string[] = ['.1', '.2', '.3'];

/** What the cloud's processes print, until it is copied to the log. */
export const outputFileIn = (folder: string) => join(folder, 'logs', 'output.log');
