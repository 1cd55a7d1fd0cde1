// What Linux tells about processes: who started whom, how much memory each has, how many handles.
import { readdirSync, readFileSync } from 'node:fs';
import { readProcessFields } from '../../lib/system/index.js';

export interface ProcessFacts {
  pid: number;
  command: string;
  /** Trainers run at a lower priority than what serves. */
  nice: number;
  rssMb: number;
  handles: number;
}

const PARENT = 1;
const [USER_TICKS, SYSTEM_TICKS] = [11, 12];
const NICE = 16;
/** What Linux counts a second of a CPU as, everywhere but on machines that nobody has any more. */
const TICKS_PER_SECOND = 100;

/** The processes that this one has started, and those that they have. */
export function descendantsOf(pid: number): ProcessFacts[] {
  const parents = new Map(listPids().map(each => [each, parentOf(each)]));
  const isBelow = (each: number | undefined): boolean =>
    each !== undefined && each > 1 && (parents.get(each) === pid || isBelow(parents.get(each)));
  return [...parents.keys()].filter(isBelow).flatMap(each => factsOf(each) ?? []);
}

/** Null when it has gone. */
export function factsOf(pid: number): ProcessFacts | null {
  try {
    const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    // A process that has ended and waits to be reaped has no memory.
    if (rss === undefined) return null;
    return {
      pid,
      command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      nice: Number(readProcessFields(pid)![NICE]),
      rssMb: Number(rss) / 1024,
      handles: readdirSync(`/proc/${pid}/fd`).length,
    };
  } catch {
    return null;
  }
}

/** How long a living process has had a CPU. */
export function cpuSecondsOf(pid: number): number {
  const stat = readProcessFields(pid)!;
  return (Number(stat[USER_TICKS]) + Number(stat[SYSTEM_TICKS])) / TICKS_PER_SECOND;
}

function listPids(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number | undefined {
  const fields = readProcessFields(pid);
  return fields === null ? undefined : Number(fields[PARENT]);
}
