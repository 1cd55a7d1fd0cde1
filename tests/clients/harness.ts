// What stands around the scripts, in their own languages.

/** Loaded by every Python as `sitecustomize`: to look up or connect to another machine is an error that names it. */
export const PYTHON_GUARD = `
import ipaddress, socket

def _require_loopback(host):
    host = host.decode() if isinstance(host, bytes) else host
    if host in (None, "", "localhost"):
        return
    try:
        if ipaddress.ip_address(host).is_loopback:
            return
    except ValueError:
        pass
    raise OSError(f"{host} is not on this machine")

_look_up, _connect = socket.getaddrinfo, socket.socket.connect

def _guarded_look_up(host, *args, **kwargs):
    _require_loopback(host)
    return _look_up(host, *args, **kwargs)

def _guarded_connect(self, address):
    if isinstance(address, tuple):
        _require_loopback(address[0])
    return _connect(self, address)

socket.getaddrinfo, socket.socket.connect = _guarded_look_up, _guarded_connect
`;

/** The same for Node, as a module that each process imports first. */
export const NODE_GUARD = `
import net from 'node:net';

const isLoopback = host => host === undefined || host === 'localhost' || host === '::1' || /^127\\./.test(host);
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  const host = typeof options === 'object' ? options.host : args[1];
  if (typeof host === 'string' && !isLoopback(host)) throw new Error(host + ' is not on this machine');
  return connect.apply(this, args);
};
`;

/** Runs scripts one after the other in one process, since some clients take seconds to load. */
export const PYTHON_HARNESS = `
import json, runpy, sys, time, traceback

results, *scripts = sys.argv[1:]
for script in scripts:
    problem, started_at = None, time.monotonic()
    try:
        runpy.run_path(script, run_name="__main__")
    except BaseException:
        problem = traceback.format_exc()
    with open(results, "a") as file:
        seconds = time.monotonic() - started_at
        file.write(json.dumps({"script": script, "problem": problem, "seconds": seconds}) + "\\n")
`;

export const NODE_HARNESS = `
import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const [results, ...scripts] = process.argv.slice(2);
for (const script of scripts) {
  const startedAt = performance.now();
  let problem = null;
  try {
    await import(pathToFileURL(script));
  } catch (error) {
    problem = inspect(error, { depth: 3 });
  }
  const seconds = (performance.now() - startedAt) / 1000;
  appendFileSync(results, JSON.stringify({ script, problem, seconds }) + '\\n');
}
// Some clients keep a timer or a connection.
process.exit();
`;

export const SHELL_HARNESS = `
results=$1
shift
for script in "$@"; do
  started_at=$(date +%s)
  if problem=$(sh -eu "$script" 2>&1); then problem=; else problem=\${problem:-"no output"}; fi
  seconds=$(($(date +%s) - started_at))
  SCRIPT="$script" PROBLEM="$problem" SECONDS_TAKEN="$seconds" node -e '
    const { SCRIPT: script, PROBLEM, SECONDS_TAKEN } = process.env;
    console.log(JSON.stringify({ script, problem: PROBLEM || null, seconds: Number(SECONDS_TAKEN) }))' >> "$results"
done
`;
