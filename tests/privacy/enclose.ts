// Turns new namespaces into a place from where nothing can be reached, and where only one folder can be written to.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Everything beyond loopback is routed to this device. */
export const OUTSIDE = 'outside';

/** Sockets of daemons that would look names up on behalf of a program, outside its namespaces. */
const LOOKUP_DAEMONS = ['/run/nscd', '/run/systemd/resolve', '/run/dbus', '/var/run/nscd', '/var/run/dbus'];

const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });

export function enclose(folder: string): { writable: string[] } {
  leadNowhere();
  nameOurResolver(folder);
  return { writable: protectFiles(folder) };
}

/** Gives every address a route, to a device with nothing behind it. */
function leadNowhere(): void {
  run('ip', 'link', 'set', 'lo', 'up');
  addDevice();
  run('ip', 'address', 'add', '192.0.2.2/24', 'dev', OUTSIDE);
  run('ip', '-6', 'address', 'add', '2001:db8::2/64', 'dev', OUTSIDE, 'nodad');
  run('ip', 'link', 'set', OUTSIDE, 'arp', 'off', 'up');
  run('ip', 'route', 'add', 'default', 'dev', OUTSIDE);
  run('ip', '-6', 'route', 'add', 'default', 'dev', OUTSIDE);
}

/** Not every kernel has dummy devices. */
function addDevice(): void {
  try {
    run('ip', 'link', 'add', OUTSIDE, 'type', 'dummy');
  } catch {
    run('ip', 'link', 'add', OUTSIDE, 'type', 'veth', 'peer', 'name', 'beyond');
    run('ip', 'link', 'set', 'beyond', 'arp', 'off', 'up');
  }
}

function nameOurResolver(folder: string): void {
  const settings = { 'resolv.conf': 'nameserver 127.0.0.1\n', 'nsswitch.conf': 'hosts: files dns\n' };
  const targets = Object.keys(settings).map(name => [name, findFile(`/etc/${name}`)] as const);
  const daemons = new Set(LOOKUP_DAEMONS.filter(existsSync).map(path => realpathSync(path)));
  for (const path of daemons) run('mount', '-t', 'tmpfs', 'tmpfs', path);
  for (const [name, target] of targets) {
    if (target === null) continue;
    const file = join(folder, name);
    writeFileSync(file, settings[name as keyof typeof settings]);
    if (!existsSync(target)) {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, '');
    }
    run('mount', '--bind', file, target);
  }
}

function findFile(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

/** Makes everything but the folder read-only. Returns the mounts for which that failed. */
function protectFiles(folder: string): string[] {
  run('mount', '--bind', folder, folder);
  return readMounts()
    .filter(({ path }) => !/^\/(?:proc|sys|dev)(?:\/|$)/.test(path) && path !== folder)
    .filter(({ path, options }) => !options.includes('ro') && !makeReadOnly(path, options))
    .map(({ path }) => path);
}

interface Mount {
  path: string;
  options: string[];
}

function readMounts(): Mount[] {
  const lines = readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
  return lines.map(line => {
    const [, , , , path = '', options = ''] = line.split(' ');
    const plain = path.replaceAll(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
    return { path: plain, options: options.split(',') };
  });
}

/** Keeps the other options: a user's namespace may not drop them. */
function makeReadOnly(path: string, options: readonly string[]): boolean {
  const kept = options.filter(option => option !== 'rw');
  try {
    run('mount', '-o', ['remount', 'bind', 'ro', ...kept].join(','), path);
    return true;
  } catch {
    return false;
  }
}
