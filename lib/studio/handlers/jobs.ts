// The list of the project's jobs, which is polled every few seconds.
import { createHash, randomUUID } from 'node:crypto';
import {
  CHANGES_HEADERS,
  CHANGES_STATUS,
  findJobChanges,
  type JobListChanges,
  type JobSummary,
  type StudioRoutes,
  wantsChanges,
} from '../../contract/index.js';
import { type Handler, isKnownTag, knownTags } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

const NO_JOBS: JobListDocument = { jobs: [] };

export function createJobListHandler(project: ProjectAccess): Handler<StudioRoutes['listJobs']> {
  const respondWithList = createJobListResponses();
  return async ({ request }) => {
    const found = await project.ifAny(cloud => cloud.listJobs({ signal: request.signal }));
    return respondWithList(request, found ?? NO_JOBS);
  };
}

interface JobListDocument {
  readonly jobs: readonly JobSummary[];
}

interface Version {
  readonly document: JobListDocument;
  readonly etag: string;
}

const KEPT = 8;

/**
 * Responds with the job list or with its changes. Keeps a few earlier versions, so that a reader that has one
 * of them gets only what has changed since. While the cloud's list is unchanged, its client returns the same
 * `document`. @internal
 */
export function createJobListResponses(): (request: Request, document: JobListDocument) => Response {
  const era = randomUUID();
  /** Latest last. */
  const versions: Version[] = [];

  function versionOf(document: JobListDocument): Version {
    const known = versions.find(version => version.document === document);
    if (known) return known;
    const before = versions.at(-1);
    const changes = before ? findJobChanges(before.document.jobs, document.jobs) : null;
    // Nothing changed, so nothing is sent or redrawn.
    if (before && changes && countOf(changes) === 0) {
      versions.splice(-1, 1, { ...before, document });
      return versions.at(-1)!;
    }
    // Deriving the tag from the previous one takes time proportional to the changes, not to the list.
    const made = { document, etag: toTag(before && changes ? [before.etag, changes] : [era, document]) };
    versions.push(made);
    if (versions.length > KEPT) versions.shift();
    return made;
  }

  return (request, document) => {
    const { etag } = versionOf(document);
    const headers = { etag, 'cache-control': 'no-cache' };
    if (isKnownTag(request, etag)) return new Response(null, { status: 304, headers });
    const json = { ...headers, 'content-type': 'application/json' };
    const known =
      wantsChanges(request) && versions.findLast(version => knownTags(request).includes(version.etag));
    const changes = known ? findJobChanges(known.document.jobs, document.jobs) : null;
    if (changes && countOf(changes) <= document.jobs.length / 2)
      return new Response(JSON.stringify(changes), {
        status: CHANGES_STATUS,
        headers: { ...json, ...CHANGES_HEADERS },
      });
    return new Response(textOf(document), { headers: json });
  };
}

function countOf({ added, changed, removed }: JobListChanges): number {
  return added.length + changed.length + removed.length;
}

function toTag(content: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;
}

const texts = new WeakMap<object, string>();

function textOf(document: JobListDocument): string {
  const text = texts.get(document) ?? JSON.stringify(document);
  texts.set(document, text);
  return text;
}
