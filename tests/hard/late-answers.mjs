// Loaded into every process of a hard run, with --import: each of its HTTP servers learns of a request up to
// SVC_TEST_LATE_MS late, by chance. SVC_TEST_SEED repeats the draw.
import { Server } from 'node:http';

const { setTimeout } = globalThis;
const most = Number(process.env.SVC_TEST_LATE_MS);
let state = (Number(process.env.SVC_TEST_SEED) ^ process.pid) >>> 0;

/** Between 0 and 1 (mulberry32). */
function draw() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

const { emit } = Server.prototype;
Server.prototype.emit = function (event, ...args) {
  if (event !== 'request') return emit.call(this, event, ...args);
  setTimeout(() => emit.call(this, event, ...args), draw() * most);
  return true;
};
