// What people do with training: start a run, follow it, compare it. Needs `npm run build:web`.
import './harness.js';
import './views/overview.js';
import './views/jobs.js';
import './views/job.js';
import './views/job-stream.js';
import './views/samples.js';
import './views/chart.js';
import './views/compare.js';
import { judgeScenes } from './views/accessibility.js';

judgeScenes(/^#\/(jobs|compare)/);
