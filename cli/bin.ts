#!/usr/bin/env node
// The `svc` program: hands the process to `run` and exits, which only this file may do. It checks the Node version before
// it loads anything else, so older versions must be able to parse this file.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 19)) {
  void import('./run.js').then(({ run }) => run(code => process.exit(code)));
} else {
  process.stderr.write(
    `svc: requires Node 20.19 or later, but this is Node ${process.versions.node}. Update it from https://nodejs.org\n`,
  );
  process.exitCode = 1;
}
