#!/usr/bin/env node
// The program `svc`: hands the process to `run` and ends it, and is the only file that may. Nothing is loaded before it is
// known that this Node can: an older one has to understand this file, and no other.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  void import('./run.js').then(({ run }) => run(code => process.exit(code)));
} else {
  process.stderr.write(
    `svc: Node 20.19 or newer is required, and this is Node ${process.versions.node}. Get one at https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
