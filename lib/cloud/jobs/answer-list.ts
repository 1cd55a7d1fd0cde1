// Answers a request for the list of jobs. The tag of an answer says which version of the list it is, where it begins, and
// what queued jobs wait for. A caller that has the current version gets 304; one that has an earlier one and takes changes
// gets those, which cost the same however long the list is.
import { createHash } from 'node:crypto';
import { CHANGES_HEADERS, CHANGES_STATUS, wantsChanges } from '../../contract/index.js';
import { isKnownTag, knownTags } from '../../http/index.js';
import type { JobContext } from './job-context.js';
import { writeJobChanges, writeJobList, writeJobPage } from './job-lists.js';

type ListContext = Pick<JobContext, 'db' | 'changes' | 'waits'>;

interface Tag {
  version: string;
  newest: number;
  waiting: string;
}

export async function answerList(
  { db, changes, waits }: ListContext,
  projectId: string,
  request: Request,
): Promise<Response> {
  // Read before the list, which may have more than this version.
  const now = { version: changes.listVersion(projectId), waiting: waitingOf(waits) };
  const tags = knownTags(request).flatMap(text => readTag(text) ?? []);
  const current = tags.find(({ version }) => version === now.version);
  if (current) return new Response(null, { status: 304, headers: headersOf(current) });
  if (isKnownTag(request, '*'))
    return new Response(null, { status: 304, headers: headersOf({ ...now, newest: 0 }) });
  for (const known of wantsChanges(request) ? tags : []) {
    const announced = changes.since(projectId, known.version);
    if (!announced) continue;
    const isForAll = announced.isForAll || known.waiting !== now.waiting;
    const since = { announced: { ...announced, isForAll }, newest: known.newest };
    const written = await writeJobChanges(db, projectId, waits, since);
    if (written)
      return answer(written.text, CHANGES_STATUS, {
        ...headersOf({ ...now, newest: written.newest }),
        ...CHANGES_HEADERS,
      });
  }
  const { text, newest } = await writeJobList(db, projectId, waits);
  return answer(`{"jobs":${text}}`, 200, headersOf({ ...now, newest }));
}

const USUAL_PAGE = 100;

export async function answerPage(
  { db, waits }: ListContext,
  projectId: string,
  { limit, cursor }: { limit?: string | undefined; cursor?: string | undefined },
): Promise<Response> {
  const page = {
    limit: limit === undefined ? USUAL_PAGE : Number(limit),
    cursor: cursor === undefined ? null : Number(cursor),
  };
  const { text, nextCursor } = await writeJobPage(db, projectId, waits, page);
  const body = `{"jobs":${text},"nextCursor":${JSON.stringify(nextCursor)}}`;
  return answer(body, 200, { 'cache-control': 'no-store' });
}

function answer(body: string, status: number, headers: Record<string, string>): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } });
}

function headersOf({ version, newest, waiting }: Tag): Record<string, string> {
  return { etag: `"${version}.${newest}.${waiting}"`, 'cache-control': 'no-cache' };
}

function readTag(text: string): Tag | null {
  const [version, newest, waiting, ...rest] = text.replace(/^"|"$/g, '').split('.');
  if (!version || !waiting || rest.length > 0 || !/^\d{1,15}$/.test(newest ?? '')) return null;
  return { version, newest: Number(newest), waiting };
}

/** It changes for all queued or running jobs at once. */
function waitingOf(waits: ListContext['waits']): string {
  const { queued, running } = waits.list();
  return createHash('sha256')
    .update(JSON.stringify([queued, running]))
    .digest('hex')
    .slice(0, 6);
}
