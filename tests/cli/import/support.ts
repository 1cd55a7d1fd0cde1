// A project and an OpenAI account on loopback, new for each test.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type FakeAccount, openFakeAccount } from '../../support/fake-account.js';
import { type Line, projectOfEach } from '../support/project.js';

export function accountOfEach() {
  const project = projectOfEach({ isLinked: true });
  const account = {} as FakeAccount;
  beforeEach(async () => {
    await openFakeAccount(account);
  });
  afterEach(() => account.close());
  const svc = (line: Line, env: Record<string, string> = {}) =>
    project.svc(line, { env: { ...account.env, ...env } });
  return {
    project,
    account,
    svc,
    json: async (line: string) => JSON.parse((await svc(`${line} --json`)).stdout),
    read: (path: string) => readFileSync(project.path(path), 'utf8'),
    /** All files below the project's folder. */
    everything: () => filesIn(project.cwd),
  };
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}
