// The sockets of a process and of all that it started, as Linux tells them. IPv4 and IPv6, TCP and UDP.
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface Socket {
  protocol: 'tcp' | 'udp';
  /** `127.0.0.1:4000` or `[::1]:4000`. */
  local: string;
  /** Null for one that only waits for others. */
  remote: string | null;
}

export const tellsSockets = process.platform === 'linux';

export async function socketsOf(pid: number): Promise<Socket[]> {
  const pids = [pid, ...(await descendantsOf(pid))];
  const found = await Promise.all(pids.map(one => ownSocketsOf(one).catch(unlessGone)));
  return found.flat();
}

async function descendantsOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(unlessGone);
  const lists = await Promise.all(
    threads.map(thread => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  const children = lists.join(' ').split(/\s+/).filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

/** The tables are those of the whole machine: what is open in this process is its own. */
async function ownSocketsOf(pid: number): Promise<Socket[]> {
  const open = await openFilesOf(pid);
  const tables = await Promise.all(
    (['tcp', 'tcp6', 'udp', 'udp6'] as const).map(async table => {
      const text = await readFile(`/proc/${pid}/net/${table}`, 'utf8').catch(() => '');
      const rows = text.trim().split('\n').slice(1);
      return rows.map(row => toSocket(table.slice(0, 3) as Socket['protocol'], row.trim().split(/\s+/)));
    }),
  );
  return tables.flat().flatMap(({ inode, socket }) => (open.has(`socket:[${inode}]`) ? [socket] : []));
}

async function openFilesOf(pid: number): Promise<Set<string>> {
  const names = await readdir(`/proc/${pid}/fd`);
  return new Set(await Promise.all(names.map(name => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''))));
}

function toSocket(protocol: Socket['protocol'], fields: string[]): { inode: string; socket: Socket } {
  const [, local = '', remote = ''] = fields;
  const isConnected = !/^0+:0000$/.test(remote);
  return {
    inode: fields[9] ?? '',
    socket: { protocol, local: toAddress(local), remote: isConnected ? toAddress(remote) : null },
  };
}

/** From groups of four bytes, each group with its last byte first. */
function toAddress(hex: string): string {
  const [host = '', port = ''] = hex.split(':');
  const bytes = (host.match(/.{8}/g) ?? []).flatMap(group => group.match(/../g)!.reverse());
  if (bytes.length === 4)
    return `${bytes.map(byte => Number.parseInt(byte, 16)).join('.')}:${toNumber(port)}`;
  const { hostname } = new URL(`http://[${bytes.join('').match(/.{4}/g)!.join(':')}]`);
  return `${hostname}:${toNumber(port)}`;
}

function toNumber(hex: string): number {
  return Number.parseInt(hex, 16);
}

function unlessGone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT' || error.code === 'ESRCH') return [];
  throw error;
}
