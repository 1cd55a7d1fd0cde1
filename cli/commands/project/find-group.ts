// The sweep that an option names by its ID or the start of its ID.
import type { JobSummary } from '../../../lib/contract/index.js';
import type { Input } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { textOption } from './option-values.js';
import { pickById } from './pick.js';

/** As it was typed; null if there is none. */
export function groupOption(input: Pick<Input, 'values'>, where: string): string | null {
  const typed = textOption(input, 'group') ?? null;
  if (typed !== null && !/^[0-9a-f-]+$/i.test(typed))
    throw createUsageError('option "--group" must be the ID of a sweep, or its start.', where);
  return typed;
}

interface Group {
  id: string;
  name: string;
}

/** Its ID. */
export function findGroup(typed: string, jobs: readonly JobSummary[]): string {
  const groups = new Map<string, Group>();
  for (const { group, name } of jobs) if (group) groups.set(group.id, { id: group.id, name });
  const describe = ({ name }: Group) => name;
  return pickById<Group>(typed, [...groups.values()], { noun: 'sweep', list: 'svc jobs list', describe }).id;
}
