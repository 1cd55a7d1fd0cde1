// Uploads a file as `svc start` does, in a process of its own, and says how much memory that took.
import { createCloudClient } from '../../../lib/client/index.js';
import { toDatasetSource } from '../../../lib/sdk/trainer/upload-dataset.js';

/** What an upload took. */
export interface Uploaded {
  type: 'uploaded';
  /** When all bytes had arrived, in milliseconds. */
  sentMs: number;
  ms: number;
  /** At most, in bytes. */
  memory: number;
}

const [baseUrl, token, scope, path] = process.argv.slice(2) as [string, string, string, string];
const cloud = createCloudClient({ baseUrl, token, scope: JSON.parse(scope) });
const began = performance.now();
let sentMs = 0;
await toDatasetSource(
  { type: 'file', path },
  {
    folder: '/',
    cloud: async () => cloud,
    onUpload({ stage }) {
      if (stage === 'counting') sentMs = performance.now() - began;
    },
  },
);
const memory = process.resourceUsage().maxRSS * 1024;
const uploaded: Uploaded = { type: 'uploaded', sentMs, ms: performance.now() - began, memory };
process.send!(uploaded);
process.disconnect();
