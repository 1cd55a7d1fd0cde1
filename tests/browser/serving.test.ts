// What people do around the runs: chat, publish, look at data, a cluster or a cloud that is away; and who may not. Needs
// `npm run build:web`.
import './harness.js';
import './views/built-app.js';
import './views/frame.js';
import './views/foreign-page.js';
import './views/cross-origin.js';
import './views/cloud-away.js';
import './views/playground.js';
import './views/data.js';
import './views/cluster.js';
import './views/deployments.js';
import './views/deployment.js';
import './views/evaluations.js';
import './views/kept-requests.js';
import { goThroughByKeys, judgeScenes } from './views/accessibility.js';

goThroughByKeys();
judgeScenes(/^#\/(?!jobs|compare)/);
