// A program that uploads a file and stops for good after some pieces, to be killed by a test.
import { createCloudClient } from '../../../lib/client/index.js';
import { toDatasetSource } from '../../../lib/sdk/trainer/upload-dataset.js';

const [baseUrl = '', token = '', scope = '', path = '', pieces] = process.argv.slice(2);

let left = Number(pieces);
const cloud = createCloudClient({
  baseUrl,
  token,
  scope: JSON.parse(scope),
  fetch: async (input, init) => {
    if (init?.method !== 'PATCH') return fetch(input, init);
    if (left-- > 0) return fetch(input, init);
    process.send!('stuck');
    return new Promise(() => {});
  },
});
await toDatasetSource({ type: 'file', path }, { folder: '/', cloud: async () => cloud, wholeBytes: 1000 });
