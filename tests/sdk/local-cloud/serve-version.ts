// Serves a cloud of another version until it is stopped: `serve-version.ts FOLDER MODEL VERSION`.
import { openBaseModel, runCloud } from '../../../lib/cloud/index.js';

const [folder = '', model = '', version = ''] = process.argv.slice(2);
const served = await runCloud({
  folder,
  version,
  baseModel: openBaseModel(model),
  port: Number(process.env.SVC_CLOUD_PORT),
});
process.stdout.write('ready');
await served.ended;
process.exit(0);
