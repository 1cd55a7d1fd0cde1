// Every sentence of the specification about the views, in one browser. Needs `npm run build:web`.
import './harness.js';
import './views/built-app.js';
import './views/frame.js';
import './views/foreign-page.js';
import './views/overview.js';
import './views/jobs.js';
import './views/job.js';
import './views/job-stream.js';
import './views/job-rows.js';
import './views/kept-requests.js';
import './views/loss-chart.js';
import './views/playground.js';
import './views/deployments.js';
import './views/deployment.js';
import './views/accessibility.js';
