// A Ray cluster as a test tells it, without HTTP: what a client of its dashboard would say, at once.

import type { NewSubmission, RayClient } from '../../../lib/cloud/ray/client.js';
import { RayError } from '../../../lib/cloud/ray/ray-error.js';
import type { RayNode, Submission, UsageByNode } from '../../../lib/cloud/ray/ray-responses.js';
import { toNode } from './scripted-ray.js';

type ScriptedSubmission = Submission & { given: NewSubmission };

export const AWAY = new RayError('away', 'The Ray cluster at http://head:8265 does not answer.');

export function createScriptedCluster() {
  const submissions = new Map<string, ScriptedSubmission>();
  /** What it was asked for, in order. */
  const asked: string[] = [];
  const answer =
    <Given extends unknown[], T>(what: string, act: (...given: Given) => T) =>
    async (...given: Given): Promise<T> => {
      asked.push(what);
      if (cluster.fault) throw cluster.fault;
      return act(...given);
    };
  const notNeeded = () => Promise.reject(new Error('It is not needed here.'));
  const client: RayClient = {
    url: 'http://head:8265',
    readVersion: answer('version', () => '2.60.0'),
    ensurePackage: answer('package', ({ sha256 }) => `gcs://_ray_pkg_${sha256}.zip`),
    submit: answer('submit', given => {
      const { submission_id } = given;
      submissions.set(submission_id, { submission_id, status: 'RUNNING', given });
    }),
    findSubmission: answer('find', id => submissions.get(id) ?? null),
    stop: answer('stop', id => {
      const submission = submissions.get(id);
      if (submission) submission.status = 'STOPPED';
    }),
    forget: answer('forget', id => void submissions.delete(id)),
    listNodes: answer('nodes', () => cluster.nodes),
    readUsage: answer('usage', () => cluster.usage),
    readLogs: notNeeded,
    readServe: notNeeded,
    putServe: notNeeded,
  };
  const cluster = {
    ...{ client, submissions, asked },
    nodes: [toNode('head', { CPU: 4 }, true)] as RayNode[],
    usage: {} as UsageByNode | null,
    /** What every call fails with; null while it answers. */
    fault: null as RayError | null,
  };
  return cluster;
}
